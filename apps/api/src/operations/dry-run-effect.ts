import type { Operation } from '@access-admin/contract';
import { type Failure, fail, failure, type Result } from '@access-admin/domain';
import { OK } from '../event-loop/maybe-promise.ts';
import type { Exchange } from '../http/exchange.ts';

const NAME = 'dryRun';
/** Spellings that a caller may take for the parameter. */
const SPELLED = /^dry[-_]?run$/i;

/**
 * Refuses a request that asks for a dry-run where there is none, or by another spelling of the parameter: it would be carried
 * out. Other unknown parameters are ignored.
 */
export function createCheckDryRun({ method, query = [] }: Pick<Operation, 'method' | 'query'>) {
  const hasDryRun = query.some(({ name }) => name === NAME);
  return ({ target }: Pick<Exchange, 'target'>): Result<null, Failure> => {
    const start = target.indexOf('?');
    if (start === -1 || method === 'GET') return OK;
    for (const [name, value] of new URLSearchParams(target.slice(start + 1))) {
      if (!SPELLED.test(name) || (hasDryRun && name === NAME)) continue;
      if (name !== NAME) return illegal(name, hasDryRun ? `is spelled ${NAME}` : NO_DRY_RUN);
      if (value !== 'false') return illegal(name, NO_DRY_RUN);
    }
    return OK;
  };
}

const NO_DRY_RUN = 'has no effect here, so the request would be carried out: leave it out to do that';

const illegal = (at: string, rule: string) => fail(failure('IllegalValue', at, rule));
