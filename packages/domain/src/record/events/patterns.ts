import { authorize, type Caller, RIGHTS_TO_READ } from '../../administration/authorization.ts';
import { type Cause, type Failure, type Forbidden, failure } from '../../basics/result/failure.ts';
import { fail, ok, type Result } from '../../basics/result/result.ts';
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType } from './table.ts';

/** The rights that decide which events are told. */
export type EventReader = Pick<Caller, 'scopes' | 'identityId' | 'capabilities'>;

/**
 * The types that patterns name: a type (`sod.check.completed`), all types that begin alike (`sod.violation.*`), or all (`*`).
 * Fails with `IllegalValue` for a pattern that names no type; `at` is where the patterns were given.
 */
export function parseEventPatterns(patterns: readonly string[], at: string): Result<readonly EventType[], Failure> {
  const unknown = patterns.filter((pattern) => !isEventPattern(pattern));
  if (patterns.length === 0 || unknown.length > 0) {
    const named =
      unknown.length === 0 ? '' : `; ${JSON.stringify(unknown[0]?.slice(0, PATTERN_LENGTH_SHOWN))} names none`;
    const rule = 'types such as sod.check.completed, several of them such as sod.violation.*, or *';
    return fail(failure('IllegalValue', at, `must be ${rule}${named}`));
  }
  return ok(EVENT_TYPE_NAMES.filter((type) => patterns.some((pattern) => matchesPattern(type, pattern))));
}

const PATTERN_LENGTH_SHOWN = 64;

/** Whether a pattern names a type. */
const matchesPattern = (type: EventType, pattern: string): boolean =>
  pattern === '*' || type === pattern || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));

/** Whether a text is a type, the beginning of one followed by `.*`, or `*`. */
export const isEventPattern = (text: string): boolean => EVENT_TYPE_NAMES.some((type) => matchesPattern(type, text));

/** The types of events whose resource the reader may read. */
export const readableEventTypes = (reader: EventReader): readonly EventType[] =>
  EVENT_TYPE_NAMES.filter(
    (type) => authorize(RIGHTS_TO_READ[EVENT_TYPES[type].resource], { ...reader, tenant: '', clientId: '' }).ok,
  );

/** The types that the patterns cover and whose resources the reader may read, in the order of the table. */
export const coveredTypes = (patterns: readonly string[], reader: EventReader): readonly EventType[] =>
  readableEventTypes(reader).filter((type) => patterns.some((pattern) => matchesPattern(type, pattern)));

/** The refusal of patterns that cover more than the reader may read; null if none does. `*` is what the reader may read. */
export function authorizePatterns(patterns: readonly string[], reader: EventReader): Forbidden | null {
  const readable = readableEventTypes(reader);
  const causes = patterns.flatMap((pattern, position): Cause[] => {
    const type = EVENT_TYPE_NAMES.find((each) => matchesPattern(each, pattern) && !readable.includes(each));
    return pattern === '*' || type === undefined
      ? []
      : [{ at: `types[${position}]`, text: `the caller may not read what ${type} tells` }];
  });
  return causes.length === 0 ? null : { type: 'Forbidden', causes };
}
