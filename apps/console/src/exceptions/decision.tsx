import { type Capability, type CurrentSession, PreconditionFailedError } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import type { NamedException } from '../service/exceptions/queries.ts';
import { sessionQuery } from '../service/queries.ts';
import { Actions } from '../ui/forms/actions.tsx';
import { MissingRight } from '../ui/missing-right.tsx';
import { CommentField, commentOf } from './comment.tsx';
import styles from './page.module.css';
import { EXCEPTION_TEXTS } from './texts.ts';

/** The capabilities that decide on exceptions. */
const DECIDING: readonly Capability[] = ['ORG_ADMIN', 'POLICY_ADMIN'];
const CONCERNS = ['exceptions', 'violations'];

export interface DecisionProps {
  readonly exception: NamedException;
  /** The version that is shown; null until it is. */
  readonly etag: string | null;
  /** Called when an approval was refused because there is a later version. */
  readonly onOutdated: () => void;
  readonly onDone: (said: string) => void;
}

/** Whether the session may approve a request, said in advance, and the buttons to approve or refuse it. */
export function Decision({ exception, etag, onOutdated, onDone }: DecisionProps) {
  const { day } = useSpeech();
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const { sodExceptions } = useApi();
  const session = useQuery(sessionQuery(useApi()));
  const [comment, setComment] = useState('');
  if (session.data === undefined) return null;
  const note = noteOf(exception, session.data);
  const { id, person, policyName: policy } = exception;
  const end = day(exception.end);
  if (note === null) return <MissingRight needed={DECIDING} />;
  const approve = async () => {
    try {
      await sodExceptions.approve(id, { ifMatch: etag ?? '', ...commentOf(comment) });
    } catch (error) {
      if (error instanceof PreconditionFailedError) onOutdated();
      throw error;
    }
  };
  return (
    <>
      <p className={note === 'four-eyes' ? styles['note'] : styles['warning']}>{pageText(note)}</p>
      <Actions
        concerns={CONCERNS}
        onDone={onDone}
        actions={[
          {
            label: pageText('approve'),
            confirm: pageText('approve.confirm'),
            isMain: note === 'four-eyes',
            canRun: etag !== null,
            children: (
              <>
                <p dir="auto">{pageText('approve.text', { person, end })}</p>
                <CommentField value={comment} onChange={setComment} />
              </>
            ),
            run: async () => {
              await approve();
              return pageText('approve.done', { person, policy, end });
            },
          },
          {
            label: pageText('refuse'),
            confirm: pageText('refuse.confirm'),
            children: (
              <>
                <p dir="auto">{pageText('refuse.text')}</p>
                <CommentField value={comment} onChange={setComment} />
              </>
            ),
            run: async () => {
              await sodExceptions.revoke(id, commentOf(comment));
              return pageText('refuse.done', { person });
            },
          },
        ]}
      />
    </>
  );
}

function noteOf({ requesterId, identityId }: NamedException, session: CurrentSession) {
  if (!mayDecide(session)) return null;
  if (requesterId === session.identityId) return 'own';
  return identityId === session.identityId ? 'subject' : 'four-eyes';
}

/** Whether the rights of a person allow to decide on exceptions. */
export const mayDecide = ({ capabilities }: Pick<CurrentSession, 'capabilities'>): boolean =>
  capabilities.some((each) => DECIDING.includes(each));
