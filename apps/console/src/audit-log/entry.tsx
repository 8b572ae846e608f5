import type { AuditEvent } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { auditEntryQuery } from '../service/audit/queries.ts';
import { Failure } from '../ui/failure.tsx';
import { useSecond } from '../ui/use-second.ts';
import { ActorName } from './actor-name.tsx';
import { Changes } from './changes.tsx';
import styles from './entry.module.css';
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
  const { time, actor, operation, resource, outcome, count, trackingId, previousHash, hash } = event;
  return (
    <>
      <dl className={styles['facts']}>
        <dt>{pageText('time')}</dt>
        <dd>{second(time)}</dd>
        <dt>{pageText('actor')}</dt>
        <dd dir="auto">
          <Link to="/audit-log" search={{ actor: actor.identityId ?? actor.clientId }}>
            <ActorName actor={actor} />
          </Link>
        </dd>
        <dt>{pageText('operation')}</dt>
        <dd>
          <code>{operation}</code>
        </dd>
        <dt>{pageText('resource')}</dt>
        <dd>
          {pageText(`type.${resource.type}`)} <code>{resource.id}</code>
        </dd>
        <dt>{pageText('outcome')}</dt>
        <dd>
          {pageText(outcome)}
          {count !== undefined && ` (${pageText('refusals', { count })})`}
        </dd>
        <dt>{pageText('tracking')}</dt>
        <dd>
          <code>{trackingId}</code>
        </dd>
        <dt>{pageText('hash')}</dt>
        <dd>
          <code>{hash}</code>
        </dd>
        <dt>{pageText('hash.before')}</dt>
        <dd>
          <code>{previousHash ?? '–'}</code>
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
    </>
  );
}
