import {
  ACCESS_TYPES,
  type AccessRef,
  ASSIGNMENTS_MAX,
  hasWindow,
  TIMED_ASSIGNMENTS_MAX,
  type TimedAccessRef,
  timedAccessRef,
} from '@access-admin/domain';
import * as v from 'valibot';
import { chosen } from './chosen.ts';
import { closedObject, instantText, listOfAtMost, openObject, reference, toUtc } from './fields.ts';
import { failsWith, illegal } from './validate.ts';

const windowEnd = (description: string) =>
  v.exactOptional(v.nullable(v.pipe(instantText, v.metadata({ description }))));

/** The ends of an access window; null counts as missing. */
export const windowEntries = {
  start: windowEnd('From this instant on, ISO 8601 with an offset; without it, without a beginning.'),
  end: windowEnd('Up to, and excluding, this instant, not before the start; without it, without an end.'),
};

/** Spellings in other products: `start` and `end` in any case, with an `s`, a suffix or both, and five other names. */
const FOREIGN_WINDOW = /^(?:start|end)(?:[_-]?s)?(?:[_-]?(?:date|at|time))?$/i;
const FOREIGN_ENDS: ReadonlySet<string> = new Set(['validFrom', 'validTo', 'from', 'to', 'until']);

const FOREIGN = v.never(failsWith('MalformedBody', 'unknown property: name the window start and end'));

const isForeignWindow = (name: string): boolean => FOREIGN_WINDOW.test(name) || FOREIGN_ENDS.has(name);

/**
 * An access ref in a request. Unknown properties are ignored, because clients of other products send their own. Other spellings
 * of the window are rejected, because ignoring one would ask about more access than was meant.
 */
export function requestedRef<E extends v.ObjectEntries>(entries: E) {
  const object = openObject(entries);
  return chosen(object, (input) => {
    const foreign = Object.keys(Object(input)).filter((name) => !Object.hasOwn(entries, name) && isForeignWindow(name));
    if (foreign.length === 0) return object;
    return v.object(Object.assign(Object.fromEntries(foreign.map((name) => [name, FOREIGN])), entries));
  });
}

/** An access ref with its window as it was sent. */
export interface WrittenAccessRef extends AccessRef {
  readonly start?: string | null;
  readonly end?: string | null;
}

/** Converts the window to UTC, and drops other properties. Rejects a window that ends before it starts, even by a nanosecond. */
export const toTimedAccessRef = <T extends WrittenAccessRef>() =>
  v.rawTransform<T, TimedAccessRef>(({ dataset, addIssue, NEVER }) => {
    const { start, end } = dataset.value;
    const utc = { start: start ? toUtc(start) : null, end: end ? toUtc(end) : null };
    if (start && end && `${utc.end}${nanosOf(end)}` < `${utc.start}${nanosOf(start)}`) {
      const path = [{ type: 'object', origin: 'value', input: { start, end }, key: 'end', value: end }] as const;
      addIssue({ message: illegal('must not be before start'), path: [...path] });
      return NEVER;
    }
    return timedAccessRef(dataset.value, utc);
  });

const assignment = v.pipe(
  closedObject({ type: v.picklist(ACCESS_TYPES), id: reference, ...windowEntries }),
  toTimedAccessRef(),
);

/** The access of an identity in an import line. */
export const assignments = v.pipe(
  listOfAtMost(assignment, ASSIGNMENTS_MAX, 'assignments'),
  v.check(
    (access) => access.filter(hasWindow).length <= TIMED_ASSIGNMENTS_MAX,
    failsWith('LimitExceeded', `must have at most ${TIMED_ASSIGNMENTS_MAX} assignments with a window`),
  ),
  v.metadata({ description: `At most ${TIMED_ASSIGNMENTS_MAX} assignments with a window.` }),
);

/** The digits of a second beyond its milliseconds, which `toUtc` cuts off. */
const nanosOf = (text: string): string => (/\.\d{3}(\d{1,6})/.exec(text)?.[1] ?? '').padEnd(6, '0');
