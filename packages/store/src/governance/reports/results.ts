import type { DryRunRequest, SodPolicy } from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { insertMissing, insertRows } from '../../query/insert.ts';
import { appendEvents } from '../../record/events/append-events.ts';
import type { SodReportPolicyRow, Tables } from '../../schema/tables.ts';
import { countsToColumns, sidesToColumns, violationToRow } from './codec.ts';
import { completedEvent } from './completed-event.ts';
import { entryToRow } from './entries.ts';
import { removeExpired, removeResults, retireSurplus } from './removal.ts';
import type { PolicyResult, ReportClaim, ReportKey, ReportStore } from './report.ts';

type ReportResults = Pick<
  ReportStore,
  | 'readDryRun'
  | 'renew'
  | 'saveViolations'
  | 'savePolicies'
  | 'saveEntries'
  | 'complete'
  | 'removeResults'
  | 'removeExpired'
>;

/** The reads and writes of a worker for a claim. Each write first checks the fence, so that nothing is stored for an outdated claim. */
export function createReportResults(database: Database): ReportResults {
  const writeFor = (
    key: ReportClaim,
    columns: Parameters<typeof touch>[2],
    work: (trx: Transaction<Tables>) => Promise<void>,
  ) =>
    database.write({ tenant: key.tenant, changes: 'reports' }, async (trx) => {
      if (!(await touch(trx, key, columns))) return false;
      await work(trx);
      return true;
    });
  return {
    readDryRun: (key) => readDryRun(database, key),
    renew: (key, { progress, leaseEndMs, basis }) =>
      database.write({ tenant: key.tenant, changes: 'reports', isLease: true }, (trx) =>
        touch(trx, key, {
          progress,
          claimable_at_ms: leaseEndMs,
          ...(basis === null ? {} : { policy_set_version: basis.policySetVersion, as_of: basis.asOf }),
        }),
      ),
    saveViolations: (claim, violations, leaseEndMs) =>
      writeFor(claim, { claimable_at_ms: leaseEndMs }, (trx) =>
        insertRows(
          trx,
          { table: 'sod_report_violation', onConflict: () => sql``, repeated: [['tenant', 'report_id']] },
          violations.map((violation) => violationToRow(claim, violation)),
        ),
      ),
    savePolicies: (claim, policies, leaseEndMs) =>
      writeFor(claim, { claimable_at_ms: leaseEndMs }, (trx) =>
        insertMissing(
          trx,
          'sod_report_policy',
          policies.map((policy) => policyToRow(claim, policy)),
        ),
      ),
    saveEntries: (claim, entries, leaseEndMs) =>
      writeFor(claim, { claimable_at_ms: leaseEndMs }, (trx) =>
        insertRows(
          trx,
          { table: 'sod_report_entry', onConflict: () => sql``, repeated: [['tenant', 'report_id', 'list']] },
          entries.map((entry) => entryToRow(claim, entry)),
        ),
      ),
    complete: (key, { state, completed, totals, fixPlan = null, message }, keptMax) =>
      writeFor(
        key,
        {
          state,
          completed,
          message,
          // Ends the claim: a release with its fence no longer has an effect.
          fence: key.fence + 1,
          ...(totals === null && fixPlan === null ? {} : { progress: 1 }),
          ...(totals === null ? {} : { identities: totals.identities }),
          ...(fixPlan === null ? {} : { fix_plan: JSON.stringify(fixPlan) }),
          new_count: totals?.new ?? 0,
          same_count: totals?.same ?? 0,
          gone_count: totals?.gone ?? 0,
          excepted_count: totals?.excepted ?? 0,
        },
        async (trx) => {
          const { tenant, reportId } = key;
          await trx
            .deleteFrom('sod_report_request')
            .where('tenant', '=', tenant)
            .where('report_id', '=', reportId)
            .execute();
          const event = await completedEvent(trx, key, completed);
          await retireSurplus(trx, tenant, keptMax);
          await appendEvents(trx, tenant, [event]);
        },
      ),
    removeResults: (key) => removeResults(database, key),
    removeExpired: (completedBefore) => removeExpired(database, completedBefore),
  };
}

/** False when the report is done or the claim is outdated. */
async function touch(
  db: Kysely<Tables>,
  { tenant, reportId, fence }: ReportClaim,
  columns: Partial<Tables['sod_report']>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sod_report')
    .set(columns)
    .where('tenant', '=', tenant)
    .where('report_id', '=', reportId)
    .where('fence', '=', fence)
    .where('completed', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

const policyToRow = ({ tenant, reportId }: ReportKey, policy: PolicyResult): SodReportPolicyRow => ({
  tenant,
  report_id: reportId,
  number: policy.number,
  policy_id: policy.policyId,
  name: policy.name,
  level: policy.level,
  ...countsToColumns(policy),
  ...sidesToColumns(policy),
});

async function* readDryRun({ read }: Database, { tenant, reportId }: ReportKey): AsyncGenerator<DryRunRequest> {
  for (let part = 0; ; part++) {
    const row = await read((db) =>
      db
        .selectFrom('sod_report_request')
        .select('content')
        .where('tenant', '=', tenant)
        .where('report_id', '=', reportId)
        .where('part', '=', part)
        .executeTakeFirst(),
    );
    if (row === undefined) return;
    const items: readonly (['add' | 'change', SodPolicy] | ['remove', string])[] = JSON.parse(row.content);
    const policies = (given: 'add' | 'change') =>
      items.flatMap((item) => (item[0] === 'remove' || item[0] !== given ? [] : [item[1]]));
    yield {
      add: policies('add'),
      change: policies('change'),
      remove: items.flatMap((item) => (item[0] === 'remove' ? [item[1]] : [])),
    };
  }
}
