import { type ReportLine, type ReportPolicy, SOD_REPORT_CHANGES } from '@access-admin/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Reads } from '../engine/database.ts';
import type { SodReportBlockRow, SodReportPolicyRow } from '../schema/tables.ts';
import { rowToReportPolicy, unpackReportLines } from './codec.ts';
import { hashIdentityId, mayContain } from './identity-filter.ts';
import type { ReportKey, ReportStore, ViolationQuery } from './report.ts';

type Violation = { readonly policy: ReportPolicy; readonly line: ReportLine };

// A block has some hundreds of lines at most.
const BLOCKS_AT_ONCE = 10;
// Blocks and policies are skipped by their counts and filters, which are small.
const ROWS_FIRST = 20;
const ROWS_MAX = 500;

/** Reads pages of violations, block by block. Without identities in the query, a page begins in the block that its offset leads to. */
export function listViolations(reads: Reads): {
  readonly listPage: ReportStore['listViolations'];
  readonly count: ReportStore['countViolations'];
} {
  return {
    listPage: async (key, query, { limit, offset }) => {
      const start = await findStart(reads, key, { query, offset });
      const found: Violation[] = [];
      if (start === null) return found;
      for await (const violation of violationsFrom(reads, key, { query, start }))
        if (found.push(violation) === limit) break;
      return found;
    },
    count: async (key, query) => {
      if (query.identityIds === null) return countByPolicies(reads, key, query);
      let count = 0;
      const start = { number: 0, skipped: 0 };
      for await (const _ of violationsFrom(reads, key, { query, start })) count += 1;
      return count;
    },
  };
}

/** The start of a page: the number of violations to skip from this policy on. */
interface Start {
  readonly number: number;
  readonly skipped: number;
}

async function findStart(
  reads: Reads,
  key: ReportKey,
  { query, offset }: { readonly query: ViolationQuery; readonly offset: number },
): Promise<Start | null> {
  if (offset === 0 || query.identityIds !== null) return { number: 0, skipped: offset };
  return selectsPolicies(query)
    ? walkToStart(reads, key, { query, offset })
    : searchStart(reads, key, { query, offset });
}

/** Whether the policies before one can have violations that the query leaves out, apart from their change. */
const selectsPolicies = ({ policyIds, levels, excepted }: ViolationQuery): boolean =>
  policyIds !== null || levels !== null || excepted !== null;

/** Adds up the counts of the policies that match. */
async function walkToStart(
  { read }: Reads,
  key: ReportKey,
  { query, offset }: { readonly query: ViolationQuery; readonly offset: number },
): Promise<Start | null> {
  let skipped = offset;
  for (let after = -1; ; ) {
    const { rows } = await read((db) =>
      sql<{ readonly number: number; readonly matches: number }>`
        select policy.number, ${matchesOf('policy', query)} as matches from sod_report_policy as policy
        where ${ownPolicies(key, query)} and policy.number > ${after} order by policy.number limit ${ROWS_MAX}`.execute(
        db,
      ),
    );
    for (const { number, matches } of rows) {
      if (matches > skipped) return { number, skipped };
      skipped -= matches;
      after = number;
    }
    if (rows.length < ROWS_MAX) return null;
  }
}

/** Searches among the counts of the violations before each policy. */
async function searchStart(
  reads: Reads,
  key: ReportKey,
  { query, offset }: { readonly query: ViolationQuery; readonly offset: number },
): Promise<Start | null> {
  const last = await policyAt(reads, key, null);
  let low = 0;
  let high = last?.number ?? -1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const policy = await policyAt(reads, key, middle);
    const before = policy === null ? 0 : countBefore(policy, query);
    if (policy === null || before > offset) high = middle - 1;
    else if (before + countIn(policy, query) <= offset) low = policy.number + 1;
    else return { number: policy.number, skipped: offset - before };
  }
  return null;
}

interface Reading {
  readonly query: ViolationQuery;
  /** The number of the first policy. */
  readonly from: number;
  /** The violations that are still to be skipped. */
  readonly rest: { skipped: number };
}

async function* violationsFrom(
  reads: Reads,
  key: ReportKey,
  { query, start }: { readonly query: ViolationQuery; readonly start: Start },
): AsyncGenerator<Violation> {
  const rest = { skipped: start.skipped };
  const identities = query.identityIds === null ? null : new Set(query.identityIds);
  let policy: ReportPolicy | null = null;
  let policyNumber = -1;
  for await (const candidates of candidateBlocks(reads, key, { query, rest, from: start.number })) {
    for (const { number, content } of await readContents(reads, key, candidates)) {
      if (policy === null || number !== policyNumber) {
        const row = await policyAt(reads, key, number);
        if (row === null) throw new Error(`The report ${key.reportId} lacks its policy ${number}.`);
        policy = rowToReportPolicy(row);
        policyNumber = number;
      }
      for (const line of unpackReportLines(content)) {
        if (query.change !== null && line.change !== query.change) continue;
        if (query.excepted !== null && (line.exception !== null) !== query.excepted) continue;
        if (identities !== null && !identities.has(line.identityId)) continue;
        if (rest.skipped > 0) rest.skipped -= 1;
        else yield { policy, line };
      }
    }
  }
}

/** The key of a block, and what can be told of it without its lines. */
type BlockHead = Pick<SodReportBlockRow, 'number' | 'run' | 'identity_filter'> & { readonly matches: number };

/** The blocks that may have violations of the query, some at a time. */
async function* candidateBlocks(
  reads: Reads,
  key: ReportKey,
  { query, from, rest }: Reading,
): AsyncGenerator<readonly BlockHead[]> {
  const hashes = query.identityIds?.map((id) => hashIdentityId(id)) ?? null;
  let isBegun = false;
  const isCandidate = ({ matches, identity_filter }: BlockHead): boolean => {
    if (hashes !== null) return hashes.some((hash) => mayContain(identity_filter, hash));
    isBegun ||= matches > rest.skipped;
    if (!isBegun) rest.skipped -= matches;
    return isBegun;
  };
  let after = { number: from, run: -1 };
  for (let rowsMax = ROWS_FIRST; ; rowsMax = Math.min(ROWS_MAX, rowsMax * 5)) {
    const heads = await readHeads(reads, key, { query, after, rowsMax });
    const candidates = heads.filter(isCandidate);
    for (let first = 0; first < candidates.length; first += BLOCKS_AT_ONCE)
      yield candidates.slice(first, first + BLOCKS_AT_ONCE);
    const last = heads.at(-1);
    if (last === undefined || heads.length < rowsMax) return;
    after = last;
  }
}

interface HeadRange {
  readonly query: ViolationQuery;
  readonly after: { readonly number: number; readonly run: number };
  readonly rowsMax: number;
}

/** Reads the heads of blocks with violations that match but for their identities. */
async function readHeads(
  { read }: Reads,
  key: ReportKey,
  { query, after, rowsMax }: HeadRange,
): Promise<readonly BlockHead[]> {
  const filter = query.identityIds === null ? sql`''` : sql`block.identity_filter`;
  const { rows } = await read((db) =>
    sql<BlockHead>`
      select block.number, block.run, ${filter} as identity_filter, ${matchesOf('block', query)} as matches
      from sod_report_policy as policy join sod_report_block as block
        on block.tenant = policy.tenant and block.report_id = policy.report_id and block.fence = policy.fence
        and block.number = policy.number
      where ${ownPolicies(key, query)} and policy.number >= ${after.number}
        and (policy.number > ${after.number} or block.run > ${after.run}) and ${matchesOf('block', query)} > 0
      order by policy.number, block.run limit ${rowsMax}`.execute(db),
  );
  return rows;
}

/** The contents of blocks, in their order. */
async function readContents({ read }: Reads, { tenant, reportId, fence }: ReportKey, heads: readonly BlockHead[]) {
  return read((db) =>
    db
      .selectFrom('sod_report_block')
      .select(['number', 'content'])
      .where('tenant', '=', tenant)
      .where('report_id', '=', reportId)
      .where('fence', '=', fence)
      .where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('number', 'run'),
          'in',
          heads.map(({ number, run }) => tuple(number, run)),
        ),
      )
      .orderBy('number')
      .orderBy('run')
      .execute(),
  );
}

/** The policies of a report that have violations of the query, but for its identities. */
function ownPolicies({ tenant, reportId, fence }: ReportKey, query: ViolationQuery): RawBuilder<boolean> {
  const { policyIds, levels } = query;
  const oneOf = (column: string, values: readonly string[] | null) =>
    values === null
      ? sql``
      : values.length === 0
        ? sql` and 1 = 0`
        : sql` and ${sql.ref(column)} in (${sql.join(values)})`;
  return sql`policy.tenant = ${tenant} and policy.report_id = ${reportId} and policy.fence = ${fence}
    and ${matchesOf('policy', query)} > 0${oneOf('policy.policy_id', policyIds)}${oneOf('policy.level', levels)}`;
}

/** The number of violations of a policy or a block that have the change of a query and are excepted, or not, as it says. */
function matchesOf(table: 'policy' | 'block', { change, excepted }: Pick<ViolationQuery, 'change' | 'excepted'>) {
  const counts = (change === null ? SOD_REPORT_CHANGES : [change]).map((each) => {
    const all = sql.ref(`${table}.${each}_count`);
    const covered = sql.ref(`${table}.${each}_excepted`);
    return excepted === null ? all : excepted ? covered : sql`${all} - ${covered}`;
  });
  return sql<number>`(${sql.join(counts, sql` + `)})`;
}

async function countByPolicies({ read }: Reads, key: ReportKey, query: ViolationQuery): Promise<number> {
  const { rows } = await read((db) =>
    sql<{ readonly count: number }>`
      select cast(coalesce(sum(${matchesOf('policy', query)}), 0) as bigint) as count from sod_report_policy as policy
      where ${ownPolicies(key, query)}`.execute(db),
  );
  return rows[0]?.count ?? 0;
}

/** The first policy with this number or a higher one; the last policy of all for null. */
function policyAt(
  { read }: Reads,
  { tenant, reportId, fence }: ReportKey,
  number: number | null,
): Promise<SodReportPolicyRow | null> {
  return read(async (db) => {
    const own = db
      .selectFrom('sod_report_policy')
      .selectAll()
      .where('tenant', '=', tenant)
      .where('report_id', '=', reportId)
      .where('fence', '=', fence);
    const found = number === null ? own.orderBy('number', 'desc') : own.where('number', '>=', number).orderBy('number');
    return (await found.limit(1).executeTakeFirst()) ?? null;
  });
}

type Counts = Pick<SodReportPolicyRow, 'new_count' | 'same_count' | 'gone_count'>;

const countIn = (row: Counts, { change }: Pick<ViolationQuery, 'change'>): number =>
  change === null ? row.new_count + row.same_count + row.gone_count : row[`${change}_count`];

const countBefore = (row: SodReportPolicyRow, { change }: Pick<ViolationQuery, 'change'>): number =>
  change === null ? row.new_before + row.same_before + row.gone_before : row[`${change}_before`];
