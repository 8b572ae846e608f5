import { type Failure, failure } from '@access-admin/domain';

const NAME = 'dryRun';
/** Spellings that a caller may take for the parameter. */
const SPELLED = /^dry[-_]?run$/i;

const NO_DRY_RUN = 'has no effect here, so the request would be carried out: leave it out to do that';

/**
 * Finds a parameter that asks for a dry-run where there is none, or by another spelling of the parameter: the request would be
 * carried out. Other unknown parameters are ignored. Null for a good query.
 */
export function findDryRunFault(query: URLSearchParams, hasDryRun: boolean): Failure | null {
  for (const [name, value] of query) {
    if (!SPELLED.test(name) || (hasDryRun && name === NAME)) continue;
    if (name !== NAME) return failure('IllegalValue', name, hasDryRun ? `is spelled ${NAME}` : NO_DRY_RUN);
    if (value !== 'false') return failure('IllegalValue', name, NO_DRY_RUN);
  }
  return null;
}
