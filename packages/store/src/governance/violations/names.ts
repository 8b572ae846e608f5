import { type RawBuilder, sql } from 'kysely';
import type { Reads } from '../../engine/database.ts';
import { compare } from '../../query/filter.ts';
import { smallText, startOf, toSmall } from '../../query/ignore-case.ts';
import { type ColumnCondition, columnCondition } from './conditions.ts';
import type { RegisterCondition } from './query.ts';
import { ownerName, readOwners } from './register/owners.ts';

/**
 * The conditions of a query on columns. Names of owners become ids, and parts of names of policies become names, unless
 * there are many owners or policies: then the name of each violation that a page examines is compared.
 */
export async function columnConditions(
  reads: Reads,
  tenant: string,
  conditions: readonly RegisterCondition[],
): Promise<readonly ColumnCondition[]> {
  const found: ColumnCondition[] = [];
  for (const { field, ...condition } of conditions) {
    if (field === 'ownerName') found.push(await ownersNamed(reads, tenant, condition));
    else if (field === 'ownedBy') found.push(await ownedBy(reads, tenant, condition));
    else if (field === 'policyName' && (condition.operator === 'sw' || condition.operator === 'co'))
      found.push(await policiesNamed(reads, tenant, condition));
    else found.push(columnCondition({ field, ...condition }));
  }
  return found;
}

/** What an identity owns: nothing while the register has not taken in the deletion of another one with its id. */
async function ownedBy({ read }: Reads, tenant: string, { values }: NameCondition): Promise<ColumnCondition> {
  const owners = await read((db) => readOwners(db, tenant, values));
  return { column: 'owner_id', operator: 'in', values: [...owners.keys()] };
}

// So many are found in some milliseconds.
const NAMES_MAX = 400;

type NameCondition = Pick<RegisterCondition, 'operator' | 'values'>;

async function ownersNamed(reads: Reads, tenant: string, condition: NameCondition): Promise<ColumnCondition> {
  const ids = await selectTexts(
    reads,
    sql<{
      readonly text: string;
    }>`${distinct(tenant, 'owner_id')} select text from each where text is not null limit ${NAMES_MAX + 1}`,
  );
  const named = columnCondition({ field: 'ownerName', ...condition });
  if (ids.length > NAMES_MAX) return { ...named, read: ownerName(tenant) };
  const values = await selectTexts(
    reads,
    sql<{ readonly text: string }>`select id as text from (select id, coalesce(display_name, id) as name from identity
      where tenant = ${tenant} and ${compare(sql.ref('id'), { operator: 'in', values: ids })}) as owner
      where ${compare(sql.ref('name'), named)}`,
  );
  return { column: 'owner_id', operator: 'in', values };
}

async function policiesNamed(reads: Reads, tenant: string, condition: NameCondition): Promise<ColumnCondition> {
  const column = columnCondition({ field: 'policyName', ...condition });
  const [part = ''] = condition.values;
  const sought = toSmall(part);
  const isStart = condition.operator === 'sw';
  const names = await selectTexts(
    reads,
    sql<{ readonly text: string }>`${distinct(tenant, 'policy_name', isStart ? startOf(sought) : '')}
      select text from each where text is not null limit ${NAMES_MAX + 1}`,
  );
  if (names.length > NAMES_MAX) return column;
  const values = names.filter((name) => {
    const small = smallText(name, sought);
    return isStart ? small.startsWith(sought) : small.includes(sought);
  });
  return { column: 'policy_name', operator: 'in', values, isSmall: true };
}

/** The values of a column that begin with a text, and one more, each found by one search of its index. */
const distinct = (tenant: string, column: 'owner_id' | 'policy_name', prefix = ''): RawBuilder<unknown> => {
  const value = column === 'policy_name' ? sql`lower(policy_name)` : sql.ref(column);
  const least = (than: RawBuilder<unknown>) =>
    sql`select min(${value}) from sod_violation where tenant = ${tenant} and ${sql.ref(column)} is not null${than}`;
  return sql`with recursive each(text) as (
    select * from (${least(sql` and ${value} >= ${prefix}`)}) as first
    union all select (${least(sql` and ${value} > each.text`)}) from each
    where each.text is not null and substr(each.text, 1, ${sql.lit([...prefix].length)}) = ${prefix})`;
};

async function selectTexts({ read }: Reads, query: RawBuilder<{ readonly text: string }>): Promise<readonly string[]> {
  const { rows } = await read((db) => query.execute(db));
  return rows.map(({ text }) => text);
}
