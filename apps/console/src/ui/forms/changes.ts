import type { JsonPatchOperation } from '@access-admin/client';
import { keysOf } from '../../service/keys-of.ts';

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The edits that differ from the values that they began with. */
export function changesOf<T extends object>(base: Partial<T>, edits: Partial<T>): Partial<T> {
  const changes: Partial<T> = {};
  for (const key of keysOf(edits)) if (!isSame(base[key], edits[key])) changes[key] = edits[key];
  return changes;
}

/** The patch that makes changes of fields that patches may change. */
export const patchOf = <Field extends string>(
  changes: {
    readonly [F in NoInfer<Field>]?: unknown;
  },
): JsonPatchOperation<Field>[] =>
  keysOf(changes).map((name) => ({ op: 'replace', path: `/${name}`, value: changes[name] }));

/** The properties, out of the named ones, that differ between two versions. */
export const differencesOf = <T extends object>(one: T, other: T, names: readonly (keyof T)[]): (keyof T)[] =>
  names.filter((name) => !isSame(one[name], other[name]));

/** The items of a text that has one a line; null for none. */
export function linesOf(text: string): readonly string[] | null {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  return lines.length === 0 ? null : lines;
}
