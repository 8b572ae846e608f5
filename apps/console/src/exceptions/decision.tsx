import type { CurrentSession, SodException } from '@access-admin/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { missingRight } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { Refusal } from '../ui/forms/refusal.tsx';
import { MissingRight } from '../ui/missing-right.tsx';
import { CommentField, commentOf } from './comment.tsx';
import styles from './decision.module.css';
import { EXCEPTION_TEXTS } from './texts.ts';

const CONCERNS = ['exceptions', 'violations'];

/** The comment of a decision, as the operations take it. */
export type Comment = ReturnType<typeof commentOf>;

export interface DecisionProps {
  /** Why the session cannot approve, said in advance; null where it can. */
  readonly obstacle: 'own' | 'subject' | null;
  /** What an approval does. */
  readonly children: ReactNode;
  readonly approveLabel: string;
  readonly refuseLabel: string;
  /** Whether there is something to approve, and to refuse, as it is shown. */
  readonly canApprove: boolean;
  readonly canRefuse: boolean;
  /** Makes the decision and resolves with what has happened, in words. */
  readonly approve: (comment: Comment) => Promise<string>;
  readonly refuse: (comment: Comment) => Promise<string>;
  readonly onDone: (said: string) => void;
}

/** The decision on requests. It stays in view below whatever is shown of them. */
export function Decision(props: DecisionProps) {
  const { obstacle, children, approveLabel, refuseLabel, canApprove, canRefuse, approve, refuse, onDone } = props;
  const { text } = useSpeech();
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const session = useQuery(sessionQuery(useApi()));
  const client = useQueryClient();
  const [words, setWords] = useState('');
  const id = useId();
  const decision = useMutation({
    mutationFn: (decide: DecisionProps['approve']) => decide(commentOf(words)),
    onSuccess: onDone,
    onSettled: () => {
      for (const concern of CONCERNS) client.invalidateQueries({ queryKey: [concern] });
    },
  });
  const missing = session.data === undefined ? null : missingRight('decide', session.data);
  if (missing !== null) return <MissingRight needed={missing} />;
  const isBusy = decision.isPending || session.data === undefined;
  return (
    <section className={styles['decision']} aria-labelledby={id}>
      <h3 id={id} className="away">
        {pageText('decision')}
      </h3>
      {obstacle !== null && <p className={styles['warning']}>{pageText(obstacle)}</p>}
      {decision.isError && <Refusal error={decision.error} title={text('action.refused')} />}
      <div className={styles['row']}>
        <div className={styles['comment']}>
          <CommentField value={words} onChange={setWords} />
        </div>
        <div className={styles['buttons']}>
          <button
            type="button"
            className={`button ${obstacle === null ? 'main' : ''}`}
            aria-disabled={isBusy || !canApprove}
            onClick={() => isBusy || !canApprove || decision.mutate(approve)}
          >
            {approveLabel}
          </button>
          <button
            type="button"
            className={`button ${styles['refuse']}`}
            aria-disabled={isBusy || !canRefuse}
            onClick={() => isBusy || !canRefuse || decision.mutate(refuse)}
          >
            {refuseLabel}
          </button>
        </div>
      </div>
      {obstacle === null && <div className={styles['effect']}>{children}</div>}
    </section>
  );
}

/** Why a session cannot approve a request; null where it can. */
export function obstacleOf(
  { requesterId, identityId }: Pick<SodException, 'requesterId' | 'identityId'>,
  session: Pick<CurrentSession, 'identityId'> | undefined,
): DecisionProps['obstacle'] {
  if (session === undefined) return null;
  if (requesterId === session.identityId) return 'own';
  return identityId === session.identityId ? 'subject' : null;
}
