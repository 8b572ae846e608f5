import { foldText } from '@access-admin/domain';
import { type RawBuilder, sql } from 'kysely';
import { attributeCondition } from '../../query/attribute-condition.ts';
import { compare, type FilterFields } from '../../query/filter.ts';
import { type IndexTests, isIndexed, type TextTest } from '../search/candidates.ts';
import { type SearchTable, wordOf } from '../search/entry.ts';
import type { LookUpCondition } from './query.ts';

/** The records that a list is about. */
export interface Searched {
  readonly tenant: string;
  readonly table: SearchTable;
}

/** What `any` stands for. */
const ANY = { identity: ['id', 'name', 'uid', 'email'], other: ['id', 'name'] } as const;
const fieldsOfAny = (table: SearchTable) => (table === 'identity' ? ANY.identity : ANY.other);

/** What the indexes can look for; each match of the conditions meets it. Null where they do not help. */
export function indexTestsOf(table: SearchTable, conditions: readonly LookUpCondition[]): IndexTests | null {
  const texts: TextTest[] = [];
  const words: (readonly string[])[] = [];
  for (const { field, operator, values, attribute: name = '' } of conditions) {
    if (field === 'id') continue;
    if (field === 'parent') words.push(values.map((id) => wordOf({ type: 'PARENT', id })));
    else if (field === 'externalId') words.push(values.map((id) => wordOf({ type: 'EXTERNAL_ID', id })));
    else if (field === 'attribute') words.push(values.map((id) => wordOf({ type: 'ATTRIBUTE', name, id })));
    else {
      const part = foldText(values[0] ?? '');
      const test = { operator: operator === 'co' ? 'co' : 'sw', part } as const;
      if (isIndexed(test)) texts.push({ ...test, columns: field === 'any' ? fieldsOfAny(table) : [field] });
    }
  }
  return texts.length + words.length === 0 ? null : { texts, words };
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
