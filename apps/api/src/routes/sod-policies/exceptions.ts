import { type newSodException, parseFilters, SOD_EXCEPTION_FILTERS } from '@access-admin/contract';
import {
  approveException,
  type ExceptionActor,
  type Failure,
  fail,
  failure,
  ok,
  type Result,
  requestException,
  revokeException,
  type SodExceptionRecord,
  showSodException,
  validateNewException,
} from '@access-admin/domain';
import type { ExceptionCondition, SodExceptionStore, Store } from '@access-admin/store';
import type { InferOutput } from 'valibot';
import type { OperationHandlers } from '../../operations/operation.ts';
import { auditContextOfRequest, type OperationHandler, type OperationRequest } from '../../operations/operation.ts';
import { answerList, queryOf } from '../answers/list.ts';
import { onceOf } from '../answers/once-of.ts';
import { ifMatch, withEtag } from '../answers/resource.ts';

export interface SodExceptionDeps {
  readonly store: Pick<Store, 'sodExceptions'>;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly newId: () => string;
}

export function sodExceptionHandlers({ store, baseAddress, now, newId }: SodExceptionDeps) {
  const deps = { exceptions: store.sodExceptions, now };
  return {
    'list-sod-exceptions-v1': listSodExceptions(deps, baseAddress),
    'create-sod-exception-v1': createSodException({ ...deps, newId }),
    'get-sod-exception-v1': getSodException(deps),
    'approve-sod-exception-v1': approveSodException(deps),
    'revoke-sod-exception-v1': revokeSodException(deps),
  } satisfies Partial<OperationHandlers>;
}

/** The states of exceptions are those at the time of the request. */
interface ExceptionDeps {
  readonly exceptions: SodExceptionStore;
  readonly now: () => Date;
}

/** list-sod-exceptions-v1 */
const listSodExceptions =
  ({ exceptions, now }: ExceptionDeps, baseAddress: string): OperationHandler =>
  (request) => {
    const conditions = parseConditions(queryOf(request));
    if (!conditions.ok) return conditions;
    const query = { conditions: conditions.value, now: now().toISOString() };
    const { tenant } = request.caller;
    return answerList(request, baseAddress, {
      list: async (page) => (await exceptions.list(tenant, query, page)).map((one) => showSodException(one, query.now)),
      count: () => exceptions.count(tenant, query),
    });
  };

/** create-sod-exception-v1 */
const createSodException =
  ({ exceptions, now, newId }: ExceptionDeps & { readonly newId: () => string }): OperationHandler =>
  async (request) => {
    const auditContext = auditContextOfRequest(request, now());
    const requested = request.body as InferOutput<typeof newSodException>;
    const actor = { ...actorOf(request, auditContext.time), id: newId() };
    const refused = validateNewException(requested, actor);
    if (refused !== null) return fail(refused);
    const created = await exceptions.create(auditContext, requested, (view) =>
      requestException(requested, view, actor),
    );
    if (!created.ok) return created;
    return withEtag(showSodException(created.value, auditContext.time), { location: `/sod-exceptions/v1/${actor.id}` });
  };

/** get-sod-exception-v1 */
const getSodException =
  ({ exceptions, now }: ExceptionDeps): OperationHandler =>
  async ({ caller, params: { id = '' } }) => {
    const found = await exceptions.find(caller.tenant, id);
    return found === null
      ? fail(failure('NotFound', '', 'There is no such SOD exception.'))
      : withEtag(showSodException(found, now().toISOString()));
  };

/** approve-sod-exception-v1 */
const approveSodException = (deps: ExceptionDeps): OperationHandler => moveException(deps, approveException);

/** revoke-sod-exception-v1 */
const revokeSodException = (deps: ExceptionDeps): OperationHandler =>
  moveException(deps, (exception, _, actor) => revokeException(exception, actor));

type Move = (...given: Parameters<typeof approveException>) => Result<SodExceptionRecord, Failure>;

const moveException =
  ({ exceptions, now }: ExceptionDeps, move: Move): OperationHandler =>
  async (request) => {
    const auditContext = auditContextOfRequest(request, now());
    const actor = actorOf(request, auditContext.time);
    const moved = await exceptions.change(auditContext, request.params['id'] ?? '', {
      precondition: (exception) => ifMatch(request)(showSodException(exception, auditContext.time)),
      decide: ({ exception, ...view }) => move(exception, view, actor),
    });
    return moved.ok ? withEtag(showSodException(moved.value, auditContext.time)) : moved;
  };

function actorOf({ caller }: OperationRequest, now: string): ExceptionActor {
  if (caller.identityId === null) throw new Error('The operation is for identities only.');
  return { identityId: caller.identityId, now };
}

function parseConditions(query: URLSearchParams): Result<readonly ExceptionCondition[], Failure> {
  const filters = onceOf(query, 'filters');
  if (!filters.ok) return filters;
  const conditions = filters.value === null ? ok([]) : parseFilters(filters.value, SOD_EXCEPTION_FILTERS);
  return conditions.ok ? ok(conditions.value as readonly ExceptionCondition[]) : conditions;
}
