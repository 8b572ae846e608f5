import { codeOfValue, codesOfBeginning, codesOfPart, foldText } from '@access-admin/domain';
import { type RawBuilder, sql } from 'kysely';
import { compare, type FilterFields } from '../query/filter.ts';
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
 * The fields of the rows of `search_entry`, or of others that have its columns, by the name of the table. No index of its
 * columns serves them, so that the engine takes the index that is meant.
 */
export function fieldsOf(searched: Searched, from: string): FilterFields<LookUpCondition> {
  const unindexed = (field: LookUpCondition['field']) => sql`(${sql.ref(`${from}.${field}`)} || '')`;
  const folded = (condition: LookUpCondition): RawBuilder<boolean> => {
    const { field, operator, values } = condition;
    const met = compare(unindexed(field), { operator, values: values.map(foldText) });
    return operator === 'eq' ? sql`${met} and ${isExactly(searched, from, condition)}` : met;
  };
  return { id: unindexed('id'), parent: unindexed('parent'), name: folded, uid: folded, email: folded };
}

const IDENTITY_COLUMNS: Readonly<Partial<Record<LookUpCondition['field'], string>>> = {
  name: 'display_name',
  uid: 'uid',
  email: 'email',
};

/** Whether the record has the very text, in the same case. */
function isExactly({ tenant, table }: Searched, from: string, { field, values }: LookUpCondition): RawBuilder<boolean> {
  const column = table === 'identity' ? (IDENTITY_COLUMNS[field] ?? field) : 'name';
  return sql`exists (select 1 from ${sql.table(table)} as record where record.tenant = ${tenant}
    and record.id = ${sql.ref(`${from}.id`)} and ${sql.ref(`record.${column}`)} = ${values[0] ?? ''})`;
}
