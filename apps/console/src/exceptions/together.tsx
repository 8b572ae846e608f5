import { ApiError } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import type { NamedException } from '../service/exceptions/queries.ts';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { sessionQuery } from '../service/session.ts';
import { LevelBadge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { Failure } from '../ui/failure.tsx';
import { type Comment, Decision, obstacleOf } from './decision.tsx';
import styles from './request.module.css';
import { Terms } from './terms.tsx';
import { EXCEPTION_TEXTS } from './texts.ts';
import { type SeenException, useSeenExceptions } from './use-seen-exceptions.ts';

export interface TogetherProps {
  /** The requests of one policy. */
  readonly exceptions: readonly NamedException[];
  readonly onDone: (said: string) => void;
}

/** The requests of one policy, and one decision on those that are chosen. */
export function Together({ exceptions, onDone }: TogetherProps) {
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const { sodExceptions } = useApi();
  const session = useQuery(sessionQuery(useApi()));
  const seen = useSeenExceptions(exceptions.map(({ id }) => id));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map());
  const { policyName: policy = '', policyId = '', level = null } = exceptions[0] ?? {};
  const rows = exceptions.map((exception, at): Row => {
    const version = seen.exceptions[at] ?? UNREAD;
    const obstacle = obstacleOf(exception, session.data);
    return { exception, version, obstacle, refusal: refusals.get(exception.id) ?? null };
  });
  const chosen = rows.filter(
    ({ exception, version, obstacle }) =>
      obstacle === null && version.seen !== null && !version.isChanged && !left.has(exception.id),
  );
  const failed = seen.exceptions.find(({ error }) => error !== null);
  /** Decides on one after the other. Those that are refused stay, each with its reason. */
  const decide = async (act: (row: Row) => Promise<unknown>, done: 'approve.together' | 'refuse.together') => {
    const refused = new Map<string, string>();
    for (const row of chosen) {
      await act(row).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        refused.set(row.exception.id, [...error.causes, ...error.messages].map(({ text }) => text)[0] ?? error.message);
      });
    }
    setRefusals(refused);
    const said = pageText(done, { count: chosen.length - refused.size, policy });
    if (refused.size === 0) return said;
    seen.read();
    throw new Error(`${pageText('together.refused', { count: refused.size })} ${said}`);
  };
  const approve = (comment: Comment) =>
    decide(
      ({ exception: { id }, version }) => sodExceptions.approve(id, { ifMatch: version.seen?.etag ?? '', ...comment }),
      'approve.together',
    );
  const refuse = (comment: Comment) =>
    decide(({ exception: { id } }) => sodExceptions.revoke(id, comment), 'refuse.together');
  const choose = (id: string, isChosen: boolean) =>
    setLeft(new Set(isChosen ? [...left].filter((each) => each !== id) : [...left, id]));
  return (
    <Card title={pageText('together.title', { count: exceptions.length, policy })}>
      <p>
        <Link to="/policies/$id" params={{ id: policyId }}>
          {policy}
        </Link>{' '}
        {level !== null && <LevelBadge level={VIOLATION_LEVELS[level]} />}
      </p>
      {failed !== undefined && <Failure error={failed.error} onRetry={seen.read} />}
      <ul className={styles['requests']} aria-label={pageText('queue')}>
        {rows.map((row) => (
          <Item key={row.exception.id} row={row} isChosen={chosen.includes(row)} onChoose={choose} />
        ))}
      </ul>
      {rows.some(({ version }) => version.isChanged) && (
        <div className={styles['warning']} role="alert">
          <p>{pageText('changed')}</p>
          <p>
            <button type="button" className="button" onClick={seen.lookAgain}>
              {pageText('changed.look')}
            </button>
          </p>
        </div>
      )}
      <Decision
        obstacle={null}
        approveLabel={pageText('approve.count', { count: chosen.length })}
        refuseLabel={pageText('refuse.count', { count: chosen.length })}
        canApprove={chosen.length > 0}
        canRefuse={chosen.length > 0}
        approve={approve}
        refuse={refuse}
        onDone={onDone}
      >
        <p>{pageText('together.text')}</p>
      </Decision>
    </Card>
  );
}

const UNREAD: SeenException = { seen: null, isChanged: false, error: null };

interface Row {
  readonly exception: NamedException;
  readonly version: SeenException;
  readonly obstacle: 'own' | 'subject' | null;
  /** Why the service has refused the decision on it. */
  readonly refusal: string | null;
}

interface ItemProps {
  readonly row: Row;
  readonly isChosen: boolean;
  readonly onChoose: (id: string, isChosen: boolean) => void;
}

function Item({ row: { exception, version, obstacle, refusal }, isChosen, onChoose }: ItemProps) {
  const { day } = useSpeech();
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const { id, person, requester, justification, start, end } = exception;
  const terms = version.seen?.value.terms ?? null;
  const field = useId();
  const note = obstacle === null ? (version.isChanged ? 'changed' : null) : obstacle;
  return (
    <li>
      <input
        id={field}
        type="checkbox"
        checked={isChosen}
        disabled={obstacle !== null || version.seen === null || version.isChanged}
        onChange={({ target }) => onChoose(id, target.checked)}
      />
      <div>
        <label htmlFor={field} className={styles['person']} dir="auto">
          {person}
        </label>
        <p className={styles['muted']}>
          {day(start)} – {day(end)}
        </p>
        {note !== null && <p className={styles['failed']}>{pageText(`short.${note}`)}</p>}
        {refusal !== null && (
          <p className={styles['failed']} dir="auto">
            {refusal}
          </p>
        )}
      </div>
      <div className={styles['terms']}>{terms !== null && <Terms terms={terms} />}</div>
      <div dir="auto">
        <p>{justification}</p>
        <p className={styles['muted']}>{pageText('asked-by', { requester })}</p>
      </div>
    </li>
  );
}
