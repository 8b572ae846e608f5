import { type ReportPolicy, SOD_REPORT_CHANGES } from '@access-admin/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Reads } from '../engine/database.ts';
import { isOneOf } from '../query/one-of.ts';
import type { Page } from '../query/page.ts';
import type { Tables } from '../schema/tables.ts';
import { rowToReportLine, rowToReportPolicy } from './codec.ts';
import type { ReportKey, ReportStore, ReportViolation, ViolationQuery } from './report.ts';

const POLICIES_AT_ONCE = 500;
// Of one statement: it looks for each identity among the violations of each policy.
const LOOK_UPS_MAX = 20_000;

interface PageOf {
  readonly query: ViolationQuery;
  readonly page: Page;
}

/** A page of violations with their policies. */
export async function listViolations(
  reads: Reads,
  key: ReportKey,
  request: PageOf,
): ReturnType<ReportStore['listViolations']> {
  const lines = await (request.query.identityIds === null ? readPage : searchPage)(reads, key, request);
  const policies = await readPolicies(reads, key, [...new Set(lines.map(({ number }) => number))]);
  return lines.map(({ number, ...line }) => {
    const policy = policies.get(number);
    if (policy === undefined) throw new Error(`The report ${key.reportId} lacks its policy ${number}.`);
    return { policy, line };
  });
}

export async function countViolations(reads: Reads, key: ReportKey, query: ViolationQuery): Promise<number> {
  let count = 0;
  for await (const policies of policyPages(reads, key, query)) {
    if (query.identityIds === null) count = policies.reduce((sum, { matches }) => sum + matches, count);
    else
      count += await reads.read(async (db) => {
        const counting = violationsOf(db, key, { query, policies }).select((eb) =>
          eb.fn.countAll<number>().as('count'),
        );
        return (await counting.executeTakeFirstOrThrow()).count;
      });
  }
  return count;
}

/**
 * Finds a page by the counts of the policies. It reads the first policy, which may begin before the page, then the whole ones,
 * then the last, which may go on after it: no statement sorts more lines than a page has.
 */
async function readPage(
  reads: Reads,
  key: ReportKey,
  { query, page: { limit, offset } }: PageOf,
): Promise<readonly ReportViolation[]> {
  const [first, ...others] = await findPolicies(reads, key, { query, page: { limit, offset } });
  const found: ReportViolation[] = [];
  if (first === undefined) return found;
  for (const policies of [[first], others.slice(0, -1), others.slice(-1)]) {
    if (policies.length === 0) continue;
    const page = { limit: limit - found.length, offset: found.length === 0 ? offset - first.before : 0 };
    found.push(...(await readLines(reads, key, { query, policies, page })));
  }
  return found;
}

/** A policy, how many of its violations match a query, and how many of the policies before it. */
interface FoundPolicy {
  readonly number: number;
  readonly matches: number;
  readonly before: number;
}

/** The policies of a page. */
async function findPolicies(
  reads: Reads,
  key: ReportKey,
  { query, page: { limit, offset } }: PageOf,
): Promise<readonly FoundPolicy[]> {
  const found: FoundPolicy[] = [];
  let before = 0;
  for await (const policies of policyPages(reads, key, query)) {
    for (const policy of policies) {
      if (before + policy.matches > offset) found.push({ ...policy, before });
      before += policy.matches;
      if (before >= offset + limit) return found;
    }
  }
  return found;
}

/** Finds a page of violations of some identities, which are looked for among those of each policy. */
async function searchPage(
  reads: Reads,
  key: ReportKey,
  { query, page: { limit, offset } }: PageOf,
): Promise<readonly ReportViolation[]> {
  const found: ReportViolation[] = [];
  let passed = 0;
  for await (const policies of policyPages(reads, key, query)) {
    const page = { limit: offset + limit - passed, offset: 0 };
    const lines = await readLines(reads, key, { query, policies, page });
    found.push(...lines.slice(Math.max(0, offset - passed)));
    passed += lines.length;
    if (found.length === limit) break;
  }
  return found;
}

/** The policies that have violations of a query, but for its identities, in order, some at a time. */
async function* policyPages({ read }: Reads, { tenant, reportId }: ReportKey, query: ViolationQuery) {
  const { policyIds, levels, identityIds } = query;
  const atOnce = Math.min(POLICIES_AT_ONCE, Math.ceil(LOOK_UPS_MAX / Math.max(1, identityIds?.length ?? 0)));
  for (let after = -1; ; ) {
    const policies = await read((db) =>
      db
        .selectFrom('sod_report_policy')
        .select(['number', matchesOf(query).as('matches')])
        .where('tenant', '=', tenant)
        .where('report_id', '=', reportId)
        .where('number', '>', after)
        .where(matchesOf(query), '>', 0)
        .$if(policyIds !== null, (all) => all.where(isOneOf(db, 'policy_id', policyIds ?? [])))
        .$if(levels !== null, (all) => all.where(isOneOf(db, 'level', levels ?? [])))
        .orderBy('number')
        .limit(atOnce)
        .execute(),
    );
    const last = policies.at(-1);
    if (last === undefined) return;
    yield policies;
    after = last.number;
  }
}

interface Selection {
  readonly query: ViolationQuery;
  readonly policies: readonly Pick<FoundPolicy, 'number'>[];
}

/** Violations by the number of their policy, which is in order of its id, then by identity id. */
async function readLines(
  { read }: Reads,
  key: ReportKey,
  { page, ...selection }: Selection & { readonly page: Page },
): Promise<readonly ReportViolation[]> {
  const rows = await read((db) =>
    violationsOf(db, key, selection)
      .select(['number', 'identity_id', 'display_name', 'change', 'exception_id', 'exception_end', 'items'])
      .orderBy('number')
      .orderBy('identity_id')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
  );
  return rows.map((row) => ({ number: row.number, ...rowToReportLine(row) }));
}

async function readPolicies(
  { read }: Reads,
  { tenant, reportId }: ReportKey,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, ReportPolicy>> {
  if (numbers.length === 0) return new Map();
  const rows = await read((db) =>
    db
      .selectFrom('sod_report_policy')
      .select(['number', 'policy_id', 'name', 'level', 'sides_before', 'sides_after'])
      .where('tenant', '=', tenant)
      .where('report_id', '=', reportId)
      .where('number', 'in', numbers)
      .execute(),
  );
  return new Map(rows.map((row) => [row.number, rowToReportPolicy(row)]));
}

function violationsOf(db: Kysely<Tables>, { tenant, reportId }: ReportKey, { query, policies }: Selection) {
  const { change, excepted, identityIds } = query;
  return db
    .selectFrom('sod_report_violation')
    .where('tenant', '=', tenant)
    .where('report_id', '=', reportId)
    .where(
      'number',
      'in',
      policies.map(({ number }) => number),
    )
    .$if(identityIds !== null, (all) => all.where(isOneOf(db, 'identity_id', identityIds ?? [])))
    .$if(change !== null, (all) => all.where('change', '=', change ?? ''))
    .$if(excepted !== null, (all) => all.where('exception_id', excepted ? 'is not' : 'is', null));
}

/** The number of violations of a policy that have the change of a query and are excepted, or not, as it says. */
function matchesOf({ change, excepted }: ViolationQuery): RawBuilder<number> {
  const counts = (change === null ? SOD_REPORT_CHANGES : [change]).map((each) => {
    const all = sql.ref(`${each}_count`);
    const covered = sql.ref(`${each}_excepted`);
    return excepted === null ? all : excepted ? covered : sql`${all} - ${covered}`;
  });
  return sql`(${sql.join(counts, sql` + `)})`;
}
