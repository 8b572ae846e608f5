import type { AuditEvent } from '@access-admin/client';
import { type DifferenceLine, differenceOf } from './difference.ts';

type Change = AuditEvent['changes'][number];

/** A change in words: of one value, of a text too long for one sentence, of a list, or line by line where it is neither. */
export type ChangeInWords =
  | { readonly kind: 'value'; readonly before: string | null; readonly after: string | null }
  | { readonly kind: 'text'; readonly before: string; readonly after: string }
  | { readonly kind: 'list'; readonly added: readonly string[]; readonly removed: readonly string[] }
  | { readonly kind: 'lines'; readonly lines: readonly DifferenceLine[] };

/** The longest value that is told in a sentence. */
const VALUE_LENGTH_MAX = 200;
/** The greatest length of two values together that are told in a sentence. */
const BOTH_LENGTH_MAX = 60;

/** What a change means; items of a list by their names, where they have any. */
export function inWords({ before, after, added, removed }: Change): ChangeInWords {
  if (isValue(before) && isValue(after) && added === undefined && removed === undefined)
    return ofValues(textOf(before), textOf(after));
  const had = itemsOf(before);
  const has = itemsOf(after);
  if (had !== null && has !== null)
    return {
      kind: 'list',
      added: [...has.filter((item) => !had.includes(item)), ...(added ?? []).map(nameOf)],
      removed: [...had.filter((item) => !has.includes(item)), ...(removed ?? []).map(nameOf)],
    };
  return { kind: 'lines', lines: differenceOf(before, after) };
}

const ofValues = (before: string | null, after: string | null): ChangeInWords =>
  before !== null && after !== null && before.length + after.length > BOTH_LENGTH_MAX
    ? { kind: 'text', before, after }
    : { kind: 'value', before, after };

const isValue = (value: unknown): value is string | number | boolean | null =>
  value === null || ['number', 'boolean'].includes(typeof value) || (typeof value === 'string' && isShort(value));

const isShort = (text: string): boolean => text.length <= VALUE_LENGTH_MAX && !text.includes('\n');

const textOf = (value: string | number | boolean | null): string | null => (value === null ? null : String(value));

/** The items of a list, or of the sides of a policy; null for another value. */
function itemsOf(value: unknown): readonly string[] | null {
  if (value === null) return [];
  if (Array.isArray(value)) return value.every(isItem) ? value.map(nameOf) : null;
  const sides = sidesOf(value);
  return sides?.flatMap(({ name, items }) => items.map((item) => (name === null ? item : `${name}: ${item}`))) ?? null;
}

const isItem = (item: unknown): boolean =>
  typeof item === 'string' ||
  (typeof item === 'object' && item !== null && 'id' in item && Object.keys(item).every((key) => ITEM_KEYS.has(key)));

const ITEM_KEYS: ReadonlySet<string> = new Set(['type', 'id', 'name', 'start', 'end']);

/** An item by its name, with its window where it has one. */
function nameOf(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  const { id, name, start = null, end = null }: Readonly<Record<string, unknown>> = { ...item };
  const window = [start, end].some((each) => each !== null) ? ` (${start ?? '…'} – ${end ?? '…'})` : '';
  return `${name ?? id}${window}`;
}

interface Side {
  readonly name: string | null;
  readonly items: readonly string[];
}

/** The sides of the rule of a policy, however many; null for another value. */
function sidesOf(value: unknown): readonly Side[] | null {
  if (typeof value !== 'object' || value === null) return null;
  const { leftCriteria, rightCriteria, criteria }: Readonly<Record<string, unknown>> = { ...value };
  const given = Array.isArray(criteria) ? criteria : [leftCriteria, rightCriteria];
  const sides = given.map((side): Side | null => {
    const { name = null, criteriaList }: Readonly<Record<string, unknown>> = { ...Object(side) };
    return Array.isArray(criteriaList)
      ? { name: typeof name === 'string' ? name : null, items: criteriaList.map(nameOf) }
      : null;
  });
  return sides.every((side) => side !== null) ? sides : null;
}
