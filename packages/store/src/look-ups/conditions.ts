import { codeOfValue, codesOfBeginning, codesOfPart, foldText } from '@access-admin/domain';
import { type RawBuilder, sql } from 'kysely';
import { compare } from '../query/comparison.ts';
import { type SearchTable, seedOf } from '../search/entry.ts';
import type { LookUpCondition } from './query.ts';

/** The records that a list is about. */
export interface Searched {
  readonly tenant: string;
  readonly table: SearchTable;
}

type ValueCondition = LookUpCondition & { readonly field: Exclude<LookUpCondition['field'], 'id'> };

/** Conditions that the index of codes can serve: all but those on ids. */
export const isOnValue = (condition: LookUpCondition): condition is ValueCondition => condition.field !== 'id';

/** The codes that all matches of a condition have. */
export function codesOfCondition({ tenant, table }: Searched, condition: ValueCondition): readonly number[] {
  const { field, operator } = condition;
  const [value = ''] = condition.values;
  const seed = seedOf(tenant, table, field);
  if (field === 'parent') return [codeOfValue(seed, value)];
  return operator === 'co' ? codesOfPart(seed, foldText(value)) : codesOfBeginning(seed, foldText(value));
}

/**
 * A condition on the rows of `search_entry`, or of others that have its columns, by the name of the table. No index of its
 * columns serves it, so that the engine takes the index that is meant.
 */
export function conditionOn(searched: Searched, from: string, condition: LookUpCondition): RawBuilder<boolean> {
  const column = sql`(${sql.ref(`${from}.${condition.field}`)} || '')`;
  if (!isOnValue(condition) || condition.field === 'parent') return compare(column, condition);
  const folded = compare(column, { operator: condition.operator, values: condition.values.map(foldText) });
  return condition.operator === 'eq' ? sql`${folded} and ${isExactly(searched, from, condition)}` : folded;
}

const IDENTITY_COLUMNS = { name: 'display_name', uid: 'uid', email: 'email' } as const;

/** Whether the record has the very text, in the same case. */
function isExactly({ tenant, table }: Searched, from: string, { field, values }: LookUpCondition): RawBuilder<boolean> {
  const column = table === 'identity' ? IDENTITY_COLUMNS[field as keyof typeof IDENTITY_COLUMNS] : 'name';
  return sql`exists (select 1 from ${sql.table(table)} as record where record.tenant = ${tenant}
    and record.id = ${sql.ref(`${from}.id`)} and ${sql.ref(`record.${column}`)} = ${values[0] ?? ''})`;
}
