import {
  approveException,
  type DecidingActor,
  type ExceptionActor,
  type Failure,
  fail,
  failure,
  haveTermsChanged,
  ok,
  type Result,
  requestException,
  revokeException,
  type SeenException,
  type SodExceptionRecord,
  showSodException,
  validateNewException,
} from '@access-admin/domain';
import type { ExceptionStore, ExceptionView } from '@access-admin/store';
import type { ApiFailure } from '../../http/problem.ts';
import { answerList, withEtag } from '../../operations/answers.ts';
import {
  auditContextOfRequest,
  type CheckedRequest,
  type OperationHandler,
  type OperationHandlers,
} from '../../operations/operation.ts';
import { namesVersion } from '../answers/etag.ts';
import { ifMatch } from '../answers/resource.ts';

export interface SodExceptionParts {
  readonly exceptions: ExceptionStore;
  readonly baseAddress: string;
  /** The states of exceptions are those at the time of the request. */
  readonly now: () => Date;
  readonly newId: () => string;
}

/** The operations on exceptions from SOD policies. */
export const exceptionHandlers = ({ exceptions, baseAddress, now, newId }: SodExceptionParts) =>
  ({
    'list-sod-exceptions-v1': (request) => {
      const { tenant } = request.caller;
      const query = { conditions: request.query.filters, now: now().toISOString() };
      return answerList(request, baseAddress, {
        list: async (page) => (await exceptions.list(tenant, query, page)).map(showAt(query.now)),
        count: () => exceptions.count(tenant, query),
      });
    },
    'create-sod-exception-v1': createSodException(exceptions, now, newId),
    'get-sod-exception-v1': async ({ caller, params }) => {
      const time = now().toISOString();
      const found = await exceptions.find(caller.tenant, params.id, time);
      return found === null
        ? fail(failure('NotFound', '', 'There is no such SOD exception.'))
        : withEtag(showAt(time)(found));
    },
    'approve-sod-exception-v1': moveException(exceptions, now, { decide: approveException, admit: admitApproval }),
    'revoke-sod-exception-v1': moveException(exceptions, now, { decide: revokeException, admit: () => ok(null) }),
  }) satisfies Partial<OperationHandlers>;

/** create-sod-exception-v1 */
const createSodException =
  (exceptions: ExceptionStore, now: () => Date, newId: () => string): OperationHandler<'create-sod-exception-v1'> =>
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
    return withEtag(showAt(auditContext.time)(created.value), { location: `/sod-exceptions/v1/${actor.id}` });
  };

/** A step of an exception. */
interface Move {
  readonly decide: (
    exception: SodExceptionRecord,
    view: Omit<ExceptionView, 'exception'>,
    actor: DecidingActor,
  ) => Result<SodExceptionRecord, Failure>;
  /** Whether the caller has to name the version that it has seen. */
  readonly admit: (request: CheckedRequest, seen: SeenException) => Result<null, ApiFailure>;
}

/** Where terms have changed since the request, the approver names by `If-Match` the version that it has seen. */
function admitApproval({ c }: CheckedRequest, seen: SeenException): Result<null, ApiFailure> {
  if (!haveTermsChanged(seen) || namesVersion(c.req.header('if-match'))) return ok(null);
  return fail({ type: 'PreconditionRequired', causes: [{ at: 'If-Match', text: TERMS_CHANGED }] });
}

const TERMS_CHANGED =
  'the terms of the exception have changed since it was requested: read it again, and send its ETag';

/** approve-sod-exception-v1, revoke-sod-exception-v1 */
const moveException =
  (
    exceptions: ExceptionStore,
    now: () => Date,
    { decide, admit }: Move,
  ): OperationHandler<'approve-sod-exception-v1' | 'revoke-sod-exception-v1'> =>
  async (request) => {
    const auditContext = auditContextOfRequest(request, now());
    const show = showAt(auditContext.time);
    const { comment = null } = request.body;
    const actor = { ...actorOf(request, auditContext.time), comment };
    const moved = await exceptions.change(auditContext, request.params.id, {
      precondition: (seen) => {
        const admitted = admit(request, seen);
        return admitted.ok ? ifMatch(request.c)(show(seen)) : admitted;
      },
      decide: ({ exception, ...view }) => decide(exception, view, actor),
    });
    return moved.ok ? withEtag(show(moved.value)) : moved;
  };

const showAt =
  (now: string) =>
  ({ exception, presentTerms }: SeenException) =>
    showSodException(exception, now, presentTerms);

function actorOf({ caller }: Pick<CheckedRequest, 'caller'>, now: string): ExceptionActor {
  if (caller.identityId === null) throw new Error('The operation is for identities only.');
  return { identityId: caller.identityId, now };
}
