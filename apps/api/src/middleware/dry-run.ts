import type { Operation } from '@access-admin/contract';
import { type Failure, failure } from '@access-admin/domain';
import type { Middleware } from '../http/env.ts';
import { refuse } from '../http/problem.ts';
import { queryOf } from '../http/target.ts';

const NAME = 'dryRun';
/** Spellings that a caller may take for the parameter. */
const SPELLED = /^dry[-_]?run$/i;

/**
 * Refuses a request that asks for a dry-run where there is none, or by another spelling of the parameter (400): it would be
 * carried out. Other unknown parameters are ignored.
 */
export function dryRun({ query }: Pick<Operation, 'query'>): Middleware {
  const hasDryRun = Object.hasOwn(query, NAME);
  return (c, next) => {
    const fault = findFault(queryOf(c), hasDryRun);
    return fault === null ? next() : Promise.resolve(refuse(c, fault));
  };
}

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
