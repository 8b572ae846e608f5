import type { AuditEvent } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { missingRight } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { HISTORY_TEXTS } from './texts.ts';

export interface HistoryLinkProps {
  readonly id: string;
  /** The kind of the resource. Left out for a person, since entries of several kinds name one. */
  readonly type?: AuditEvent['resource']['type'];
  /** The name of the resource. Screen readers read it as part of the link; it is not shown. */
  readonly of?: string;
}

/** Whether the session may read what the audit log tells. */
export function useMayReadHistory(): boolean {
  const me = useQuery(sessionQuery(useApi()));
  return me.data !== undefined && missingRight('audit-log', me.data) === null;
}

/** The link to the entries of the audit log about a resource; nothing for a session that may not read them. */
export function HistoryLink({ id, type, of }: HistoryLinkProps) {
  const pageText = usePageTexts(HISTORY_TEXTS);
  return (
    useMayReadHistory() && (
      <Link to="/audit-log" search={{ resource: id, ...(type !== undefined && { type }) }} className="button">
        {pageText('history')}
        {of !== undefined && <span className="away"> {of}</span>}
      </Link>
    )
  );
}
