import { sql, type Transaction } from 'kysely';
import { insertRows } from '../../../query/insert.ts';
import type { Tables } from '../../../schema/tables.ts';
import type { RegisterBatch } from './batch.ts';

/** Adds what a batch changes to the counts of present violations and of the day. */
export async function countBatch(
  trx: Transaction<Tables>,
  tenant: string,
  { at, opened, changed, ended }: RegisterBatch,
): Promise<void> {
  const counts = new Map<string, Tables['register_count']>();
  const add = (
    policy_id: string,
    level_rank: number,
    counted: { readonly isMitigated: boolean; readonly more: 1 | -1 },
  ) => {
    const key = `${level_rank} ${policy_id}`;
    const count = counts.get(key) ?? { tenant, policy_id, level_rank, open: 0, mitigated: 0 };
    count[counted.isMitigated ? 'mitigated' : 'open'] += counted.more;
    counts.set(key, count);
  };
  for (const found of [...opened, ...changed.map((each) => each.found)])
    add(found.policyId, found.levelRank, { isMitigated: found.exception !== null, more: 1 });
  for (const { stored } of [...changed, ...ended])
    add(stored.policy_id, stored.level_rank, { isMitigated: stored.isMitigated, more: -1 });
  const rows = [...counts.values()].filter(({ open, mitigated }) => open !== 0 || mitigated !== 0);
  await insertRows(trx, { table: 'register_count', onConflict: () => ADD_COUNTS }, rows);
  if (opened.length + ended.length === 0) return;
  const day = { tenant, day: at.slice(0, 10), opened: opened.length, ended: ended.length };
  await insertRows(trx, { table: 'register_day', onConflict: () => ADD_DAY }, [day]);
}

const ADD_COUNTS = sql`on conflict (tenant, policy_id, level_rank) do update set
  open = register_count.open + excluded.open, mitigated = register_count.mitigated + excluded.mitigated`;
const ADD_DAY = sql`on conflict (tenant, day) do update set
  opened = register_day.opened + excluded.opened, ended = register_day.ended + excluded.ended`;
