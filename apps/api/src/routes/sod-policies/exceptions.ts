import {
  type exceptionTransition,
  type newSodException,
  parseFilters,
  SOD_EXCEPTION_FILTERS,
} from '@access-admin/contract';
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
import type { ExceptionCondition, ExceptionView, SodExceptionStore, Store } from '@access-admin/store';
import type { InferOutput } from 'valibot';
import type { ApiFailure } from '../../operations/problem.ts';
import type { OperationHandlers } from '../../operations/request.ts';
import { auditContextOfRequest, type OperationHandler, type OperationRequest } from '../../operations/request.ts';
import { namesVersion } from '../answers/etag.ts';
import { answerList, queryOf } from '../answers/list.ts';
import { onceOf } from '../answers/once-of.ts';
import { ifMatch, withEtag } from '../answers/resource.ts';

export interface SodExceptionParts {
  readonly exceptions: SodExceptionStore;
  readonly baseAddress: string;
  /** The states of exceptions are those at the time of the request. */
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
      list: async (page) => (await exceptions.list(tenant, query, page)).map(showAt(query.now)),
      count: () => exceptions.count(tenant, query),
    });
  };

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
    return withEtag(showAt(auditContext.time)(created.value), { location: `/sod-exceptions/v1/${actor.id}` });
  };

/** get-sod-exception-v1 */
const getSodException =
  ({ exceptions, now }: ExceptionDeps): OperationHandler =>
  async ({ caller, params: { id = '' } }) => {
    const time = now().toISOString();
    const found = await exceptions.find(caller.tenant, id, time);
    return found === null
      ? fail(failure('NotFound', '', 'There is no such SOD exception.'))
      : withEtag(showAt(time)(found));
  };

/** approve-sod-exception-v1 */
const approveSodException = (deps: ExceptionDeps): OperationHandler =>
  moveException(deps, { decide: approveException, admit: admitApproval });

/** revoke-sod-exception-v1 */
const revokeSodException = (deps: ExceptionDeps): OperationHandler =>
  moveException(deps, { decide: revokeException, admit: () => ok(null) });

/** A step of an exception. */
interface Move {
  readonly decide: (
    exception: SodExceptionRecord,
    view: Omit<ExceptionView, 'exception'>,
    actor: DecidingActor,
  ) => Result<SodExceptionRecord, Failure>;
  /** Whether the caller has to name the version that it has seen. */
  readonly admit: (request: OperationRequest, seen: SeenException) => Result<null, ApiFailure>;
}

/** Whoever approves terms that have changed since they were requested has to name those that it has seen. */
function admitApproval({ exchange }: OperationRequest, seen: SeenException): Result<null, ApiFailure> {
  if (!haveTermsChanged(seen) || namesVersion(exchange.header('if-match'))) return ok(null);
  return fail({ type: 'PreconditionRequired', causes: [{ at: 'If-Match', text: TERMS_CHANGED }] });
}

const TERMS_CHANGED =
  'the terms of the exception have changed since it was requested: read it again, and send its ETag';

/** approve-sod-exception-v1, revoke-sod-exception-v1 */
const moveException =
  ({ exceptions, now }: ExceptionDeps, { decide, admit }: Move): OperationHandler =>
  async (request) => {
    const auditContext = auditContextOfRequest(request, now());
    const show = showAt(auditContext.time);
    const { comment = null } = request.body as InferOutput<typeof exceptionTransition>;
    const actor = { ...actorOf(request, auditContext.time), comment };
    const moved = await exceptions.change(auditContext, request.params['id'] ?? '', {
      precondition: (seen) => {
        const admitted = admit(request, seen);
        return admitted.ok ? ifMatch(request)(show(seen)) : admitted;
      },
      decide: ({ exception, ...view }) => decide(exception, view, actor),
    });
    return moved.ok ? withEtag(show(moved.value)) : moved;
  };

const showAt =
  (now: string) =>
  ({ exception, presentTerms }: SeenException) =>
    showSodException(exception, now, presentTerms);

function actorOf({ caller }: OperationRequest, now: string): ExceptionActor {
  if (caller.identityId === null) throw new Error('The operation is for identities only.');
  return { identityId: caller.identityId, now };
}
