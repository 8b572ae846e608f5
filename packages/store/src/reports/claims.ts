import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { CLAIMED, isClaimable, LEASE_MS_MAX, RELEASED } from '../engine/lease.ts';
import { claimUnlessBlocked, compareText, createTenantSearch, type SearchScope } from '../engine/tenant-search.ts';
import { columnToOrigin } from '../query/origin.ts';
import type { SodReportRow } from '../schema/tables.ts';
import { columnToReportKind, columnToRequest } from './codec.ts';
import type { ClaimedReport, ReportStore } from './report.ts';

// When another worker takes the first candidate, this one tries the next.
const CANDIDATES = 10;

/** Claims and releases reports. A claim is an update that has an effect only while the fence is the one that was read. */
export function createReportClaims(database: Database): Pick<ReportStore, 'claim' | 'release'> {
  const findCandidates = createTenantSearch<number, Candidate>({
    changedTenants: database.changedTenants,
    read: (nowMs, scope) => readCandidates(database, nowMs, scope),
    compare: (one, other) =>
      one.served - other.served ||
      compareText(one.created, other.created) ||
      compareText(one.report_id, other.report_id),
  });
  return {
    claim: async ({ nowMs, leaseMs }) => {
      for (const candidate of await findCandidates(nowMs, { limit: CANDIDATES })) {
        const claimed = await claimUnlessBlocked(database, take(database, candidate, { nowMs, leaseMs }));
        if (claimed !== null) return claimed;
      }
      return null;
    },
    release: async ({ tenant, reportId, fence }, { availableAtMs, countsAsAttempt }) => {
      await database.write({ tenant, changes: 'reports' }, async (trx) => {
        await sql`
          update sod_report set state = 'PENDING', progress = 0, claimable_at_ms = ${availableAtMs},
            attempts = attempts - ${countsAsAttempt ? 0 : 1}, ${sql.raw(RELEASED)}
          where tenant = ${tenant} and report_id = ${reportId} and fence = ${fence} and completed is null`.execute(trx);
      });
    },
  };
}

/** Whether a worker holds the lease of the report `other`. */
const isUnderway = (nowMs: number) =>
  sql<boolean>`other.completed is null and other.state = 'RUNNING' and not ${isClaimable(nowMs, LEASE_MS_MAX)}`;

interface Candidate {
  readonly tenant: string;
  readonly report_id: string;
  readonly fence: number;
  readonly created: string;
  /** When a report of the tenant was claimed last. */
  readonly served: number;
}

/** Tenants take turns: the one whose last claim is the oldest comes first, and none has two reports under way. */
async function readCandidates({ read }: Database, nowMs: number, scope: SearchScope): Promise<readonly Candidate[]> {
  const ofTenant = 'tenant' in scope ? sql`tenant = ${scope.tenant} and` : sql``;
  // Citus takes a subquery of a select list for one of one shard only where it names the tenant itself.
  const tenant = 'tenant' in scope ? sql`${scope.tenant}` : sql`open_report.tenant`;
  const { rows } = await read((db) =>
    sql<Candidate>`
      select tenant, report_id, fence, created, (
        select max(claimed_at_ms) from sod_report where sod_report.tenant = ${tenant}
      ) as served from sod_report as open_report
      where ${ofTenant} completed is null and ${isClaimable(nowMs, LEASE_MS_MAX)} and not exists (
        select 1 from sod_report as other
        where other.tenant = open_report.tenant and other.report_id <> open_report.report_id and ${isUnderway(nowMs)}
      )
      order by served, created, report_id
      limit ${'limit' in scope ? scope.limit : CANDIDATES}`.execute(db),
  );
  return rows;
}

async function take(
  database: Database,
  { tenant, report_id, fence }: Candidate,
  { nowMs, leaseMs }: { readonly nowMs: number; readonly leaseMs: number },
): Promise<ClaimedReport | null> {
  const { rows } = await database.write({ tenant, changes: 'reports', isLease: true }, (trx) =>
    sql<Pick<SodReportRow, 'kind' | 'created' | 'request' | 'origin' | 'attempts' | 'fence'>>`
      update sod_report set state = 'RUNNING', progress = 0, policy_set_version = null, as_of = null,
        claimable_at_ms = ${nowMs + leaseMs}, claimed_at_ms = ${nowMs}, ${sql.raw(CLAIMED)}
      where tenant = ${tenant} and report_id = ${report_id} and fence = ${fence} and completed is null and not exists (
        select 1 from sod_report as other
        where other.tenant = ${tenant} and other.report_id <> ${report_id} and ${isUnderway(nowMs)}
      )
      returning kind, created, request, origin, attempts, fence`.execute(trx),
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    tenant,
    reportId: report_id,
    fence: row.fence,
    kind: columnToReportKind(row.kind),
    created: row.created,
    origin: columnToOrigin(row.origin),
    ...columnToRequest(row.request),
    attempts: row.attempts,
  };
}
