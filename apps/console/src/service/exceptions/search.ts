import { filter, type SodException } from '@access-admin/client';
import { pick, textOf } from '../search-parts.ts';

/** The states of exceptions, in the order of the page. */
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
  /** The id of a person. */
  readonly person?: string;
  /** The id of the request that is shown in full. */
  readonly open?: string;
  /** The id of a policy all of whose requests are shown together instead. */
  readonly together?: string;
}

/** The parts of a search that choose exceptions. */
export type ExceptionChoice = Pick<ExceptionSearch, 'state' | 'ending' | 'person'>;

/** Which exceptions a search lists, whichever of them is shown in full. */
export const choiceOf = ({ open: _, together: __, ...choice }: ExceptionSearch): ExceptionChoice => choice;

/** The search of an address; parts that are not understood are left out. */
export function parseExceptionSearch({
  state,
  ending,
  person,
  open,
  together,
}: Readonly<Record<string, unknown>>): ExceptionSearch {
  return {
    ...pick('state', EXCEPTION_STATES, state),
    ...(ending === true ? { ending } : {}),
    ...textOf('person', person),
    ...textOf('open', open),
    ...textOf('together', together),
  };
}

/** The filters of the list that a search stands for. */
export function exceptionFiltersOf({ state = 'REQUESTED', ending, person }: ExceptionChoice, nowMs: number): string {
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
