import type { BlastRadiusRequest, SodReportKind } from '@access-admin/domain';
import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { LEASE_MS_MAX, RETRY_DELAY_MS_MAX } from '../engine/lease.ts';
import type { ClaimedReport, SodReportStore } from './report.ts';

// Who is slower than others takes the next one.
const CANDIDATES = 10;

/** Takes reports and gives them back. A claim is an update that takes effect only if nobody else was faster. */
export function createReportClaims(database: Database): Pick<SodReportStore, 'claim' | 'release'> {
  return {
    claim: async ({ nowMs, leaseMs }) => {
      for (const candidate of await findCandidates(database, nowMs)) {
        const claimed = await take(database, candidate, { nowMs, leaseMs });
        if (claimed !== null) return claimed;
      }
      return null;
    },
    release: async ({ tenant, reportId, fence }, { availableAtMs, countsAsAttempt }) => {
      await database.write({ tenant, changes: 'reports' }, async (trx) => {
        // The fence moves too: who gave the report back cannot go on with it.
        await trx
          .updateTable('sod_report')
          .set((eb) => ({
            state: 'PENDING',
            progress: 0,
            claimable_at_ms: availableAtMs,
            fence: eb('fence', '+', 1),
            attempts: eb('attempts', '-', countsAsAttempt ? 0 : 1),
          }))
          .where('tenant', '=', tenant)
          .where('report_id', '=', reportId)
          .where('fence', '=', fence)
          .where('completed', 'is', null)
          .execute();
      });
    },
  };
}

interface Candidate {
  readonly tenant: string;
  readonly report_id: string;
  readonly fence: number;
}

/** A moment further off than any lease was set by a clock that was ahead. Tenants take turns: who was served longest ago comes first. */
async function findCandidates({ read }: Database, nowMs: number): Promise<readonly Candidate[]> {
  const farOffMs = nowMs + LEASE_MS_MAX + RETRY_DELAY_MS_MAX;
  const { rows } = await read((db) =>
    sql<Candidate>`
      select tenant, report_id, fence from sod_report as open_report
      where completed is null and (claimable_at_ms <= ${nowMs} or claimable_at_ms > ${farOffMs})
      order by (
        select max(claimed_at_ms) from sod_report where sod_report.tenant = open_report.tenant
      ), created, report_id
      limit ${CANDIDATES}`.execute(db),
  );
  return rows;
}

async function take(
  database: Database,
  { tenant, report_id, fence }: Candidate,
  { nowMs, leaseMs }: { readonly nowMs: number; readonly leaseMs: number },
): Promise<ClaimedReport | null> {
  const row = await database.write({ tenant, changes: 'reports' }, (trx) =>
    trx
      .updateTable('sod_report')
      .set((eb) => ({
        state: 'RUNNING',
        progress: 0,
        policy_set_version: null,
        as_of: null,
        claimable_at_ms: nowMs + leaseMs,
        claimed_at_ms: nowMs,
        fence: fence + 1,
        attempts: eb('attempts', '+', 1),
      }))
      .where('tenant', '=', tenant)
      .where('report_id', '=', report_id)
      .where('fence', '=', fence)
      .where('completed', 'is', null)
      .returning(['kind', 'request', 'attempts'])
      .executeTakeFirst(),
  );
  if (row === undefined) return null;
  return {
    tenant,
    reportId: report_id,
    fence: fence + 1,
    kind: row.kind as SodReportKind,
    blastRadius: row.request === null ? null : (JSON.parse(row.request) as BlastRadiusRequest),
    attempts: row.attempts,
  };
}
