import { EVENT_DATA_BYTES_MAX, type NewEvent, newEvent, showSodReport } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import type { Reads } from '../../engine/database.ts';
import type { Tables } from '../../schema/tables.ts';
import { findReport, readPolicies } from './reads.ts';
import type { CountedPolicy, ReportKey } from './report.ts';

/** The event of a report that was ended in this transaction. It has the summary, because results are removed before events. */
export async function completedEvent(trx: Transaction<Tables>, key: ReportKey, time: string): Promise<NewEvent> {
  const reads: Reads = { read: (query) => query(trx) };
  const report = await findReport(reads, key.tenant, key.reportId);
  if (report === null) throw new Error(`The report ${key.reportId} is missing.`);
  const { totals, fixPlan } = report;
  const summary = totals === null ? fixPlan : { ...totals, byPolicy: await policiesOf(reads, key) };
  return newEvent('sod.report.completed', key.reportId, { time, data: { ...showSodReport(report), summary } });
}

/** All policies with violations, or enough of them to exceed the size of an event, which then is a reference. */
async function policiesOf(reads: Reads, key: ReportKey): Promise<readonly CountedPolicy[]> {
  const all: CountedPolicy[] = [];
  let length = 0;
  for await (const policies of readPolicies(reads, key)) {
    all.push(...policies);
    length += JSON.stringify(policies).length;
    if (length > EVENT_DATA_BYTES_MAX) break;
  }
  return all;
}
