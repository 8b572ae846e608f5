import { sql, type Transaction } from 'kysely';
import { insertRows } from '../../query/insert.ts';
import { isOneOf } from '../../query/one-of.ts';
import type { SodViolationRow, Tables } from '../../schema/tables.ts';
import type { KnownPolicy } from './claim.ts';

/** How the present violations of a policy or a level change. */
interface Change {
  open: number;
  mitigated: number;
}

interface PolicyChange extends Change {
  readonly name: string;
  readonly levelRank: number;
  /** The first of its new violations; null for none. */
  first: { readonly created: string; readonly id: string } | null;
  /** Whether violations have ended, so that the oldest one may be another. */
  hasEnded: boolean;
}

interface DayChange {
  opened: number;
  ended: number;
  /** By rank. */
  readonly levels: Map<number, Change>;
}

/** How a round, or a part of it, changes the counts of a register. */
export interface RegisterCounts {
  readonly policies: Map<string, PolicyChange>;
  /** By UTC day. */
  readonly days: Map<string, DayChange>;
}

/** A present violation as the counts know it. */
export interface Counted {
  readonly policyId: string;
  readonly policyName: string;
  readonly levelRank: number;
  readonly isMitigated: boolean;
}

export const createCounts = (): RegisterCounts => ({ policies: new Map(), days: new Map() });

const dayOf = ({ days }: RegisterCounts, at: string): DayChange => {
  const day = at.slice(0, 10);
  const known = days.get(day) ?? { opened: 0, ended: 0, levels: new Map() };
  days.set(day, known);
  return known;
};

function add(
  counts: RegisterCounts,
  { policyId, policyName, levelRank, isMitigated }: Counted,
  { at, more }: { readonly at: string; readonly more: 1 | -1 },
): PolicyChange {
  const policy = counts.policies.get(policyId) ?? {
    open: 0,
    mitigated: 0,
    name: policyName,
    levelRank,
    first: null,
    hasEnded: false,
  };
  counts.policies.set(policyId, policy);
  const { levels } = dayOf(counts, at);
  const level = levels.get(levelRank) ?? { open: 0, mitigated: 0 };
  levels.set(levelRank, level);
  const key = isMitigated ? 'mitigated' : 'open';
  level[key] += more;
  policy[key] += more;
  return policy;
}

/** Counts a violation that began. */
export function countOpened(counts: RegisterCounts, counted: Counted, { created, id }: CreatedViolation): void {
  const policy = add(counts, counted, { at: created, more: 1 });
  policy.first = earlier(policy.first, { created, id });
  dayOf(counts, created).opened += 1;
}

type CreatedViolation = Pick<SodViolationRow, 'created' | 'id'>;

/** Counts a violation that changed. */
export function countChanged(
  counts: RegisterCounts,
  { before, after }: { readonly before: Counted; readonly after: Counted },
  at: string,
): void {
  // The policy has the name of the violation as it is now.
  add(counts, after, { at, more: 1 });
  add(counts, before, { at, more: -1 });
}

/** Counts a violation that ended. */
export function countEnded(counts: RegisterCounts, counted: Counted, at: string): void {
  add(counts, counted, { at, more: -1 }).hasEnded = true;
  dayOf(counts, at).ended += 1;
}

/** Takes back that a violation began. */
export function countTakenBack(counts: RegisterCounts, counted: Counted, created: string): void {
  add(counts, counted, { at: created, more: -1 }).hasEnded = true;
  dayOf(counts, created).opened -= 1;
}

function earlier(one: CreatedViolation | null, other: CreatedViolation | null): CreatedViolation | null {
  if (one === null || other === null) return one ?? other;
  return other.created < one.created || (other.created === one.created && other.id < one.id) ? other : one;
}

/** Adds the counts of a later part. */
export function addCounts(counts: RegisterCounts, { policies, days }: RegisterCounts): void {
  for (const [policyId, more] of policies) {
    const { open = 0, mitigated = 0, first = null, hasEnded = false } = counts.policies.get(policyId) ?? {};
    counts.policies.set(policyId, {
      ...more,
      open: open + more.open,
      mitigated: mitigated + more.mitigated,
      first: earlier(first, more.first),
      hasEnded: hasEnded || more.hasEnded,
    });
  }
  for (const [at, { opened, ended, levels }] of days) {
    const day = dayOf(counts, at);
    day.opened += opened;
    day.ended += ended;
    for (const [rank, more] of levels) {
      const level = day.levels.get(rank) ?? { open: 0, mitigated: 0 };
      day.levels.set(rank, { open: level.open + more.open, mitigated: level.mitigated + more.mitigated });
    }
  }
}

/** Counts as JSON. */
export const countsToJson = ({ policies, days }: RegisterCounts): string =>
  JSON.stringify({
    policies: [...policies],
    days: [...days].map(([day, at]) => [day, { ...at, levels: [...at.levels] }]),
  });

export function countsOfJson(text: string): RegisterCounts {
  const { policies, days }: StoredCounts = JSON.parse(text);
  return {
    policies: new Map(policies),
    days: new Map(days.map(([day, at]) => [day, { ...at, levels: new Map(at.levels) }])),
  };
}

interface StoredCounts {
  readonly policies: readonly (readonly [string, PolicyChange])[];
  readonly days: readonly (readonly [
    string,
    Omit<DayChange, 'levels'> & { readonly levels: readonly (readonly [number, Change])[] },
  ])[];
}

/** The policies of a register that a round has changed. */
export interface ChangedPolicies {
  readonly policies: readonly KnownPolicy[];
  readonly gone: readonly string[];
}

interface Stored {
  readonly counts: RegisterCounts;
  readonly changed: ChangedPolicies;
}

/** Stores changed policies and counts, in the transaction that shows the violations to readers. */
export async function storeCounts(trx: Transaction<Tables>, tenant: string, stored: Stored): Promise<void> {
  const { counts, changed } = stored;
  await storePolicies(trx, tenant, stored);
  await moveOldest(trx, tenant, counts);
  // The present violations at the end of a day are those of all days up to it.
  for (const [day, change] of [...counts.days].sort(([one], [other]) => (one < other ? -1 : 1))) {
    await countLevels(trx, tenant, change);
    await countDay(trx, tenant, { day, ...change });
  }
  if (changed.gone.length > 0) await forgetPolicies(trx, tenant, changed.gone);
}

/** The terms of a policy that no round has read yet: the row before keeps its own. */
const UNREAD = '?';

async function storePolicies(trx: Transaction<Tables>, tenant: string, { counts, changed }: Stored): Promise<void> {
  const read = new Map(changed.policies.map((policy) => [policy.policyId, policy]));
  const isCounted = ({ open, mitigated, first }: PolicyChange) => open !== 0 || mitigated !== 0 || first !== null;
  const counted = new Map([...counts.policies].filter(([, change]) => isCounted(change)));
  const rows = [...new Set([...read.keys(), ...counted.keys()])].map((policyId) => {
    const { open = 0, mitigated = 0, first = null, name = '', levelRank = 0 } = counted.get(policyId) ?? {};
    const policy = read.get(policyId) ?? { name, levelRank, terms: UNREAD };
    return {
      tenant,
      policy_id: policyId,
      name: policy.name,
      level_rank: policy.levelRank,
      terms: policy.terms,
      open,
      mitigated,
      oldest: first?.created ?? null,
      oldest_id: first?.id ?? null,
    };
  });
  await insertRows(trx, { table: 'register_policy', onConflict: () => ADD_TO_POLICY }, rows);
}

const IS_OLDER = `(register_policy.oldest is null
  or (excluded.oldest, excluded.oldest_id) < (register_policy.oldest, register_policy.oldest_id))`;
const unlessUnread = (column: string) =>
  `${column} = case when excluded.terms = '${UNREAD}' then register_policy.${column} else excluded.${column} end`;
const ADD_TO_POLICY = sql.raw(`on conflict (tenant, policy_id) do update set
  ${['name', 'level_rank', 'terms'].map(unlessUnread).join(', ')},
  open = register_policy.open + excluded.open, mitigated = register_policy.mitigated + excluded.mitigated,
  oldest = case when ${IS_OLDER} then excluded.oldest else register_policy.oldest end,
  oldest_id = case when ${IS_OLDER} then excluded.oldest_id else register_policy.oldest_id end`);

// Keeps statements well below the limit of parameters.
const IDS_AT_ONCE = 500;

/** Finds the oldest violation of each policy whose oldest one has ended. */
async function moveOldest(trx: Transaction<Tables>, tenant: string, { policies }: RegisterCounts): Promise<void> {
  const ending = [...policies].flatMap(([policyId, { hasEnded }]) => (hasEnded ? policyId : []));
  for (let from = 0; from < ending.length; from += IDS_AT_ONCE)
    await moveOldestOf(trx, tenant, ending.slice(from, from + IDS_AT_ONCE));
}

async function moveOldestOf(trx: Transaction<Tables>, tenant: string, policyIds: readonly string[]): Promise<void> {
  const stored = await trx
    .selectFrom('register_policy')
    .select(['policy_id', 'oldest', 'oldest_id', 'open', 'mitigated'])
    .where('tenant', '=', tenant)
    .where(isOneOf(trx, 'policy_id', policyIds))
    .execute();
  const ids = stored.flatMap(({ oldest_id }) => oldest_id ?? []);
  const present = ids.length === 0 ? [] : await presentOf(trx, tenant, ids);
  for (const { policy_id: policyId, oldest, oldest_id: oldestId, open, mitigated } of stored) {
    if (oldest === null || oldestId === null || present.includes(oldestId)) continue;
    const next = open + mitigated === 0 ? null : await nextPresent(trx, tenant, { policyId, oldest, oldestId });
    await trx
      .updateTable('register_policy')
      .set({ oldest: next?.created ?? null, oldest_id: next?.id ?? null })
      .where('tenant', '=', tenant)
      .where('policy_id', '=', policyId)
      .execute();
  }
}

async function presentOf(trx: Transaction<Tables>, tenant: string, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await trx
    .selectFrom('sod_violation')
    .select('id')
    .where('tenant', '=', tenant)
    .where(isOneOf(trx, 'id', ids))
    .where('closed', 'is', null)
    .where('until_round', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

interface Oldest {
  readonly policyId: string;
  readonly oldest: string;
  readonly oldestId: string;
}

/** Only forwards, so that each violation that has ended is passed once. */
async function nextPresent(
  trx: Transaction<Tables>,
  tenant: string,
  { policyId, oldest, oldestId }: Oldest,
): Promise<CreatedViolation | null> {
  // The functions keep the planner from an index that would have to be sorted.
  const { rows } = await sql<CreatedViolation>`
    select created, id from sod_violation
    where tenant = ${tenant} and policy_id = ${policyId} and (created, id) > (${oldest}, ${oldestId})
      and coalesce(closed, '') = '' and coalesce(until_round, 0) = 0 order by created, id limit 1`.execute(trx);
  return rows[0] ?? null;
}

async function forgetPolicies(trx: Transaction<Tables>, tenant: string, gone: readonly string[]): Promise<void> {
  for (let from = 0; from < gone.length; from += IDS_AT_ONCE)
    await trx
      .deleteFrom('register_policy')
      .where('tenant', '=', tenant)
      .where(isOneOf(trx, 'policy_id', gone.slice(from, from + IDS_AT_ONCE)))
      .where('open', '=', 0)
      .where('mitigated', '=', 0)
      .execute();
}

async function countLevels(trx: Transaction<Tables>, tenant: string, { levels }: DayChange): Promise<void> {
  const rows = [...levels].flatMap(([levelRank, { open, mitigated }]) =>
    open === 0 && mitigated === 0 ? [] : { tenant, level_rank: levelRank, open, mitigated },
  );
  const onConflict = () => sql`on conflict (tenant, level_rank) do update set
    open = register_level.open + excluded.open, mitigated = register_level.mitigated + excluded.mitigated`;
  await insertRows(trx, { table: 'register_level', onConflict }, rows);
}

async function countDay(
  trx: Transaction<Tables>,
  tenant: string,
  { day, opened, ended }: DayChange & { readonly day: string },
): Promise<void> {
  if (opened === 0 && ended === 0) return;
  const more = sql.lit(opened - ended);
  // A round that is long may be of an earlier day than the one before its end.
  const later = await trx
    .updateTable('register_day')
    .set({ open: sql`open + ${more}` })
    .where('tenant', '=', tenant)
    .where('day', '>', day)
    .executeTakeFirstOrThrow();
  const isLast = later.numUpdatedRows === 0n;
  const open = isLast ? await countOpen(trx, tenant) : (await openAt(trx, tenant, day)) + opened - ended;
  await sql`
    insert into register_day (tenant, day, opened, ended, open)
    values (${tenant}, ${day}, ${sql.lit(opened)}, ${sql.lit(ended)}, ${sql.lit(open)})
    on conflict (tenant, day) do update set opened = register_day.opened + excluded.opened,
      ended = register_day.ended + excluded.ended, open = excluded.open`.execute(trx);
}

async function countOpen(trx: Transaction<Tables>, tenant: string): Promise<number> {
  const { open } = await trx
    .selectFrom('register_level')
    .select(sql<number>`coalesce(sum(open + mitigated), 0)`.as('open'))
    .where('tenant', '=', tenant)
    .executeTakeFirstOrThrow();
  return Number(open);
}

/** How many were open at the end of a day, or of the last day before it that is known. */
async function openAt(trx: Transaction<Tables>, tenant: string, day: string): Promise<number> {
  const row = await trx
    .selectFrom('register_day')
    .select('open')
    .where('tenant', '=', tenant)
    .where('day', '<=', day)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.open ?? 0;
}
