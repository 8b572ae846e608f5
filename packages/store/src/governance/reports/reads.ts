import type { SodPolicyLevel } from '@access-admin/domain';
import { type Kysely, sql } from 'kysely';
import type { Reads } from '../../engine/database.ts';
import { columnToPolicyLevel } from '../../policies/rulebook/policy-codec.ts';
import { type Backlog, toBacklog } from '../../query/backlog.ts';
import { compileFilter } from '../../query/filter.ts';
import { readColumns } from '../../query/model-tables.ts';
import type { Page } from '../../query/page.ts';
import { countRows } from '../../query/total.ts';
import type { SodReportRow, Tables } from '../../schema/tables.ts';
import { columnToReportKind, columnToReportState, columnToRequest, columnToRequester } from './codec.ts';
import { RETIRED } from './removal.ts';
import type { CountedPolicy, ReportCondition, ReportKey, StoredReport } from './report.ts';

const PAGE_ROWS = 200;

export async function findReport({ read }: Reads, tenant: string, reportId: string): Promise<StoredReport | null> {
  const row = await read((db) =>
    db
      .selectFrom('sod_report')
      .selectAll()
      .where('tenant', '=', tenant)
      .where('report_id', '=', reportId)
      .where('state', '<>', RETIRED)
      .executeTakeFirst(),
  );
  return row === undefined ? null : rowToReport(row);
}

/** Reports that begin in the same millisecond are in order of their ids. */
export async function listReports(
  { read }: Reads,
  tenant: string,
  { conditions, page: { limit, offset } }: { readonly conditions: readonly ReportCondition[]; readonly page: Page },
): Promise<readonly StoredReport[]> {
  const rows = await read((db) =>
    matching(db, tenant, conditions)
      .selectAll()
      .orderBy('created', 'desc')
      .orderBy('report_id')
      .limit(limit)
      .offset(offset)
      .execute(),
  );
  return rows.map(rowToReport);
}

export async function countReports(
  { read }: Reads,
  tenant: string,
  conditions: readonly ReportCondition[],
): Promise<number> {
  return read((db) => countRows(matching(db, tenant, conditions)));
}

const matching = (db: Kysely<Tables>, tenant: string, conditions: readonly ReportCondition[]) =>
  db
    .selectFrom('sod_report')
    .where('tenant', '=', tenant)
    .where('state', '<>', RETIRED)
    .where(compileFilter({ kind: 'kind', state: 'state' }, conditions));

function rowToReport(row: SodReportRow): StoredReport {
  const { new_count, same_count, gone_count, excepted_count, identities } = row;
  const { at } = columnToRequest(row.request);
  const totals = { identities, new: new_count, same: same_count, gone: gone_count, excepted: excepted_count };
  return {
    tenant: row.tenant,
    reportId: row.report_id,
    kind: columnToReportKind(row.kind),
    state: columnToReportState(row.state),
    progress: row.progress,
    created: row.created,
    requestedBy: columnToRequester(row.requested_by),
    question: row.question === null ? null : JSON.parse(row.question),
    completed: row.completed,
    policySetVersion: row.policy_set_version,
    asOf: row.as_of,
    ...(at === null ? {} : { at }),
    totals: row.state === 'SUCCESS' && row.fix_plan === null ? totals : null,
    fixPlan: row.fix_plan === null ? null : JSON.parse(row.fix_plan),
    message: row.message,
  };
}

export async function* readPolicies(
  { read }: Reads,
  { tenant, reportId }: ReportKey,
): AsyncGenerator<readonly CountedPolicy[]> {
  for (let after = -1; ; ) {
    const rows = await read((db) =>
      db
        .selectFrom('sod_report_policy')
        .select(['number', 'policy_id', 'name', 'level', 'new_count', 'same_count', 'gone_count'])
        .select((eb) =>
          sql<number>`${eb.ref('new_excepted')} + ${eb.ref('same_excepted')} + ${eb.ref('gone_excepted')}`.as(
            'excepted',
          ),
        )
        .where('tenant', '=', tenant)
        .where('report_id', '=', reportId)
        .where('number', '>', after)
        .orderBy('number')
        .limit(PAGE_ROWS)
        .execute(),
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => ({
      policyId: row.policy_id,
      name: row.name,
      level: columnToPolicyLevel(row.level),
      new: row.new_count,
      same: row.same_count,
      gone: row.gone_count,
      excepted: row.excepted,
    }));
    after = last.number;
  }
}

export async function presentPolicies(
  { read }: Reads,
  tenant: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SodPolicyLevel>> {
  const present = new Map<string, SodPolicyLevel>();
  await read(async (db) => {
    const columns = ['id', 'level'] as const;
    for await (const rows of readColumns(db, { table: 'sod_policy', tenant, by: 'id', columns }, new Set(ids)))
      for (const { id, level } of rows) present.set(id, columnToPolicyLevel(level));
  });
  return present;
}

export const measureBacklog = async ({ read }: Reads): Promise<Backlog> =>
  toBacklog(
    await read((db) =>
      db
        .selectFrom('sod_report')
        .select((eb) => [eb.fn.countAll<number>().as('depth'), eb.fn.min<string | null>('created').as('oldest')])
        .where('completed', 'is', null)
        .executeTakeFirstOrThrow(),
    ),
  );
