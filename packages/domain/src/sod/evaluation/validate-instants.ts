import { intervalOf } from '../../access/model/interval.ts';
import { failure, type LimitExceeded } from '../../basics/result/failure.ts';
import { fail, ok, type Result } from '../../basics/result/result.ts';
import { type AccessRequest, type Holder, instantsOf, windowsOf } from './question.ts';

/** The most instants from now on at which windows begin or end, requested and held ones, for the optional parts of an answer. */
export const EXPLAINED_INSTANTS_MAX = 64;

/**
 * Validates that the optional parts of an answer concern few enough instants: their work grows with each. With `at` there is
 * one, and an answer without optional parts may concern any number. The failure names what to drop.
 */
export function validateInstants(
  timed: Holder['timed'],
  { accessRefs, at, nowMs }: AccessRequest,
  includes: readonly string[],
): Result<null, LimitExceeded> {
  if (includes.length === 0 || typeof at === 'string') return ok(null);
  const instants = instantsOf([...windowsOf(timed ?? []), ...accessRefs.map(intervalOf)], { nowMs });
  // The first one is now.
  const count = instants.length - 1;
  return count <= EXPLAINED_INSTANTS_MAX
    ? ok(null)
    : fail(failure('LimitExceeded', 'include', textOf(count, includes)));
}

const textOf = (count: number, includes: readonly string[]): string =>
  `explains at most ${EXPLAINED_INSTANTS_MAX} instants at which windows of requested and held access begin or end, ` +
  `and here are ${count}: drop ${includes.join(' and ')}, or ask for one instant with "at", or for access with fewer windows`;
