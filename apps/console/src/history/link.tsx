import type { AuditEvent, Capability } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { sessionQuery } from '../service/queries.ts';
import { HISTORY_TEXTS } from './texts.ts';

export interface HistoryLinkProps {
  readonly id: string;
  /** Left out for a person, whom entries of several kinds tell of. */
  readonly type?: AuditEvent['resource']['type'];
}

const READERS: readonly Capability[] = ['ORG_ADMIN', 'das:ui-auditor'];

/** Whether the session may read what the audit log tells. */
export function useMayReadHistory(): boolean {
  const me = useQuery(sessionQuery(useApi()));
  return me.data?.capabilities.some((each) => READERS.includes(each)) ?? false;
}

/** The way to what the audit log tells of a resource, for those who may read it. */
export function HistoryLink({ id, type }: HistoryLinkProps) {
  const pageText = usePageTexts(HISTORY_TEXTS);
  return (
    useMayReadHistory() && (
      <Link to="/audit-log" search={{ resource: id, ...(type !== undefined && { type }) }} className="button">
        {pageText('history')}
      </Link>
    )
  );
}
