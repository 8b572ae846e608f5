import type { CurrentSession, Session } from '@access-admin/client';
import { NotFoundError } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { ConfirmButton } from '../forms/confirm-button.tsx';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { Card } from '../parts/card.tsx';
import { Failure } from '../parts/failure.tsx';
import { Mark } from '../parts/mark.tsx';
import { MissingRight } from '../parts/missing-right.tsx';
import { useApi } from '../service/api.tsx';
import type { PersonProps } from '../service/people/props.ts';
import { sessionsOfQuery } from '../service/people/queries.ts';
import { missingFor } from '../service/people/rights.ts';
import styles from './card.module.css';
import { WAY_IN_TEXTS } from './texts.ts';
import { useChange } from './use-change.ts';

/** Where a person is signed in. */
export function Sessions({ person, me }: PersonProps) {
  const pageText = usePageTexts(WAY_IN_TEXTS);
  const missing = missingFor('sessions', me, person.id);
  return (
    <Card title={pageText('sessions')}>
      {missing === null ? <List person={person} me={me} /> : <MissingRight needed={missing} />}
    </Card>
  );
}

/** The session of this window is the one of its identity that began at the same time. */
const isThisWindow = ({ identityId, authTime }: Session, me: CurrentSession): boolean =>
  identityId === me.identityId && authTime === me.authTime;

function List({ person, me }: PersonProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(WAY_IN_TEXTS);
  const api = useApi();
  const place = useRef<HTMLDivElement>(null);
  const change = useChange(place);
  const sessions = useQuery(sessionsOfQuery(api, person.id));
  if (sessions.isError) return <Failure error={sessions.error} onRetry={sessions.refetch} />;
  if (sessions.data === undefined) return <p>{text('state.loading')}</p>;
  const others = sessions.data.filter((session) => !isThisWindow(session, me));
  const end = (ended: readonly Session[]) =>
    change(Promise.all(ended.map(({ id }) => api.sessions.end(id).catch(ignoreEnded))));
  return (
    <div ref={place} tabIndex={-1} className={styles['stack']}>
      {sessions.data.length === 0 && <p className={styles['small']}>{pageText('sessions.none')}</p>}
      <ul className={styles['rows']}>
        {sessions.data.map((session) => (
          <One key={session.id} session={session} onEnd={isThisWindow(session, me) ? null : () => end([session])} />
        ))}
      </ul>
      {others.length > 1 && (
        <div>
          <ConfirmButton
            label={pageText('end-all', { count: others.length })}
            question={pageText('end-all.question', { count: others.length })}
            onConfirm={() => end(others)}
          >
            {pageText('end-all.text')}
          </ConfirmButton>
        </div>
      )}
    </div>
  );
}

/** A session that has ended meanwhile is what was asked for. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof NotFoundError)) throw error;
}

interface OneProps {
  readonly session: Session;
  /** Null for the session of this window. */
  readonly onEnd: (() => Promise<unknown>) | null;
}

function One({ session: { authTime, lastActive, address, factors, framed }, onEnd }: OneProps) {
  const { moment, list } = useSpeech();
  const pageText = usePageTexts(WAY_IN_TEXTS);
  const since = pageText('since', { time: moment(authTime) });
  return (
    <li>
      <span className={styles['what']}>
        <span>
          {since} {onEnd === null && <Mark tone="accent">{pageText('this')}</Mark>}{' '}
          {framed && <Mark>{pageText('framed')}</Mark>}
        </span>
        <span className={styles['muted']}>{pageText('used', { time: moment(lastActive) })}</span>
        <span className={styles['muted']}>
          {address === null ? pageText('address.unknown') : pageText('address', { address })}
        </span>
        <span className={styles['muted']}>
          {pageText('by', { factors: list(factors.map((factor) => pageText(`factor.${factor}`))) })}
        </span>
      </span>
      {onEnd !== null && (
        <ConfirmButton label={pageText('end')} of={since} question={pageText('end.question')} onConfirm={onEnd}>
          {pageText('end-all.text')}
        </ConfirmButton>
      )}
    </li>
  );
}
