import { filter, type SodException } from '@access-admin/client';

/** The states of exceptions, those first that wait for somebody. */
export const EXCEPTION_STATES: readonly SodException['state'][] = [
  ...(['REQUESTED', 'APPROVED', 'REVOKED', 'EXPIRED', 'VOID'] as const),
];

/** The days before its end in which an exception counts as one that ends soon. */
export const ENDING_DAYS = 30;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Which exceptions a page shows, as its address says it. */
export interface ExceptionSearch {
  /** Those that wait for an approval if left out. */
  readonly state?: SodException['state'];
  /** Only those that end within 30 days. */
  readonly ending?: true;
  /** The id of the person whom they are for. */
  readonly person?: string;
}

/** The search of an address; parts that are not understood are left out. */
export function parseExceptionSearch({ state, ending, person }: Readonly<Record<string, unknown>>): ExceptionSearch {
  const known = EXCEPTION_STATES.find((each) => each === state);
  const id = typeof person === 'number' ? String(person) : person;
  return {
    ...(known === undefined ? {} : { state: known }),
    ...(ending === true ? { ending } : {}),
    ...(typeof id === 'string' && id !== '' ? { person: id } : {}),
  };
}

/** The filters of the list that a search stands for. */
export function exceptionFiltersOf({ state = 'REQUESTED', ending, person }: ExceptionSearch, nowMs: number): string {
  return [
    filter`state eq ${state}`,
    ...(ending === true ? [filter`end le ${soonest(nowMs)}`] : []),
    ...(person === undefined ? [] : [filter`identityId eq ${person}`]),
  ].join(' and ');
}

/** Whether an exception ends within 30 days. */
export const endsSoon = ({ end }: Pick<SodException, 'end'>, nowMs: number): boolean =>
  Date.parse(end) <= nowMs + ENDING_DAYS * DAY_MS;

/** In 30 days, to the hour: a question that is asked again soon is the same. */
const soonest = (nowMs: number): Date => new Date(Math.ceil(nowMs / HOUR_MS) * HOUR_MS + ENDING_DAYS * DAY_MS);
