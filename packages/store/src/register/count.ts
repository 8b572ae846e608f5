import { sql, type Transaction } from 'kysely';
import { insertRows } from '../rows/insert.ts';
import type { SodViolationRow, Tables } from '../schema/tables.ts';
import type { RegisterBatch } from './maintenance.ts';

/** A batch with the rows of its new violations, the earliest first. */
interface CountedBatch extends RegisterBatch {
  readonly openedRows: readonly SodViolationRow[];
}

/** How a batch changes the counts of a policy or a level. */
interface Change {
  open: number;
  mitigated: number;
}

interface PolicyChange extends Change {
  readonly name: string;
  readonly levelRank: number;
  /** The first of its new violations; null for none. */
  firstId: string | null;
  readonly endedIds: Set<string>;
}

/** Changes the counts by a batch, in the transaction that stores it. */
export async function countBatch(trx: Transaction<Tables>, tenant: string, batch: CountedBatch): Promise<void> {
  const { policies, levels } = changesOf(batch);
  await countPolicies(trx, { tenant, at: batch.at }, policies);
  await moveOldest(trx, tenant, policies);
  await countLevels(trx, tenant, levels);
  await countDay(trx, tenant, batch);
}

type PolicyChanges = ReadonlyMap<string, PolicyChange>;

function changesOf({ opened, openedRows, changed, ended }: CountedBatch) {
  const policies = new Map<string, PolicyChange>();
  const levels = new Map<number, Change>();
  const add = (more: number, [levelRank, isMitigated]: readonly [number, boolean], policy: PolicyChange) => {
    const level = levels.get(levelRank) ?? { open: 0, mitigated: 0 };
    levels.set(levelRank, level);
    const key = isMitigated ? 'mitigated' : 'open';
    level[key] += more;
    policy[key] += more;
  };
  const policyOf = (id: string, name: string, levelRank: number): PolicyChange => {
    const known = policies.get(id);
    const policy = known ?? { open: 0, mitigated: 0, name, levelRank, firstId: null, endedIds: new Set() };
    policies.set(id, policy);
    return policy;
  };
  for (const found of opened)
    add(1, [found.levelRank, found.exception !== null], policyOf(found.policyId, found.policyName, found.levelRank));
  for (const { id, policy_id, policy_name, level_rank } of openedRows)
    policyOf(policy_id, policy_name, level_rank).firstId ??= id;
  for (const { stored, found } of changed) {
    const policy = policyOf(found.policyId, found.policyName, found.levelRank);
    add(-1, [stored.level_rank, stored.isMitigated], policy);
    add(1, [found.levelRank, found.exception !== null], policy);
  }
  for (const { stored } of ended) {
    const policy = policyOf(stored.policy_id, '', stored.level_rank);
    add(-1, [stored.level_rank, stored.isMitigated], policy);
    policy.endedIds.add(stored.id);
  }
  return { policies, levels };
}

async function countPolicies(
  trx: Transaction<Tables>,
  { tenant, at }: { readonly tenant: string; readonly at: string },
  policies: PolicyChanges,
): Promise<void> {
  const isCounted = ({ open, mitigated, firstId }: PolicyChange) => open !== 0 || mitigated !== 0 || firstId !== null;
  const rows = [...policies].flatMap(([policyId, change]) =>
    isCounted(change)
      ? {
          ...{ tenant, policy_id: policyId, name: change.name, level_rank: change.levelRank, terms: '?' },
          ...{ open: change.open, mitigated: change.mitigated },
          ...{ oldest: change.firstId === null ? null : at, oldest_id: change.firstId },
        }
      : [],
  );
  await insertRows(trx, { table: 'register_policy', onConflict: () => ADD_TO_POLICY }, rows);
}

const IS_OLDER = `(register_policy.oldest is null
  or (excluded.oldest, excluded.oldest_id) < (register_policy.oldest, register_policy.oldest_id))`;
const ADD_TO_POLICY = sql.raw(`on conflict (tenant, policy_id) do update set
  open = register_policy.open + excluded.open, mitigated = register_policy.mitigated + excluded.mitigated,
  oldest = case when ${IS_OLDER} then excluded.oldest else register_policy.oldest end,
  oldest_id = case when ${IS_OLDER} then excluded.oldest_id else register_policy.oldest_id end`);

/** Finds the oldest violation of each policy whose oldest one has ended. */
async function moveOldest(trx: Transaction<Tables>, tenant: string, policies: PolicyChanges): Promise<void> {
  const ending = [...policies].flatMap(([policyId, { endedIds }]) => (endedIds.size > 0 ? policyId : []));
  if (ending.length === 0) return;
  const stored = await trx
    .selectFrom('register_policy')
    .select(['policy_id', 'oldest', 'oldest_id'])
    .where('tenant', '=', tenant)
    .where('policy_id', 'in', ending)
    .execute();
  for (const { policy_id: policyId, oldest, oldest_id: oldestId } of stored) {
    if (oldest === null || oldestId === null || policies.get(policyId)?.endedIds.has(oldestId) !== true) continue;
    // Only forwards, so that each violation that has ended is passed once. The function keeps the planner from the index of
    // present violations, which would have to be sorted.
    const { rows } = await sql<Pick<SodViolationRow, 'created' | 'id'>>`
      select created, id from sod_violation
      where tenant = ${tenant} and policy_id = ${policyId} and (created, id) > (${oldest}, ${oldestId})
        and coalesce(closed, '') = '' order by created, id limit 1`.execute(trx);
    const [next] = rows;
    await trx
      .updateTable('register_policy')
      .set({ oldest: next?.created ?? null, oldest_id: next?.id ?? null })
      .where('tenant', '=', tenant)
      .where('policy_id', '=', policyId)
      .execute();
  }
}

async function countLevels(
  trx: Transaction<Tables>,
  tenant: string,
  levels: ReadonlyMap<number, Change>,
): Promise<void> {
  const rows = [...levels].flatMap(([levelRank, { open, mitigated }]) =>
    open === 0 && mitigated === 0 ? [] : { tenant, level_rank: levelRank, open, mitigated },
  );
  const onConflict = () => sql`on conflict (tenant, level_rank) do update set
    open = register_level.open + excluded.open, mitigated = register_level.mitigated + excluded.mitigated`;
  await insertRows(trx, { table: 'register_level', onConflict }, rows);
}

async function countDay(trx: Transaction<Tables>, tenant: string, batch: RegisterBatch): Promise<void> {
  const [opened, ended] = [batch.opened.length, batch.ended.length];
  if (opened === 0 && ended === 0) return;
  const day = batch.at.slice(0, 10);
  const more = sql.lit(opened - ended);
  // Identities may have been taken in on a later day than the one of a round that is long.
  const later = await trx
    .updateTable('register_day')
    .set({ open: sql`open + ${more}` })
    .where('tenant', '=', tenant)
    .where('day', '>', day)
    .executeTakeFirstOrThrow();
  const isLast = later.numUpdatedRows === 0n;
  const before = sql`select open from register_day where tenant = ${tenant} and day <= ${day} order by day desc limit 1`;
  const open = isLast
    ? sql`(select coalesce(sum(open + mitigated), 0) from register_level where tenant = ${tenant})`
    : sql`coalesce((${before}), 0) + ${more}`;
  await sql`
    insert into register_day (tenant, day, opened, ended, open)
    values (${tenant}, ${day}, ${sql.lit(opened)}, ${sql.lit(ended)}, ${open})
    on conflict (tenant, day) do update set opened = register_day.opened + excluded.opened,
      ended = register_day.ended + excluded.ended, open = excluded.open`.execute(trx);
}
