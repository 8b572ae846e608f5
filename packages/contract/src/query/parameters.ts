import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import { onceOf } from './once-of.ts';
import type { QueryParameter } from './parse-query.ts';

/** A parameter that is any text; null without one. */
export const textParameter = (name: string, description: string): QueryParameter<string | null> => ({
  description,
  parse: (query) => onceOf(query, name),
});

/** A parameter that is one of a few words; null without one. */
export const wordParameter = <W extends string>(
  name: string,
  words: readonly W[],
  description: string,
): QueryParameter<W | null> => ({
  description,
  values: words,
  parse: (query) => {
    const text = onceOf(query, name);
    if (!text.ok) return text;
    if (text.value === null) return ok(null);
    const word = words.find((each) => each === text.value);
    return word === undefined ? fail(illegal(name, `must be one of ${words.join(', ')}`)) : ok(word);
  },
});

/** What `numberParameter` needs to know. */
export interface NumberParameter {
  readonly name: string;
  readonly max: number;
  /** The number without the parameter. */
  readonly fallback: number;
  readonly description: string;
}

/** A whole number from 1 up. `rule` is appended to the refusal's text. */
export const numberParameter = (
  { name, max, fallback, description }: NumberParameter,
  rule = '',
): QueryParameter<number> => ({
  description,
  range: { minimum: 1, maximum: max },
  parse: (query) => {
    const text = onceOf(query, name);
    if (!text.ok) return text;
    if (text.value === null) return ok(fallback);
    const isShort = /^\d+$/.test(text.value) && text.value.length <= String(max).length;
    const number = Number(text.value);
    return isShort && number >= 1 && number <= max
      ? ok(number)
      : fail(illegal(name, `must be a whole number from 1 to ${max}${rule}`));
  },
});

/** Parses `ifPolicySetVersion`; null without one. */
export function parsePolicySetVersion(query: URLSearchParams): Result<number | null, Failure> {
  const text = onceOf(query, 'ifPolicySetVersion');
  if (!text.ok) return text;
  if (text.value === null) return ok(null);
  return /^\d{1,15}$/.test(text.value)
    ? ok(Number(text.value))
    : fail(illegal('ifPolicySetVersion', 'must be a policy-set version: up to 15 decimal digits'));
}

/** Parses the sequence of an event; null without one. `at` is where it was given. */
export function parseSequence(text: string | null, at: string): Result<number | null, Failure> {
  if (text === null) return ok(null);
  if (!/^\d{1,20}$/.test(text)) return fail(illegal(at, 'must be the sequence of an event: up to 20 decimal digits'));
  // Every number beyond is beyond the last event too.
  return ok(Math.min(Number(text), Number.MAX_SAFE_INTEGER));
}

const illegal = (at: string, rule: string) => failure('IllegalValue', at, rule);
