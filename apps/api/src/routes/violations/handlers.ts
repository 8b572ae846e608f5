import { fail, failure, ok, type SodViolation } from '@access-admin/domain';
import type { RegisterStore, Store } from '@access-admin/store';
import type { OperationHandler, OperationHandlers } from '../../operations/request.ts';
import { etagOf } from '../answers/etag.ts';
import { answerViolations, type ListDeps } from './list.ts';

export interface ViolationDeps {
  readonly store: Pick<Store, 'register' | 'violations'>;
  readonly baseAddress: string;
  readonly now: () => Date;
}

export const violationHandlers = ({ store: { register, violations }, baseAddress, now }: ViolationDeps) =>
  ({
    'list-violations-v1': listViolations({ violations, baseAddress, now }),
    'get-violation-v1': getViolation(register, now),
    'list-my-violations-v1': listMyViolations({ violations, baseAddress, now }),
  }) satisfies Partial<OperationHandlers>;

/** list-violations-v1 */
const listViolations =
  (deps: ListDeps): OperationHandler =>
  (request) =>
    answerViolations(request, [], deps);

/** list-my-violations-v1 */
const listMyViolations =
  (deps: ListDeps): OperationHandler =>
  (request) => {
    const values = [request.caller.identityId ?? ''];
    return answerViolations(request, [{ field: 'ownerId', operator: 'eq', values }], deps);
  };

/** get-violation-v1 */
const getViolation =
  (register: Pick<RegisterStore, 'find'>, now: () => Date): OperationHandler =>
  async ({ caller, params: { id = '' } }) => {
    const violation = await register.find(caller.tenant, id, now().toISOString());
    return violation === null
      ? fail(failure('NotFound', '', 'There is no such violation.'))
      : ok({ json: violation, headers: { etag: violationEtag(violation) } });
  };

/** The ETag of a violation, which is the same for as long as only `lastEvaluatedDate` changes. */
export function violationEtag({ lastEvaluatedDate: _, ...violation }: SodViolation): string {
  return etagOf(violation);
}
