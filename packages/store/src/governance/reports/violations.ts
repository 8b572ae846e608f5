import { type ReportPolicy, SOD_REPORT_CHANGES } from '@access-admin/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Reads } from '../../engine/database.ts';
import { isOneOf } from '../../query/one-of.ts';
import { allOf } from '../../query/order.ts';
import type { Page } from '../../query/page.ts';
import type { Tables } from '../../schema/tables.ts';
import { rowToReportLine, rowToReportPolicy } from './codec.ts';
import type { LineCondition, ReportKey, ReportStore, ReportViolation } from './report.ts';

const POLICIES_AT_ONCE = 500;
// Of one statement: it looks for each identity among the violations of each policy.
const LOOK_UPS_MAX = 20_000;

interface PageOf {
  readonly conditions: readonly LineCondition[];
  readonly page: Page;
}

/** A page of violations with their policies. */
export async function listViolations(
  reads: Reads,
  key: ReportKey,
  request: PageOf,
): ReturnType<ReportStore['listViolations']> {
  const lines = await (isOfIdentities(request.conditions) ? searchPage : readPage)(reads, key, request);
  const policies = await readPolicies(reads, key, [...new Set(lines.map(({ number }) => number))]);
  return lines.map(({ number, ...line }) => {
    const policy = policies.get(number);
    if (policy === undefined) throw new Error(`The report ${key.reportId} lacks its policy ${number}.`);
    return { policy, line };
  });
}

export async function countViolations(
  reads: Reads,
  key: ReportKey,
  conditions: readonly LineCondition[],
): Promise<number> {
  let count = 0;
  for await (const policies of policyPages(reads, key, conditions)) {
    if (!isOfIdentities(conditions)) count = policies.reduce((sum, { matches }) => sum + matches, count);
    else
      count += await reads.read(async (db) => {
        const counting = violationsOf(db, key, { conditions, policies }).select((eb) =>
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
  { conditions, page: { limit, offset } }: PageOf,
): Promise<readonly ReportViolation[]> {
  const [first, ...others] = await findPolicies(reads, key, { conditions, page: { limit, offset } });
  const found: ReportViolation[] = [];
  if (first === undefined) return found;
  for (const policies of [[first], others.slice(0, -1), others.slice(-1)]) {
    if (policies.length === 0) continue;
    const page = { limit: limit - found.length, offset: found.length === 0 ? offset - first.before : 0 };
    found.push(...(await readLines(reads, key, { conditions, policies, page })));
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
  { conditions, page: { limit, offset } }: PageOf,
): Promise<readonly FoundPolicy[]> {
  const found: FoundPolicy[] = [];
  let before = 0;
  for await (const policies of policyPages(reads, key, conditions)) {
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
  { conditions, page: { limit, offset } }: PageOf,
): Promise<readonly ReportViolation[]> {
  const found: ReportViolation[] = [];
  let passed = 0;
  for await (const policies of policyPages(reads, key, conditions)) {
    const page = { limit: offset + limit - passed, offset: 0 };
    const lines = await readLines(reads, key, { conditions, policies, page });
    found.push(...lines.slice(Math.max(0, offset - passed)));
    passed += lines.length;
    if (found.length === limit) break;
  }
  return found;
}

/** The policies that have violations of a query, but for its identities, in order, some at a time. */
async function* policyPages({ read }: Reads, { tenant, reportId }: ReportKey, conditions: readonly LineCondition[]) {
  const [identities = 1] = conditions
    .flatMap(({ field, values }) => (field === 'identityId' ? Math.max(1, values.length) : []))
    .toSorted((one, other) => one - other);
  const atOnce = Math.min(POLICIES_AT_ONCE, Math.ceil(LOOK_UPS_MAX / identities));
  const matches = matchesOf(conditions);
  for (let after = -1; ; ) {
    const policies = await read((db) =>
      db
        .selectFrom('sod_report_policy')
        .select(['number', matches.as('matches')])
        .where('tenant', '=', tenant)
        .where('report_id', '=', reportId)
        .where('number', '>', after)
        .where(matches, '>', 0)
        .where(meets(db, conditions, { policyId: 'policy_id', level: 'level' }))
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
  readonly conditions: readonly LineCondition[];
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

const violationsOf = (db: Kysely<Tables>, { tenant, reportId }: ReportKey, { conditions, policies }: Selection) =>
  db
    .selectFrom('sod_report_violation')
    .where('tenant', '=', tenant)
    .where('report_id', '=', reportId)
    .where(
      'number',
      'in',
      policies.map(({ number }) => number),
    )
    .where(meets(db, conditions, { identityId: 'identity_id', change: 'change' }))
    .$if(!accepts(conditions, 'excepted', 'true'), (all) => all.where('exception_id', 'is', null))
    .$if(!accepts(conditions, 'excepted', 'false'), (all) => all.where('exception_id', 'is not', null));

const isOfIdentities = (conditions: readonly LineCondition[]): boolean =>
  conditions.some(({ field }) => field === 'identityId');

/** The conditions on fields that are columns, by the names of these. */
const meets = (
  db: Kysely<Tables>,
  conditions: readonly LineCondition[],
  columns: Readonly<Partial<Record<LineCondition['field'], string>>>,
): RawBuilder<boolean> =>
  allOf(
    conditions.flatMap(({ field, values }) => {
      const column = columns[field];
      return column === undefined ? [] : isOneOf(db, column, values);
    }),
  );

const accepts = (conditions: readonly LineCondition[], field: LineCondition['field'], value: string): boolean =>
  conditions.every((condition) => condition.field !== field || condition.values.includes(value));

/** The number of violations of a policy that have the changes of a query and are excepted, or not, as it says. */
function matchesOf(conditions: readonly LineCondition[]): RawBuilder<number> {
  const isCovered = accepts(conditions, 'excepted', 'true');
  const isOpen = accepts(conditions, 'excepted', 'false');
  const counts = SOD_REPORT_CHANGES.filter((change) => accepts(conditions, 'change', change)).flatMap((change) => {
    const covered = sql.ref(`${change}_excepted`);
    const open = sql`(${sql.ref(`${change}_count`)} - ${covered})`;
    return [...(isCovered ? [covered] : []), ...(isOpen ? [open] : [])];
  });
  return sql`(${sql.join([sql`0`, ...counts], sql` + `)})`;
}
