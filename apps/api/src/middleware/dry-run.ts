import { type Failure, failure } from '@access-admin/domain';
import { hasQuery, queryOf } from '../http/target.ts';
import type { Step } from './step.ts';

const NAME = 'dryRun';
/** Spellings that a caller may take for the parameter. */
const SPELLED = /^dry[-_]?run$/i;

/**
 * Refuses a request that asks for a dry-run where there is none, or by another spelling of the parameter (400): it would be
 * carried out. Other unknown parameters are ignored.
 */
export const refuseDryRun: Step = (c, { query }) =>
  hasQuery(c) ? findFault(queryOf(c), Object.hasOwn(query, NAME)) : null;

const NO_DRY_RUN = 'has no effect here, so the request would be carried out: leave it out to do that';

/** The fault of a query, of an operation with or without a dry-run; null for a good one. */
export function findFault(query: URLSearchParams, hasDryRun: boolean): Failure | null {
  for (const [name, value] of query) {
    if (!SPELLED.test(name) || (hasDryRun && name === NAME)) continue;
    if (name !== NAME) return failure('IllegalValue', name, hasDryRun ? `is spelled ${NAME}` : NO_DRY_RUN);
    if (value !== 'false') return failure('IllegalValue', name, NO_DRY_RUN);
  }
  return null;
}
