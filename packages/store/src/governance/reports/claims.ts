import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { columnToOrigin } from '../../query/origin.ts';
import { createLeasedQueue } from '../../queue/queue.ts';
import type { SodReportRow } from '../../schema/tables.ts';
import { columnToReportKind, columnToRequest } from './codec.ts';
import type { ClaimedReport, ReportStore } from './report.ts';

/** The reports that are not done as work of workers, the oldest of a tenant first. */
export function createReportClaims(database: Database): Pick<ReportStore, 'claim' | 'release'> {
  const queue = createLeasedQueue(database, {
    name: 'sod_report',
    id: 'report_id',
    pending: () => sql<boolean>`sod_report.completed is null`,
    sharedPerAlone: 4,
    order: 'created, report_id',
    onClaim: sql`state = 'RUNNING', progress = 0, policy_set_version = null, as_of = null`,
    onRelease: sql`state = 'PENDING', progress = 0`,
    arisesFrom: ['any'],
  });
  return {
    claim: async ({ held = [], ...time }) => {
      const ofTenants = new Map(held.map((tenant) => [tenant, 1]));
      const [row] = await queue.claim({ ...time, limit: 1, tenantMax: 1, held: ofTenants });
      return row === undefined ? null : rowToClaim(row);
    },
    release: async ({ tenant, reportId, fence }, release) => {
      await queue.release([{ tenant, id: reportId, fence }], release);
    },
  };
}

const rowToClaim = (row: SodReportRow): ClaimedReport => ({
  tenant: row.tenant,
  reportId: row.report_id,
  fence: row.fence,
  kind: columnToReportKind(row.kind),
  created: row.created,
  origin: columnToOrigin(row.origin),
  ...columnToRequest(row.request),
  attempts: row.attempts,
});
