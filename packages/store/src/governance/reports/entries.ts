import type { FixStep, UnsolvableViolation } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import type { Reads } from '../../engine/database.ts';
import type { SodReportEntryRow, Tables } from '../../schema/tables.ts';
import type { FixPlanEntry, FixPlanLists, ReportKey } from './report.ts';

const PAGE_ROWS = 500;

/** The entries of one list of a fix plan, in pages. */
export async function* readEntries<L extends keyof FixPlanLists>(
  { read }: Reads,
  { tenant, reportId }: ReportKey,
  list: L,
): AsyncGenerator<readonly FixPlanLists[L][]> {
  for (let after = -1; ; ) {
    const rows = await read((db) =>
      db
        .selectFrom('sod_report_entry')
        .selectAll()
        .where('tenant', '=', tenant)
        .where('report_id', '=', reportId)
        .where('list', '=', list)
        .where('number', '>', after)
        .orderBy('number')
        .limit(PAGE_ROWS)
        .execute(),
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => SHOW[list](row));
    after = last.number;
  }
}

/** Reads one step of a fix plan within a transaction; null where it has no such step. */
export async function readStep(
  trx: Transaction<Tables>,
  { tenant, reportId }: ReportKey,
  step: number,
): Promise<FixStep | null> {
  const row = await trx
    .selectFrom('sod_report_entry')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('report_id', '=', reportId)
    .where('list', '=', 'STEP')
    .where('number', '=', step)
    .executeTakeFirst();
  return row === undefined ? null : SHOW.STEP(row);
}

/** Stores when a step of a fix plan was handed over. */
export async function markHandedOver(
  trx: Transaction<Tables>,
  report: ReportKey,
  step: FixStep & Required<Pick<FixStep, 'handedOver'>>,
): Promise<void> {
  const { content } = entryToRow(report, { list: 'STEP', number: step.step, shown: step });
  await trx
    .updateTable('sod_report_entry')
    .set({ content })
    .where('tenant', '=', report.tenant)
    .where('report_id', '=', report.reportId)
    .where('list', '=', 'STEP')
    .where('number', '=', step.step)
    .execute();
}

const SHOW: { readonly [L in keyof FixPlanLists]: (row: SodReportEntryRow) => FixPlanLists[L] } = {
  STEP: (row): FixStep => ({
    step: row.number,
    identityId: row.identity_id,
    displayName: row.display_name,
    ...JSON.parse(row.content),
  }),
  UNSOLVABLE: (row): UnsolvableViolation => ({
    identityId: row.identity_id,
    displayName: row.display_name,
    ...JSON.parse(row.content),
  }),
};

/** The row of an entry. */
export function entryToRow({ tenant, reportId }: ReportKey, entry: FixPlanEntry): SodReportEntryRow {
  const { list, number } = entry;
  const { identityId, displayName, ...shown } = entry.shown;
  const { step: _, ...content } = 'step' in shown ? shown : { step: 0, ...shown };
  return {
    tenant,
    report_id: reportId,
    list,
    number,
    identity_id: identityId,
    display_name: displayName,
    content: JSON.stringify(content),
  };
}
