import type { AuditEvent } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { auditEntryQuery } from '../service/audit/queries.ts';
import { Failure } from '../ui/failure.tsx';
import { useSecond } from '../ui/use-second.ts';
import { useActorName } from './actor-name.tsx';
import { Changes } from './changes.tsx';
import styles from './entry.module.css';
import { Sentence } from './sentence.tsx';
import { AUDIT_TEXTS } from './texts.ts';

export interface EntryProps {
  readonly sequence: number;
  readonly onShow: (sequence: number) => void;
}

/** One entry in full. */
export function Entry({ sequence, onShow }: EntryProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(AUDIT_TEXTS);
  const entry = useQuery(auditEntryQuery(useApi(), sequence));
  if (entry.isError) return <Failure error={entry.error} onRetry={entry.refetch} />;
  if (entry.data === undefined) return <p role="status">{text('state.loading')}</p>;
  return (
    <>
      {entry.data === null ? <p>{pageText('entry.none')}</p> : <Facts event={entry.data} />}
      <p className={styles['ways']}>
        <button type="button" className="button" disabled={sequence === 1} onClick={() => onShow(sequence - 1)}>
          {pageText('entry.before')}
        </button>
        <button type="button" className="button" disabled={entry.data === null} onClick={() => onShow(sequence + 1)}>
          {pageText('entry.after')}
        </button>
      </p>
    </>
  );
}

function Facts({ event }: { readonly event: AuditEvent }) {
  const pageText = usePageTexts(AUDIT_TEXTS);
  const second = useSecond();
  const actor = useActorName(event.actor);
  const { time, actor: by, resource, outcome, count } = event;
  return (
    <>
      <p className={styles['sentence']} dir="auto">
        <Sentence event={event} />
      </p>
      <dl className={styles['facts']}>
        <dt>{pageText('time')}</dt>
        <dd>{second(time)}</dd>
        <dt>{pageText('actor')}</dt>
        <dd dir="auto">
          <Link to="/audit-log" search={{ actor: by.identityId ?? by.clientId }}>
            {actor}
          </Link>
        </dd>
        <dt>{pageText('outcome')}</dt>
        <dd>
          {pageText(outcome)}
          {count !== undefined && ` (${pageText('refusals', { count })})`}
        </dd>
      </dl>
      {resource.id !== null && (
        <p className={styles['way']}>
          <Link to="/audit-log" search={{ type: resource.type, resource: resource.id }}>
            {pageText('history')}
          </Link>
        </p>
      )}
      <Changes event={event} />
      <Ids event={event} />
    </>
  );
}

/** What programs know the entry by. */
function Ids({ event }: { readonly event: AuditEvent }) {
  const pageText = usePageTexts(AUDIT_TEXTS);
  const { actor, operation, resource, trackingId, previousHash, hash } = event;
  const ids = [
    ['operation', operation],
    ['actor.client', actor.clientId],
    ['actor.person', actor.identityId],
    ['resource', `${resource.type} ${resource.id ?? ''}`.trim()],
    ['tracking', trackingId],
    ['hash', hash],
    ['hash.before', previousHash],
  ] as const;
  return (
    <details className={styles['ids']}>
      <summary>{pageText('ids')}</summary>
      <dl className={styles['facts']}>
        {ids.map(([name, id]) => (
          <Fragment key={name}>
            <dt>{pageText(name)}</dt>
            <dd>
              <code>{id ?? '–'}</code>
            </dd>
          </Fragment>
        ))}
      </dl>
    </details>
  );
}
