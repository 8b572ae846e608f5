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
import { ENTRY_TEXTS } from './entry-texts.ts';
import { Sentence } from './sentence.tsx';
import { AUDIT_TEXTS } from './texts.ts';

export interface EntryProps {
  readonly sequence: number;
  readonly onShow: (sequence: number) => void;
}

/** One entry in full. */
export function Entry({ sequence, onShow }: EntryProps) {
  const { text } = useSpeech();
  const entryText = usePageTexts(ENTRY_TEXTS);
  const entry = useQuery(auditEntryQuery(useApi(), sequence));
  if (entry.isError) return <Failure error={entry.error} onRetry={entry.refetch} />;
  if (entry.data === undefined) return <p role="status">{text('state.loading')}</p>;
  return (
    <>
      {entry.data === null ? <p>{entryText('entry.none')}</p> : <Facts event={entry.data} />}
      <p className={styles['ways']}>
        <button type="button" className="button" disabled={sequence === 1} onClick={() => onShow(sequence - 1)}>
          {entryText('entry.before')}
        </button>
        <button type="button" className="button" disabled={entry.data === null} onClick={() => onShow(sequence + 1)}>
          {entryText('entry.after')}
        </button>
      </p>
    </>
  );
}

function Facts({ event }: { readonly event: AuditEvent }) {
  const pageText = usePageTexts(AUDIT_TEXTS);
  const entryText = usePageTexts(ENTRY_TEXTS);
  const second = useSecond();
  const actor = useActorName(event.actor);
  const { time, actor: by, resource, outcome, count, erased } = event;
  return (
    <>
      <p className={styles['sentence']} dir="auto">
        <Sentence event={event} />
      </p>
      {erased !== undefined && (
        <p className={styles['muted']}>{entryText('erased', { count: erased.fields.length })}</p>
      )}
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
          {count !== undefined && ` (${entryText('refusals', { count })})`}
        </dd>
      </dl>
      {resource.id !== null && (
        <p className={styles['way']}>
          <Link to="/audit-log" search={{ type: resource.type, resource: resource.id }}>
            {entryText('history')}
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
  const entryText = usePageTexts(ENTRY_TEXTS);
  const { actor, operation, resource, trackingId, previousHash, hash, erased } = event;
  const ids = [
    [pageText('operation'), operation],
    [entryText('actor.client'), actor.clientId],
    [entryText('actor.person'), actor.identityId],
    [pageText('resource'), `${resource.type} ${resource.id ?? ''}`.trim()],
    [entryText('tracking'), trackingId],
    [entryText('hash'), hash],
    [entryText('hash.before'), previousHash],
    ...(erased === undefined
      ? []
      : [
          [entryText('erased.fields'), erased.fields.join(' ')],
          [entryText('erased.digest'), erased.digest],
        ]),
  ];
  return (
    <details className={styles['ids']}>
      <summary>{entryText('ids')}</summary>
      <dl className={styles['facts']}>
        {ids.map(([name, id]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{id ?? '–'}</code>
            </dd>
          </Fragment>
        ))}
      </dl>
    </details>
  );
}
