import {
  approveException,
  type ExceptionActor,
  type Failure,
  fail,
  failure,
  type Result,
  requestException,
  revokeException,
  type SodExceptionRecord,
  showSodException,
  validateNewException,
} from '@access-admin/domain';
import type { SodExceptionStore } from '@access-admin/store';
import {
  auditContextOfRequest,
  type CheckedRequest,
  type OperationHandler,
  type OperationHandlers,
} from '../../operations/operation.ts';
import { answerList } from '../answers/list.ts';
import { ifMatch, withEtag } from '../answers/resource.ts';

export interface SodExceptionParts {
  readonly exceptions: SodExceptionStore;
  readonly baseAddress: string;
  /** The states of exceptions are those at the time of the request. */
  readonly now: () => Date;
  readonly newId: () => string;
}

/** The operations on exceptions from SOD policies. */
export const sodExceptionHandlers = ({ exceptions, baseAddress, now, newId }: SodExceptionParts) =>
  ({
    'list-sod-exceptions-v1': (request) => {
      const { tenant } = request.caller;
      const query = { conditions: request.query.filters, now: now().toISOString() };
      return answerList(request, baseAddress, {
        list: async (page) =>
          (await exceptions.list(tenant, query, page)).map((one) => showSodException(one, query.now)),
        count: () => exceptions.count(tenant, query),
      });
    },
    'create-sod-exception-v1': createSodException(exceptions, now, newId),
    'get-sod-exception-v1': async ({ caller, params }) => {
      const found = await exceptions.find(caller.tenant, params.id);
      return found === null
        ? fail(failure('NotFound', '', 'There is no such SOD exception.'))
        : withEtag(showSodException(found, now().toISOString()));
    },
    'approve-sod-exception-v1': moveException(exceptions, now, approveException),
    'revoke-sod-exception-v1': moveException(exceptions, now, (exception, _, actor) =>
      revokeException(exception, actor),
    ),
  }) satisfies Partial<OperationHandlers>;

/** create-sod-exception-v1 */
const createSodException =
  (exceptions: SodExceptionStore, now: () => Date, newId: () => string): OperationHandler<'create-sod-exception-v1'> =>
  async (request) => {
    const auditContext = auditContextOfRequest(request, now());
    const requested = request.body;
    const actor = { ...actorOf(request, auditContext.time), id: newId() };
    const refused = validateNewException(requested, actor);
    if (refused !== null) return fail(refused);
    const created = await exceptions.create(auditContext, requested, (view) =>
      requestException(requested, view, actor),
    );
    if (!created.ok) return created;
    return withEtag(showSodException(created.value, auditContext.time), { location: `/sod-exceptions/v1/${actor.id}` });
  };

type Move = (...given: Parameters<typeof approveException>) => Result<SodExceptionRecord, Failure>;

/** approve-sod-exception-v1, revoke-sod-exception-v1 */
const moveException =
  (
    exceptions: SodExceptionStore,
    now: () => Date,
    move: Move,
  ): OperationHandler<'approve-sod-exception-v1' | 'revoke-sod-exception-v1'> =>
  async (request) => {
    const auditContext = auditContextOfRequest(request, now());
    const actor = actorOf(request, auditContext.time);
    const moved = await exceptions.change(auditContext, request.params.id, {
      precondition: (exception) => ifMatch(request)(showSodException(exception, auditContext.time)),
      decide: ({ exception, ...view }) => move(exception, view, actor),
    });
    return moved.ok ? withEtag(showSodException(moved.value, auditContext.time)) : moved;
  };

function actorOf({ caller }: Pick<CheckedRequest, 'caller'>, now: string): ExceptionActor {
  if (caller.identityId === null) throw new Error('The operation is for identities only.');
  return { identityId: caller.identityId, now };
}
