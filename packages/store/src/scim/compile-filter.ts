import type { ScimComparison, ScimFilter, ScimValue } from '@access-admin/domain';
import { type RawBuilder, sql } from 'kysely';
import { asciiToSmall, smallColumn, toSmall } from '../query/ignore-case.ts';

/** What an attribute with one simple value is compared as. */
type Leaf =
  | { readonly type: 'exact'; readonly column: RawBuilder<unknown> }
  /** Compared without case. */
  | { readonly type: 'text'; readonly column: RawBuilder<unknown> }
  /** A column in small letters. */
  | { readonly type: 'folded'; readonly column: RawBuilder<unknown> }
  /** A column in ISO 8601 in UTC with milliseconds. */
  | { readonly type: 'time'; readonly column: RawBuilder<unknown> }
  /** A column that is 1 for true. */
  | { readonly type: 'boolean'; readonly column: RawBuilder<unknown> }
  /** An attribute that each value of its parent has alike. */
  | { readonly type: 'constant'; readonly value: string | boolean };

/** What an attribute is compared as. */
export type ScimField =
  | Leaf
  /** An attribute with many values, each a row of its own. */
  | {
      readonly type: 'rows';
      /** The rows that meet a condition. */
      readonly exist: (condition: RawBuilder<boolean>) => RawBuilder<boolean>;
      readonly fields: ReadonlyMap<string, Leaf>;
    }
  /** A complex attribute with one value. */
  | { readonly type: 'complex'; readonly present: RawBuilder<boolean>; readonly fields: ReadonlyMap<string, Leaf> };

/** The attributes that filters may name, in small letters. */
export type ScimFields = ReadonlyMap<string, ScimField>;

const TRUE: RawBuilder<boolean> = sql`1 = 1`;
const FALSE: RawBuilder<boolean> = sql`1 = 0`;

/** A filter as SQL, which is true or false and never null; null where it names another attribute, or compares it with what it cannot be. */
export function compileScimFilter(filter: ScimFilter, fields: ScimFields): RawBuilder<boolean> | null {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const parts: RawBuilder<boolean>[] = [];
      for (const each of filter.filters) {
        const part = compileScimFilter(each, fields);
        if (part === null) return null;
        parts.push(part);
      }
      return sql`(${sql.join(parts, filter.kind === 'and' ? sql` and ` : sql` or `)})`;
    }
    case 'not': {
      const part = compileScimFilter(filter.filter, fields);
      return part === null ? null : sql`not (${part})`;
    }
    case 'value': {
      const field = fields.get(filter.attribute);
      if (field?.type !== 'rows' && field?.type !== 'complex') return null;
      const part = compileScimFilter(filter.filter, field.fields);
      if (part === null) return null;
      return field.type === 'rows' ? field.exist(part) : sql`(${field.present} and ${part})`;
    }
    default:
      return compileOn(filter, fields);
  }
}

/** Compiles a comparison of an attribute, or of a sub-attribute of another one. Without one its `value` is compared. */
function compileOn(
  filter: Exclude<ScimFilter, { readonly kind: 'and' | 'or' | 'not' | 'value' }>,
  fields: ScimFields,
): RawBuilder<boolean> | null {
  const [, parent = filter.attribute, sub = 'value'] = /^(.*)\.([^.]+)$/.exec(filter.attribute) ?? [];
  const direct = fields.get(filter.attribute);
  if (direct !== undefined && direct.type !== 'rows' && direct.type !== 'complex') return compileField(filter, direct);
  const field = direct ?? fields.get(parent);
  if (field?.type !== 'rows' && field?.type !== 'complex') return null;
  const inner = field.fields.get(direct === undefined ? sub : 'value');
  if (inner === undefined) return null;
  const isOfNothing = filter.kind === 'compare' && filter.value === null;
  if (isOfNothing && filter.operator !== 'eq' && filter.operator !== 'ne') return null;
  if (field.type === 'rows') {
    if (!isOfNothing) {
      const part = compileField(filter, inner);
      return part === null ? null : field.exist(part);
    }
    return filter.operator === 'eq' ? sql`not (${field.exist(TRUE)})` : field.exist(TRUE);
  }
  const part = compileField(filter, inner);
  if (part === null) return null;
  const isOfAbsent = filter.kind === 'compare' && (filter.operator === 'ne') !== (filter.value === null);
  return isOfAbsent ? sql`(not (${field.present}) or ${part})` : sql`(${field.present} and ${part})`;
}

function compileField(
  filter: ScimComparison | Extract<ScimFilter, { readonly kind: 'present' }>,
  field: Leaf,
): RawBuilder<boolean> | null {
  const isThere: RawBuilder<boolean> = field.type === 'constant' ? TRUE : sql`${field.column} is not null`;
  if (filter.kind === 'present') return isThere;
  const { operator, value } = filter;
  if (value === null) {
    if (operator === 'eq') return sql`not (${isThere})`;
    return operator === 'ne' ? isThere : null;
  }
  if (field.type === 'boolean') return compareBoolean(field.column, filter);
  if (field.type === 'constant') return compareConstant(field.value, filter);
  const compared = textOf(field, filter);
  if (compared === null) return null;
  const { column, text } = compared;
  const isTrue = compareText(column, operator, text);
  return operator === 'ne' ? sql`(not (${isThere}) or ${isTrue})` : sql`(${isThere} and ${isTrue})`;
}

function compareBoolean(column: RawBuilder<unknown>, { operator, value }: ScimComparison): RawBuilder<boolean> | null {
  const wanted = booleanOf(value);
  if (wanted === null || (operator !== 'eq' && operator !== 'ne')) return null;
  return sql`${column} = ${sql.lit(Number(wanted === (operator === 'eq')))}`;
}

/** Some directories send texts. */
function booleanOf(value: ScimValue): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' || !/^(?:true|false)$/i.test(value)) return null;
  return value.toLowerCase() === 'true';
}

function compareConstant(constant: string | boolean, { operator, value }: ScimComparison): RawBuilder<boolean> | null {
  const given =
    typeof constant === 'boolean' ? booleanOf(value) : typeof value === 'string' ? value.toLowerCase() : null;
  if (given === null || (operator !== 'eq' && operator !== 'ne')) return null;
  return (given === constant) === (operator === 'eq') ? TRUE : FALSE;
}

/** A column and a text as they are compared. */
function textOf(
  { type, column }: Exclude<Leaf, { readonly type: 'boolean' | 'constant' }>,
  { operator, value }: ScimComparison,
): { readonly column: RawBuilder<unknown>; readonly text: string } | null {
  if (typeof value !== 'string' || value.includes('\0')) return null;
  const isOrder = operator === 'gt' || operator === 'ge' || operator === 'lt' || operator === 'le';
  switch (type) {
    case 'exact':
      return { column, text: value };
    case 'folded':
      return { column, text: toSmall(value) };
    case 'text':
      // An order needs all letters in one form, and those of ASCII are what both engines have.
      if (isOrder) return { column: sql`lower(${column})`, text: asciiToSmall(value) };
      return { column: smallColumn(column, toSmall(value)), text: toSmall(value) };
    case 'time': {
      const isPart = operator === 'co' || operator === 'sw' || operator === 'ew';
      const time = Date.parse(value);
      if (isPart) return { column, text: value };
      return Number.isNaN(time) ? null : { column, text: new Date(time).toISOString() };
    }
  }
}

function compareText(
  column: RawBuilder<unknown>,
  operator: ScimComparison['operator'],
  text: string,
): RawBuilder<boolean> {
  const length = sql.lit([...text].length);
  switch (operator) {
    case 'eq':
      return sql`${column} = ${text}`;
    case 'ne':
      return sql`${column} <> ${text}`;
    case 'gt':
      return sql`${column} > ${text}`;
    case 'ge':
      return sql`${column} >= ${text}`;
    case 'lt':
      return sql`${column} < ${text}`;
    case 'le':
      return sql`${column} <= ${text}`;
    case 'sw':
      return sql`substr(${column}, 1, ${length}) = ${text}`;
    case 'ew':
      return sql`(length(${column}) >= ${length} and substr(${column}, length(${column}) - ${length} + 1) = ${text})`;
    case 'co':
      // A text contains another when replacing it changes the length. This works in both engines.
      return text === '' ? TRUE : sql`replace(${column}, ${text}, '') <> ${column}`;
  }
}
