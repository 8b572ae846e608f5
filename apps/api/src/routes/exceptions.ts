import { EXCEPTIONS } from '@access-admin/contract';
import {
  approveException,
  type Caller,
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
import type { ExceptionView } from '@access-admin/store';
import { Hono } from 'hono';
import type { ApiEnv, RequestContext } from '../env.ts';
import type { Answer } from '../http/answer.ts';
import { auditContext } from '../http/audit-context.ts';
import type { ApiFailure } from '../http/problem.ts';
import { type Input, route } from '../operations/route.ts';
import { namesVersion } from './answers/etag.ts';
import { answerList } from './answers/list.ts';
import { ifMatch, withEtag } from './answers/resource.ts';

/** Exceptions from SOD policies. Their states are those at the time of the request. */
export const exceptions = () =>
  new Hono<ApiEnv>()
    .on(
      ...route(EXCEPTIONS.list, (c, { caller: { tenant }, query: { filters, page } }) => {
        const { store, system } = c.env.services;
        const query = { conditions: filters, now: system.now().toISOString() };
        return answerList(c, page, {
          list: async (wanted) => (await store.exceptions.list(tenant, query, wanted)).map(showAt(query.now)),
          count: () => store.exceptions.count(tenant, query),
        });
      }),
    )
    .on(
      ...route(EXCEPTIONS.create, async (c, { caller, body: requested }) => {
        const { store, system } = c.env.services;
        const audit = auditContext(c);
        const actor = { ...actorOf(caller, audit.time), id: system.newId() };
        const refused = validateNewException(requested, actor);
        if (refused !== null) return fail(refused);
        const created = await store.exceptions.create(audit, requested, (view) =>
          requestException(requested, view, actor),
        );
        if (!created.ok) return created;
        const location = `/sod-exceptions/v1/${actor.id}`;
        return withEtag(c, showAt(audit.time)(created.value), { status: 201, location });
      }),
    )
    .on(
      ...route(EXCEPTIONS.get, async (c, { caller, params }) => {
        const { store, system } = c.env.services;
        const time = system.now().toISOString();
        const found = await store.exceptions.find(caller.tenant, params.id, time);
        return found === null ? fail(NO_EXCEPTION) : withEtag(c, showAt(time)(found));
      }),
    )
    .on(
      ...route(EXCEPTIONS.approve, (c, input) =>
        moveException(c, input, { decide: approveException, admit: admitApproval }),
      ),
    )
    .on(
      ...route(EXCEPTIONS.revoke, (c, input) =>
        moveException(c, input, { decide: revokeException, admit: () => ok(null) }),
      ),
    );

const NO_EXCEPTION = failure('NotFound', '', 'There is no such SOD exception.');

/** A step of an exception. */
interface Move {
  readonly decide: (
    exception: SodExceptionRecord,
    view: Omit<ExceptionView, 'exception'>,
    actor: DecidingActor,
  ) => Result<SodExceptionRecord, Failure>;
  /** Whether the caller has to name the version that it has seen. */
  readonly admit: (c: RequestContext, seen: SeenException) => Result<null, ApiFailure>;
}

/** Where terms have changed since the request, the approver names by `If-Match` the version that it has seen. */
function admitApproval(c: RequestContext, seen: SeenException): Result<null, ApiFailure> {
  if (!haveTermsChanged(seen) || namesVersion(c.req.header('if-match'))) return ok(null);
  return fail({ type: 'PreconditionRequired', causes: [{ at: 'If-Match', text: TERMS_CHANGED }] });
}

const TERMS_CHANGED =
  'the terms of the exception have changed since it was requested: read it again, and send its ETag';

async function moveException(
  c: RequestContext,
  { caller, params, body }: Input<typeof EXCEPTIONS.approve>,
  { decide, admit }: Move,
): Promise<Answer> {
  const audit = auditContext(c);
  const show = showAt(audit.time);
  const actor = { ...actorOf(caller, audit.time), comment: body.comment ?? null };
  const moved = await c.env.services.store.exceptions.change(audit, params.id, {
    precondition: (seen) => {
      const admitted = admit(c, seen);
      return admitted.ok ? ifMatch(c)(show(seen)) : admitted;
    },
    decide: ({ exception, ...view }) => decide(exception, view, actor),
  });
  return moved.ok ? withEtag(c, show(moved.value)) : moved;
}

const showAt =
  (now: string) =>
  ({ exception, presentTerms }: SeenException) =>
    showSodException(exception, now, presentTerms);

function actorOf({ identityId }: Caller, now: string): ExceptionActor {
  if (identityId === null) throw new Error('The operation is for identities only.');
  return { identityId, now };
}
