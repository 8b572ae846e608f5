import { sql, type Transaction } from 'kysely';
import type { Tables } from '../schema/tables.ts';
import type { RegisterBatch } from './maintenance.ts';

/** How a batch changes the counts of a policy or a level. */
interface Change {
  open: number;
  mitigated: number;
}

interface PolicyChange extends Change {
  readonly name: string;
  readonly levelRank: number;
  opened: boolean;
  /** When the oldest violation of those that ended was created; null for none. */
  oldestEnded: string | null;
}

/** Changes the counts by a batch, in the transaction that stores it. */
export async function countBatch(trx: Transaction<Tables>, tenant: string, batch: RegisterBatch): Promise<void> {
  const { policies, levels } = changesOf(batch);
  for (const [policyId, change] of policies) await countPolicy(trx, { tenant, policyId, at: batch.at }, change);
  for (const [levelRank, change] of levels) await countLevel(trx, { tenant, levelRank }, change);
  await countDay(trx, tenant, batch);
}

function changesOf({ opened, changed, ended }: RegisterBatch) {
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
    const policy = known ?? { open: 0, mitigated: 0, name, levelRank, opened: false, oldestEnded: null };
    policies.set(id, policy);
    return policy;
  };
  for (const found of opened) {
    const policy = policyOf(found.policyId, found.policyName, found.levelRank);
    policy.opened = true;
    add(1, [found.levelRank, found.exception !== null], policy);
  }
  for (const { stored, found } of changed) {
    const policy = policyOf(found.policyId, found.policyName, found.levelRank);
    add(-1, [stored.level_rank, stored.isMitigated], policy);
    add(1, [found.levelRank, found.exception !== null], policy);
  }
  for (const { stored } of ended) {
    const policy = policyOf(stored.policy_id, '', stored.level_rank);
    add(-1, [stored.level_rank, stored.isMitigated], policy);
    if (policy.oldestEnded === null || stored.created < policy.oldestEnded) policy.oldestEnded = stored.created;
  }
  return { policies, levels };
}

interface PolicyKey {
  readonly tenant: string;
  readonly policyId: string;
  readonly at: string;
}

async function countPolicy(
  trx: Transaction<Tables>,
  { tenant, policyId, at }: PolicyKey,
  { open, mitigated, name, levelRank, opened, oldestEnded }: PolicyChange,
): Promise<void> {
  if (open !== 0 || mitigated !== 0 || opened)
    await trx
      .insertInto('register_policy')
      .values({
        ...{ tenant, policy_id: policyId, name, level_rank: levelRank, terms: '?', open, mitigated },
        oldest: opened ? at : null,
      })
      .onConflict((conflict) =>
        conflict.columns(['tenant', 'policy_id']).doUpdateSet((eb) => ({
          open: eb('register_policy.open', '+', open),
          mitigated: eb('register_policy.mitigated', '+', mitigated),
          oldest: eb.fn.coalesce('register_policy.oldest', 'excluded.oldest'),
        })),
      )
      .execute();
  if (oldestEnded === null) return;
  // Only forwards, from the violation that was the oldest: the index by policy is not read from its start each time. The
  // function keeps the planner from the index of present violations, which would have to be sorted.
  await sql`
    update register_policy set oldest = case when open + mitigated = 0 then null else (
      select created from sod_violation
      where tenant = ${tenant} and policy_id = ${policyId} and created >= ${oldestEnded} and coalesce(closed, '') = ''
      order by created, id limit 1
    ) end
    where tenant = ${tenant} and policy_id = ${policyId} and oldest = ${oldestEnded}`.execute(trx);
}

async function countLevel(
  trx: Transaction<Tables>,
  key: { readonly tenant: string; readonly levelRank: number },
  { open, mitigated }: Change,
): Promise<void> {
  if (open === 0 && mitigated === 0) return;
  await trx
    .insertInto('register_level')
    .values({ tenant: key.tenant, level_rank: key.levelRank, open, mitigated })
    .onConflict((conflict) =>
      conflict.columns(['tenant', 'level_rank']).doUpdateSet((eb) => ({
        open: eb('register_level.open', '+', open),
        mitigated: eb('register_level.mitigated', '+', mitigated),
      })),
    )
    .execute();
}

async function countDay(trx: Transaction<Tables>, tenant: string, batch: RegisterBatch): Promise<void> {
  const [opened, ended] = [batch.opened.length, batch.ended.length];
  if (opened === 0 && ended === 0) return;
  const day = batch.at.slice(0, 10);
  await sql`
    insert into register_day (tenant, day, opened, ended, open)
    select ${tenant}, ${day}, ${sql.lit(opened)}, ${sql.lit(ended)}, coalesce(sum(open + mitigated), 0)
    from register_level where tenant = ${tenant}
    on conflict (tenant, day) do update set opened = register_day.opened + excluded.opened,
      ended = register_day.ended + excluded.ended, open = excluded.open`.execute(trx);
}
