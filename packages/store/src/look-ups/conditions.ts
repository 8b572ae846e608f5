import { codeOfValue, codesOfBeginning, codesOfPart, foldText } from '@access-admin/domain';
import { type RawBuilder, sql } from 'kysely';
import { attributeCondition } from '../query/attribute-condition.ts';
import { compare, type FilterFields } from '../query/filter.ts';
import { type SearchedField, type SearchTable, seedOf, valueOfAttribute } from '../search/entry.ts';
import type { LookUpCondition } from './query.ts';

/** The records that a list is about. */
export interface Searched {
  readonly tenant: string;
  readonly table: SearchTable;
}

type ValueCondition = LookUpCondition & { readonly field: Exclude<LookUpCondition['field'], 'id'> };

/** Conditions that the index of codes can serve: all but those on ids. */
export const isOnValue = (condition: LookUpCondition): condition is ValueCondition => condition.field !== 'id';

/** What `any` stands for. */
const ANY = { identity: ['id', 'name', 'uid', 'email'], other: ['id', 'name'] } as const;
const fieldsOfAny = (table: SearchTable) => (table === 'identity' ? ANY.identity : ANY.other);

/** The sets of codes of which each match of the conditions has all of one; none where the index does not help. */
export function codeSetsOf(searched: Searched, conditions: readonly LookUpCondition[]): readonly (readonly number[])[] {
  let sets: readonly (readonly number[])[] = [[]];
  for (const condition of conditions.filter(isOnValue)) {
    const others = codesOfCondition(searched, condition);
    // Sets are not multiplied: what the index leaves is compared anyhow.
    if (others.some(({ length }) => length === 0) || (sets.length > 1 && others.length > 1)) continue;
    sets = sets.flatMap((set) => others.map((other) => [...set, ...other]));
  }
  return sets.some(({ length }) => length === 0) ? [] : sets;
}

function codesOfCondition({ tenant, table }: Searched, condition: ValueCondition): readonly (readonly number[])[] {
  const { field, operator, values, attribute = '' } = condition;
  const [value = ''] = values;
  const seed = (searchedField: SearchedField) => seedOf(tenant, table, searchedField);
  if (field === 'any') return fieldsOfAny(table).map((each) => codesOfPart(seed(each), foldText(value)));
  if (field === 'attribute')
    return values.map((each) => [codeOfValue(seed('attribute'), valueOfAttribute(attribute, each))]);
  if (field === 'parent' || field === 'externalId') return [[codeOfValue(seed(field), value)]];
  return [
    operator === 'co' ? codesOfPart(seed(field), foldText(value)) : codesOfBeginning(seed(field), foldText(value)),
  ];
}

/**
 * The fields of the rows of `search_entry`, or of others that have its columns, by the name of the table. No index of its
 * columns serves them, so that the engine takes the index that is meant.
 */
export function fieldsOf(searched: Searched, from: string): FilterFields<LookUpCondition> {
  const unindexed = (field: string): RawBuilder<unknown> => sql`(${sql.ref(`${from}.${field}`)} || '')`;
  const any = ({ operator, values }: LookUpCondition): RawBuilder<boolean> => {
    const parts = { operator, values: values.map(foldText) };
    // An id has ASCII letters alone, which both engines fold.
    const folded = (field: string) => (field === 'id' ? sql`lower(${unindexed(field)})` : unindexed(field));
    return sql`(${sql.join(
      fieldsOfAny(searched.table).map((field) => compare(folded(field), parts)),
      sql` or `,
    )})`;
  };
  const folded = (condition: LookUpCondition): RawBuilder<boolean> => {
    const { field, operator, values } = condition;
    const met = compare(unindexed(field), { operator, values: values.map(foldText) });
    return operator === 'eq' ? sql`${met} and ${isExactly(searched, from, condition)}` : met;
  };
  return {
    id: unindexed('id'),
    parent: unindexed('parent'),
    name: folded,
    uid: folded,
    email: folded,
    any,
    attribute: ({ attribute = '', values }) =>
      hasRecord(searched, from, attributeCondition('record', attribute, values)),
    externalId: ({ values }) =>
      hasRecord(searched, from, compare(sql.ref('record.external_id'), { operator: 'eq', values })),
  };
}

const IDENTITY_COLUMNS: Readonly<Partial<Record<LookUpCondition['field'], string>>> = {
  name: 'display_name',
  uid: 'uid',
  email: 'email',
};

/** Whether the record has the very text, in the same case. */
function isExactly(searched: Searched, from: string, { field, values }: LookUpCondition): RawBuilder<boolean> {
  const column = searched.table === 'identity' ? (IDENTITY_COLUMNS[field] ?? field) : 'name';
  return hasRecord(searched, from, sql`${sql.ref(`record.${column}`)} = ${values[0] ?? ''}`);
}

/** Whether the record of an entry meets a condition. */
const hasRecord = ({ tenant, table }: Searched, from: string, condition: RawBuilder<boolean>): RawBuilder<boolean> =>
  sql`exists (select 1 from ${sql.table(table)} as record where record.tenant = ${tenant}
    and record.id = ${sql.ref(`${from}.id`)} and ${condition})`;
