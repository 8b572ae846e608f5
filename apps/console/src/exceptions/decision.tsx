import type { Capability, CurrentSession } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Actions } from '../action/actions.tsx';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { MissingRight } from '../parts/missing-right.tsx';
import { useApi } from '../service/api.tsx';
import type { NamedException } from '../service/exceptions/queries.ts';
import { sessionQuery } from '../service/queries.ts';
import styles from './page.module.css';
import { EXCEPTION_TEXTS } from './texts.ts';

/** The capabilities that decide on exceptions. */
const DECIDING: readonly Capability[] = ['ORG_ADMIN', 'POLICY_ADMIN'];
const CONCERNS = ['exceptions', 'violations'];

export interface DecisionProps {
  readonly exception: NamedException;
  readonly onDone: (said: string) => void;
}

/** Whether the session may approve a request, said in advance, and the buttons to approve or refuse it. */
export function Decision({ exception, onDone }: DecisionProps) {
  const { day } = useSpeech();
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const { sodExceptions } = useApi();
  const session = useQuery(sessionQuery(useApi()));
  if (session.data === undefined) return null;
  const note = noteOf(exception, session.data);
  const { id, person, policyName: policy } = exception;
  const end = day(exception.end);
  if (note === null) return <MissingRight needed={DECIDING} />;
  return (
    <>
      <p className={note === 'four-eyes' ? styles['note'] : styles['warning']}>{pageText(note)}</p>
      <Actions
        concerns={CONCERNS}
        onDone={onDone}
        actions={[
          {
            ...{ label: pageText('approve'), confirm: pageText('approve.confirm'), isMain: note === 'four-eyes' },
            children: <p dir="auto">{pageText('approve.text', { person, end })}</p>,
            run: async () => {
              await sodExceptions.approve(id);
              return pageText('approve.done', { person, policy, end });
            },
          },
          {
            ...{ label: pageText('refuse'), confirm: pageText('refuse.confirm') },
            children: <p dir="auto">{pageText('refuse.text')}</p>,
            run: async () => {
              await sodExceptions.revoke(id);
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
