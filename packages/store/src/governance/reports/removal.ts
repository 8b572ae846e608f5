import { sql, type Transaction } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { deleteSome } from '../../query/delete-some.ts';
import type { Tables } from '../../schema/tables.ts';
import type { ReportKey } from './report.ts';

// Other writes run between two removals.
const ROWS_AT_ONCE = 4_000;

/** Removes some results of a report; true when there may be more. */
export function removeResults(database: Database, { tenant, reportId }: ReportKey): Promise<boolean> {
  const own = sql<boolean>`tenant = ${tenant} and report_id = ${reportId}`;
  const results = [
    { table: 'sod_report_violation', key: ['number', 'identity_id'], own },
    { table: 'sod_report_policy', key: ['number'], own },
    { table: 'sod_report_entry', key: ['list', 'number'], own },
  ];
  return database.write({ tenant, changes: 'reports', isSweep: true }, async (trx) => {
    for (const rows of results) if ((await deleteSome(trx, rows, ROWS_AT_ONCE)) > 0) return true;
    return false;
  });
}

/** The state of a report that is hidden until its rows are removed. */
export const RETIRED = 'RETIRED';

/** Hides the completed reports of a tenant beyond its latest `keptMax`. */
export async function retireSurplus(trx: Transaction<Tables>, tenant: string, keptMax: number): Promise<void> {
  await sql`
    update sod_report set state = ${RETIRED} where tenant = ${tenant} and report_id in (
      select report_id from sod_report where tenant = ${tenant} and completed is not null and state <> ${RETIRED}
      order by completed desc, report_id limit ${RETIRED_AT_ONCE} offset ${keptMax}
    )`.execute(trx);
}

const RETIRED_AT_ONCE = 1_000;

/** Removes some rows of one expired or retired report; true when there may be more. */
export async function removeExpired(database: Database, completedBefore: string): Promise<boolean> {
  const report = await findExpired(database, completedBefore);
  if (report === null) return false;
  const { tenant, reportId, state } = report;
  if (state === RETIRED && (await removeResults(database, report))) return true;
  await database.write({ tenant, changes: 'reports', isSweep: true }, async (trx) => {
    const own = (table: 'sod_report_request' | 'sod_report') =>
      sql`${sql.table(table)} where tenant = ${tenant} and report_id = ${reportId}`;
    if (state === RETIRED) {
      await sql`delete from ${own('sod_report_request')}`.execute(trx);
      await sql`delete from ${own('sod_report')}`.execute(trx);
    } else
      await sql`update sod_report set state = ${RETIRED} where tenant = ${tenant} and report_id = ${reportId}`.execute(
        trx,
      );
  });
  return true;
}

async function findExpired(
  { read }: Database,
  completedBefore: string,
): Promise<(ReportKey & { readonly state: string }) | null> {
  const { rows } = await read((db) =>
    sql<ReportKey & { readonly state: string }>`
      select tenant, report_id as "reportId", state from sod_report
      where completed is not null and (completed < ${completedBefore} or state = ${RETIRED})
      order by completed limit 1`.execute(db),
  );
  return rows[0] ?? null;
}
