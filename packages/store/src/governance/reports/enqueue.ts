import type { SodReportRequester } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { createPauses } from '../../engine/concurrency/pauses.ts';
import type { Database } from '../../engine/database.ts';
import { insertMissing } from '../../query/insert.ts';
import { originToColumn } from '../../query/origin.ts';
import { countRows } from '../../query/total.ts';
import type { SodReportRequestRow, SodReportRow, Tables } from '../../schema/tables.ts';
import { requesterToColumn, requestToColumn } from './codec.ts';
import type { NewReport } from './report.ts';

// Characters of one part. The event loop may turn between two parts.
const PART_LENGTH = 128 * 1024;

/** Stores a report and its request completely or not at all. */
export function enqueueReport(
  database: Database,
  report: NewReport,
  openMax: number,
): Promise<'stored' | 'backlogFull'> {
  const { tenant, reportId } = report;
  return database.writeAlone({ tenant, changes: 'reports' }, async (trx) => {
    const open = await countRows(
      trx.selectFrom('sod_report').where('tenant', '=', tenant).where('completed', 'is', null),
    );
    if (open >= openMax) return 'backlogFull';
    await trx
      .insertInto('sod_report')
      .values(reportToRow(report, await readRequester(trx, report)))
      .execute();
    const pause = createPauses();
    for (const [part, content] of partsOf(report).entries()) {
      const row: SodReportRequestRow = { tenant, report_id: reportId, part, content };
      await insertMissing(trx, 'sod_report_request', [row]);
      await pause();
    }
    return 'stored';
  });
}

async function readRequester(
  trx: Transaction<Tables>,
  { tenant, requestedBy }: NewReport,
): Promise<SodReportRequester> {
  const identity = await trx
    .selectFrom('identity')
    .select('display_name')
    .where('tenant', '=', tenant)
    .where('id', '=', requestedBy.identityId ?? '')
    .executeTakeFirst();
  return { ...requestedBy, displayName: identity?.display_name ?? null };
}

const reportToRow = (
  { tenant, reportId, kind, created, blastRadius, at, fixPlan = null, question, origin }: NewReport,
  requester: SodReportRequester,
): SodReportRow => ({
  tenant,
  report_id: reportId,
  kind,
  created,
  state: 'PENDING',
  attempts: 0,
  fence: 0,
  claimable_at_ms: 0,
  progress: 0,
  request: requestToColumn({ blastRadius, at, fixPlan }),
  requested_by: requesterToColumn(requester),
  question: question === null ? null : JSON.stringify(question),
  origin: originToColumn(origin),
  completed: null,
  policy_set_version: null,
  as_of: null,
  message: null,
  identities: 0,
  new_count: 0,
  same_count: 0,
  gone_count: 0,
  excepted_count: 0,
  fix_plan: null,
});

function partsOf({ dryRun }: NewReport): readonly string[] {
  if (dryRun === null) return [];
  const parts: string[] = [];
  let part = '';
  for (const what of ['add', 'change', 'remove'] as const) {
    for (const item of dryRun[what]) {
      part += `${part === '' ? '[' : ','}${JSON.stringify([what, item])}`;
      if (part.length < PART_LENGTH) continue;
      parts.push(`${part}]`);
      part = '';
    }
  }
  if (part !== '') parts.push(`${part}]`);
  return parts;
}
