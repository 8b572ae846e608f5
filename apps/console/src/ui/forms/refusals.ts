import { ApiError } from '@access-admin/client';

/** What the service says against a form. */
export interface Refusals {
  /** The texts at each field that the service names. */
  readonly at: Readonly<Record<string, readonly string[]>>;
  /** Texts that name none of the fields. */
  readonly others: readonly string[];
}

export const NO_REFUSALS: Refusals = { at: {}, others: [] };

/** Sorts the texts of a refusal by the fields that they name, such as `range[3]: …` by `range`. */
export function sortRefusals(error: unknown, fields: readonly string[]): Refusals {
  if (!(error instanceof ApiError)) return NO_REFUSALS;
  const at: Record<string, string[]> = {};
  const others: string[] = [];
  for (const { text } of error.causes) {
    const named = parseCause(text, fields);
    if (named === null) others.push(text);
    else at[named.field] = [...(at[named.field] ?? []), named.text];
  }
  return { at, others };
}

function parseCause(text: string, fields: readonly string[]): { field: string; text: string } | null {
  const [, field = '', place = '', rest = ''] = /^(\w+)((?:\[\d+\]|\.\w+)*): (.*)$/s.exec(text) ?? [];
  if (!fields.includes(field)) return null;
  const item = /^\[(\d+)\]/.exec(place)?.[1];
  // The texts of the service continue the name of the place, such as "must not be empty".
  return { field, text: item === undefined ? capitalize(rest) : `${Number(item) + 1}: ${rest}` };
}

const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
