import {
  type BodyOf,
  createPathParser,
  createQueryParser,
  type Operation,
  type ParamsOf,
  type QueryOf,
} from '@access-admin/contract';
import { type Caller, type Failure, fail, ok, type Result } from '@access-admin/domain';
import type { Handler } from 'hono';
import type { ApiEnv, RequestContext } from '../env.ts';
import type { MaybePromise } from '../event-loop/maybe-promise.ts';
import type { Answer } from '../http/answer.ts';
import { callerOf } from '../http/caller.ts';
import { type ApiFailure, refuse } from '../http/problem.ts';
import { requestIdOf } from '../http/request-id.ts';
import { hasQuery, queryOf } from '../http/target.ts';
import { admit } from '../middleware/admit.ts';
import { authenticate } from '../middleware/authenticate.ts';
import { receiveBody, releaseBody } from '../middleware/body.ts';
import { withinDeadline } from '../middleware/deadline.ts';
import { failureOfError } from '../middleware/errors.ts';
import { recordDenial } from '../middleware/record-denial.ts';
import type { Step } from '../middleware/step.ts';
import { findDryRunFault } from './dry-run.ts';

/** What a request gives to the handler of an operation, as the definition of the operation types it. */
export interface Input<O extends Operation = Operation> {
  readonly caller: Caller;
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
}

/** Handles the requests of an operation that all steps have let through. */
export type OperationHandler<O extends Operation> = (c: RequestContext, input: Input<O>) => MaybePromise<Answer>;

/**
 * The route of an operation, for `app.on`. A request passes the steps in the order that callers are promised: token (401), rate
 * (429), origin and rights (403), experimental header (400), media type (415), size and body (413, 400), dry-run (400). Then come
 * the parameters of the path (404, 400) and the query (400). The handler decides on what else is 404, on 409 and on 412.
 *
 * @example
 * new Hono<ApiEnv>().on(...route(CONTROLS.get, async (c, { caller, params }) => {
 *   const control = await c.env.services.store.controls.find(caller.tenant, params.id);
 *   return control === null ? fail(NO_CONTROL) : withEtag(c, control);
 * }));
 */
export function route<const O extends Operation>(
  operation: O,
  handler: OperationHandler<O>,
): [method: string, path: string, handler: Handler<ApiEnv>] {
  const { method, path, body } = operation;
  const steps = [authenticate, admit, ...(body === null ? [] : [receiveBody(body, authenticate)])];
  const answer = answerRequests(operation, { steps, inputOf: createInput(operation), handler, refuse });
  return [method, path.replaceAll(/\{(\w+)\}/g, ':$1'), answer];
}

/** How requests are answered: what the handler takes, and failures beside those of the service. */
interface Handling<I, F> {
  readonly steps: readonly Step[];
  /** Called with a request that all steps have let through. */
  readonly inputOf: (c: RequestContext) => Result<I, Failure>;
  readonly handler: (
    c: RequestContext,
    input: I,
  ) => MaybePromise<Response | { readonly ok: false; readonly failure: ApiFailure | F }>;
  readonly refuse: (c: RequestContext, failure: ApiFailure | F, reason?: string | null) => Response;
}

/** Passes the requests of an operation through steps to a handler, within its deadline, and audits denials. */
export function answerRequests<I, F extends { readonly type: string } = never>(
  operation: Operation,
  { steps, inputOf, handler, refuse }: Handling<I, F>,
): Handler<ApiEnv> {
  const refuseAudited = async (...[c, failure, reason]: Parameters<typeof refuse>): Promise<Response> => {
    if (failure.type === 'Forbidden') await recordDenial(c, operation);
    return refuse(c, failure, reason);
  };
  return async (c) => {
    const { state, services } = c.env;
    state.operationId = operation.id;
    if (operation.isAuthzen) state.requestId = requestIdOf(c);
    try {
      for (const step of steps) {
        const refusal = step(c, operation);
        // Most steps wait for nothing, and to await nothing takes longer than most steps.
        const failure = refusal instanceof Promise ? await refusal : refusal;
        if (failure !== null) return await refuseAudited(c, failure);
      }
      const input = inputOf(c);
      const handling = input.ok ? handler(c, input.value) : input;
      const answer = handling instanceof Promise ? await withinDeadline(c, operation, handling) : handling;
      return answer instanceof Response ? answer : await refuseAudited(c, answer.failure);
    } catch (error) {
      const { failure, reason } = failureOfError(error, state, services);
      return await refuseAudited(c, failure, reason);
    } finally {
      if (state.bodySlot !== null) void releaseBody(state);
    }
  };
}

/** Takes the parameters, the query and the body of a request. What would be carried out although it asks for a dry-run comes first. */
function createInput<O extends Operation>(operation: O): (c: RequestContext) => Result<Input<O>, Failure> {
  const parseQuery = createQueryParser(operation);
  const noQuery = parseQuery(new URLSearchParams());
  const parsePath = createPathParser(operation);
  const noParams = ok({});
  const hasParams = operation.path.includes('{');
  const hasDryRun = operation.method === 'GET' ? null : Object.hasOwn(operation.query, 'dryRun');
  return (c) => {
    const asked = hasQuery(c) ? queryOf(c) : null;
    const fault = asked === null || hasDryRun === null ? null : findDryRunFault(asked, hasDryRun);
    if (fault !== null) return fail(fault);
    const params = hasParams ? parsePath(c.req.param()) : noParams;
    if (!params.ok) return params;
    const query = asked === null ? noQuery : parseQuery(asked);
    if (!query.ok) return query;
    const input = { caller: callerOf(c), params: params.value, query: query.value, body: c.env.state.body };
    // biome-ignore lint/plugin/type-assertion: The definition has parsed the parameters of the path and the body.
    return ok(input as unknown as Input<O>);
  };
}
