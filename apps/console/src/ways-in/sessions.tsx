import type { CurrentSession, Session } from '@access-admin/client';
import { NotFoundError } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import type { PersonProps } from '../service/people/props.ts';
import { sessionsOfQuery } from '../service/people/queries.ts';
import { missingFor } from '../service/people/rights.ts';
import { Card } from '../ui/card.tsx';
import { ConfirmButton } from '../ui/forms/confirm-button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Mark } from '../ui/mark.tsx';
import styles from './card.module.css';
import { WAY_IN_TEXTS } from './texts.ts';
import { useChange } from './use-change.ts';

/** Where a person is signed in. */
export function Sessions({ person, me }: PersonProps) {
  const pageText = usePageTexts(WAY_IN_TEXTS);
  return (
    <Card title={pageText('sessions')} missing={missingFor('sessions', me, person.id)}>
      <Content person={person} me={me} />
    </Card>
  );
}

/** The session of this window is the one of its identity that began at the same time. */
const isThisWindow = ({ identityId, authTime }: Session, me: CurrentSession): boolean =>
  identityId === me.identityId && authTime === me.authTime;

function Content({ person, me }: PersonProps) {
  return (
    <Loaded query={useQuery(sessionsOfQuery(useApi(), person.id))}>
      {(sessions) => <List sessions={sessions} me={me} />}
    </Loaded>
  );
}

function List({ sessions, me }: { readonly sessions: readonly Session[]; readonly me: CurrentSession }) {
  const pageText = usePageTexts(WAY_IN_TEXTS);
  const api = useApi();
  const place = useRef<HTMLDivElement>(null);
  const change = useChange(place);
  const others = sessions.filter((session) => !isThisWindow(session, me));
  const end = (ended: readonly Session[]) =>
    change(Promise.all(ended.map(({ id }) => api.sessions.end(id).catch(ignoreEnded))));
  return (
    <div ref={place} tabIndex={-1} className={styles['stack']}>
      {sessions.length === 0 && <p className={styles['small']}>{pageText('sessions.none')}</p>}
      <ul className={styles['rows']}>
        {sessions.map((session) => (
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
