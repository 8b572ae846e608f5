import type { ReportLine, ReportPolicy, SodReportChange } from '@access-admin/domain';
import { sql } from 'kysely';
import type { Reads } from '../engine/database.ts';
import type { SodReportPolicyRow } from '../schema/tables.ts';
import { rowToReportPolicy, unpackReportLines } from './codec.ts';
import type { ReportKey, SodReportStore, ViolationQuery } from './report.ts';

type Violation = { readonly policy: ReportPolicy; readonly line: ReportLine };
type CountedRow = Omit<SodReportPolicyRow, 'tenant' | 'report_id' | 'fence'>;

// A block has some hundreds of lines at most.
const BLOCKS_AT_ONCE = 10;

/** Reads pages of violations, block by block, starting at the policy in which the page begins. */
export function listViolations(reads: Reads): {
  readonly listPage: SodReportStore['listViolations'];
  readonly count: SodReportStore['countViolations'];
} {
  return {
    listPage: async (key, query, { limit, offset }) => {
      const start = await findStart(reads, key, { query, offset });
      if (start === null) return [];
      const found: Violation[] = [];
      for await (const violation of violationsFrom(reads, key, { query, start })) {
        found.push(violation);
        if (found.length === limit) break;
      }
      return found;
    },
    count: async (key, { change, policyId }) => {
      const policy = policyId === null ? await lastPolicy(reads, key) : await policyById(reads, key, policyId);
      if (policy === null) return 0;
      return countIn(policy, change) + (policyId === null ? countBefore(policy, change) : 0);
    },
  };
}

/** The start of a page: the number of violations of this policy before it. */
interface Start {
  readonly policy: CountedRow;
  readonly skipped: number;
}

async function findStart(
  reads: Reads,
  key: ReportKey,
  { query: { change, policyId }, offset }: { readonly query: ViolationQuery; readonly offset: number },
): Promise<Start | null> {
  if (policyId !== null) {
    const policy = await policyById(reads, key, policyId);
    return policy === null ? null : { policy, skipped: offset };
  }
  const last = await lastPolicy(reads, key);
  let low = 0;
  let high = last?.number ?? -1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const policy = await policyFrom(reads, key, middle);
    if (policy === null || countBefore(policy, change) > offset) high = middle - 1;
    else if (countBefore(policy, change) + countIn(policy, change) <= offset) low = policy.number + 1;
    else return { policy, skipped: offset - countBefore(policy, change) };
  }
  return null;
}

async function* violationsFrom(
  reads: Reads,
  key: ReportKey,
  { query: { change, policyId }, start }: { readonly query: ViolationQuery; readonly start: Start },
): AsyncGenerator<Violation> {
  const lastNumber = policyId === null ? null : start.policy.number;
  const row = await skipBlocks(reads, key, { change, start });
  if (row === null) return;
  let { skipped } = row;
  let at = { number: start.policy.number, run: row.run - 1 };
  let policy = rowToReportPolicy(start.policy);
  let policyNumber = start.policy.number;
  for (;;) {
    const blocks = await readBlocks(reads, key, { after: at, change, lastNumber });
    for (const { number, run, content } of blocks) {
      if (number !== policyNumber) {
        const next = await policyFrom(reads, key, number);
        if (next === null) throw new Error(`The report ${key.reportId} lacks its policy ${number}.`);
        policy = rowToReportPolicy(next);
        policyNumber = number;
      }
      for (const line of unpackReportLines(content)) {
        if (change !== null && line.change !== change) continue;
        if (skipped > 0) skipped -= 1;
        else yield { policy, line };
      }
      at = { number, run };
    }
    if (blocks.length < BLOCKS_AT_ONCE) return;
  }
}

/** The first block that is not skipped completely. */
async function skipBlocks(
  { read }: Reads,
  { tenant, reportId, fence }: ReportKey,
  { change, start }: { readonly change: SodReportChange | null; readonly start: Start },
): Promise<{ readonly run: number; readonly skipped: number } | null> {
  const rows = await read((db) =>
    db
      .selectFrom('sod_report_block')
      .select(['run', 'new_count', 'same_count', 'gone_count'])
      .where('tenant', '=', tenant)
      .where('report_id', '=', reportId)
      .where('fence', '=', fence)
      .where('number', '=', start.policy.number)
      .orderBy('run')
      .execute(),
  );
  let { skipped } = start;
  for (const row of rows) {
    const count = countIn(row, change);
    if (count > skipped) return { run: row.run, skipped };
    skipped -= count;
  }
  return null;
}

interface BlockRange {
  readonly after: { readonly number: number; readonly run: number };
  readonly change: SodReportChange | null;
  /** Null for no limit. */
  readonly lastNumber: number | null;
}

function readBlocks(
  { read }: Reads,
  { tenant, reportId, fence }: ReportKey,
  { after, change, lastNumber }: BlockRange,
) {
  return read((db) => {
    let query = db
      .selectFrom('sod_report_block')
      .select(['number', 'run', 'content'])
      .where('tenant', '=', tenant)
      .where('report_id', '=', reportId)
      .where('fence', '=', fence)
      .where(sql<boolean>`(number, run) > (${after.number}, ${after.run})`);
    if (change !== null) query = query.where(`${change}_count`, '>', 0);
    if (lastNumber !== null) query = query.where('number', '<=', lastNumber);
    return query.orderBy('number').orderBy('run').limit(BLOCKS_AT_ONCE).execute();
  });
}

const policies = ({ read }: Reads, { tenant, reportId, fence }: ReportKey) => ({
  first: (condition: { readonly column: 'number' | 'policy_id'; readonly value: number | string } | null) =>
    read(async (db) => {
      const query = db
        .selectFrom('sod_report_policy')
        .selectAll()
        .where('tenant', '=', tenant)
        .where('report_id', '=', reportId)
        .where('fence', '=', fence);
      const found =
        condition === null
          ? query.orderBy('number', 'desc')
          : condition.column === 'number'
            ? query.where('number', '>=', Number(condition.value)).orderBy('number')
            : query.where('policy_id', '=', String(condition.value));
      return (await found.limit(1).executeTakeFirst()) ?? null;
    }),
});

const lastPolicy = (reads: Reads, key: ReportKey): Promise<CountedRow | null> => policies(reads, key).first(null);
const policyFrom = (reads: Reads, key: ReportKey, number: number): Promise<CountedRow | null> =>
  policies(reads, key).first({ column: 'number', value: number });
const policyById = (reads: Reads, key: ReportKey, policyId: string): Promise<CountedRow | null> =>
  policies(reads, key).first({ column: 'policy_id', value: policyId });

type Counts = Pick<CountedRow, 'new_count' | 'same_count' | 'gone_count'>;

const countIn = (row: Counts, change: SodReportChange | null): number =>
  change === null ? row.new_count + row.same_count + row.gone_count : row[`${change}_count`];

const countBefore = (row: CountedRow, change: SodReportChange | null): number =>
  change === null ? row.new_before + row.same_before + row.gone_before : row[`${change}_before`];
