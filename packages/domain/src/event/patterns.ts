import { authorize, type Caller } from '../administration/authorization.ts';
import { type Failure, failure } from '../result/failure.ts';
import { fail, ok, type Result } from '../result/result.ts';
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType } from './table.ts';

/**
 * The types that patterns name: a type (`sod.check.completed`), all types that begin alike (`sod.violation.*`), or all (`*`).
 * Fails with `IllegalValue` for a pattern that names no type; `at` is where the patterns were given.
 */
export function parseEventPatterns(patterns: readonly string[], at: string): Result<readonly EventType[], Failure> {
  const unknown = patterns.filter((pattern) => !EVENT_TYPE_NAMES.some((type) => matchesPattern(type, pattern)));
  if (patterns.length === 0 || unknown.length > 0) {
    const named =
      unknown.length === 0 ? '' : `, ${JSON.stringify(unknown[0]?.slice(0, PATTERN_LENGTH_SHOWN))} names none`;
    const rule = 'types such as sod.check.completed, several of them such as sod.violation.*, or *';
    return fail(failure('IllegalValue', at, `must be ${rule}${named}`));
  }
  return ok(EVENT_TYPE_NAMES.filter((type) => patterns.some((pattern) => matchesPattern(type, pattern))));
}

const PATTERN_LENGTH_SHOWN = 64;

/** Whether a pattern names a type. */
export const matchesPattern = (type: EventType, pattern: string): boolean =>
  pattern === '*' || type === pattern || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));

/** The types of events whose resource the caller may read. */
export const readableEventTypes = (caller: Caller): readonly EventType[] =>
  EVENT_TYPE_NAMES.filter((type) => {
    const { readBy } = EVENT_TYPES[type];
    return readBy !== null && authorize(readBy, caller).ok;
  });
