import type { Caller } from '../administration/authorization.ts';
import { matchesPattern, readableEventTypes } from '../event/patterns.ts';
import { EVENT_TYPE_NAMES, type EventType } from '../event/table.ts';
import { type Cause, type Failure, type Forbidden, failure } from '../result/failure.ts';
import { failureOf, type Issue } from '../result/issue.ts';

/** The rights that decide which events are told. */
export type EventReader = Pick<Caller, 'scopes' | 'identityId' | 'capabilities'>;

/** The most patterns of a webhook. */
export const WEBHOOK_TYPES_MAX = 50;

const ALL = '*';

/** The types that the patterns cover and whose resources the reader may read, in the order of the table. */
export const coveredTypes = (patterns: readonly string[], reader: EventReader): readonly EventType[] =>
  readableBy(reader).filter((type) => patterns.some((pattern) => matchesPattern(type, pattern)));

const readableBy = (reader: EventReader) => readableEventTypes({ ...reader, tenant: '', clientId: '' });

/** What is wrong with the patterns of a webhook; null when nothing is. */
export function validatePatterns(patterns: readonly string[]): Failure | null {
  if (patterns.length > WEBHOOK_TYPES_MAX)
    return failure('LimitExceeded', 'types', `must have at most ${WEBHOOK_TYPES_MAX} patterns`);
  const issues = patterns.flatMap((pattern, position): Issue[] => {
    const at = `types[${position}]`;
    if (patterns.indexOf(pattern) !== position) return [{ type: 'IllegalValue', at, text: 'must not be repeated' }];
    const isKnown = EVENT_TYPE_NAMES.some((type) => matchesPattern(type, pattern));
    return isKnown ? [] : [{ type: 'IllegalValue', at, text: UNKNOWN }];
  });
  return failureOf(issues);
}

const UNKNOWN = 'must be a type of event, the beginning of one followed by .*, such as sod.check.*, or *';

/** The refusal of patterns that cover more than the reader may read; null if none does. `*` is what the reader may read. */
export function authorizePatterns(patterns: readonly string[], reader: EventReader): Forbidden | null {
  const readable = readableBy(reader);
  const causes = patterns.flatMap((pattern, position): Cause[] => {
    const type = EVENT_TYPE_NAMES.find((each) => matchesPattern(each, pattern) && !readable.includes(each));
    return pattern === ALL || type === undefined
      ? []
      : [{ at: `types[${position}]`, text: `the caller may not read what ${type} tells` }];
  });
  return causes.length === 0 ? null : { type: 'Forbidden', causes };
}
