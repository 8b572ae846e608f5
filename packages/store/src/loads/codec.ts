import { LOAD_OPEN_HOURS, type Load } from '@access-admin/domain';
import type { SourceLoadRow } from '../schema/tables.ts';

/** The state of a load that is hidden until its rows are removed. */
export const CANCELLED = 'CANCELLED';

/** Until when a load takes parts from now on, or can be confirmed, in milliseconds since 1970. */
export const openUntilMs = (now: string): number => Date.parse(now) + LOAD_OPEN_HOURS * 3_600_000;

export const rowToLoad = (row: SourceLoadRow): Load => ({
  loadId: row.load_id,
  source: row.source_id,
  mode: row.mode as Load['mode'],
  dryRun: row.dry_run === 1,
  state: row.state as Load['state'],
  reason: row.reason as Load['reason'],
  deletes: row.deletes,
  message: row.message,
  created: row.created,
  committed: row.committed,
  completed: row.completed,
  // What is to be removed is due at 0.
  expires: row.due_ms ? new Date(row.due_ms).toISOString() : null,
  summary: row.summary === null ? null : JSON.parse(row.summary),
});
