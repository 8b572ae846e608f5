import { type BodyOf, createQueryParser, type Operation, type ParamsOf, type QueryOf } from '@access-admin/contract';
import { type Caller, type Failure, fail, failure, isResourceId, ok, type Result } from '@access-admin/domain';
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
import { refuseDryRun } from '../middleware/dry-run.ts';
import { failureOfError } from '../middleware/errors.ts';
import { recordDenial } from '../middleware/record-denial.ts';
import type { Step } from '../middleware/step.ts';

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
 * the ids of the path (404) and the query (400). The handler decides on what else is 404, on 409 and on 412.
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
  const steps = stepsOf(operation);
  const inputOf = createInput(operation);
  const handle = async (c: RequestContext): Promise<Response> => {
    const { state, services } = c.env;
    state.operationId = operation.id;
    if (operation.isAuthzen) state.requestId = requestIdOf(c);
    try {
      for (const step of steps) {
        const refusal = step(c, operation);
        // Most steps wait for nothing, and to await nothing takes longer than most steps.
        const failure = refusal instanceof Promise ? await refusal : refusal;
        if (failure !== null) return await refuseOperation(c, operation, failure);
      }
      const input = inputOf(c);
      const handling = input.ok ? handler(c, input.value) : input;
      const answer = handling instanceof Promise ? await withinDeadline(c, operation, handling) : handling;
      return answer instanceof Response ? answer : await refuseOperation(c, operation, answer.failure);
    } catch (error) {
      const { failure, reason } = failureOfError(error, state, services);
      return await refuseOperation(c, operation, failure, reason);
    } finally {
      if (state.bodySlot !== null) void releaseBody(state);
    }
  };
  return [operation.method, operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), handle];
}

const stepsOf = ({ method, body }: Operation): readonly Step[] => [
  authenticate,
  admit,
  ...(body === null ? [] : [receiveBody]),
  ...(method === 'GET' ? [] : [refuseDryRun]),
];

/** Answers a failure of an operation, of which denials are audited. */
async function refuseOperation(
  c: RequestContext,
  operation: Operation,
  failure: ApiFailure,
  reason: string | null = null,
): Promise<Response> {
  if (failure.type === 'Forbidden') await recordDenial(c, operation);
  return refuse(c, failure, reason);
}

const NO_RESOURCE = fail(failure('NotFound', '', 'There is no such resource.'));

/** Takes the parameters, the query and the body of a request. */
function createInput<O extends Operation>(operation: O): (c: RequestContext) => Result<Input<O>, Failure> {
  const parseQuery = createQueryParser(operation);
  const noQuery = parseQuery(new URLSearchParams());
  const hasParams = operation.path.includes('{');
  return (c) => {
    const params = hasParams ? c.req.param() : {};
    // A text that is not an id names no resource.
    if (hasParams && !Object.values(params).every(isResourceId)) return NO_RESOURCE;
    const query = hasQuery(c) ? parseQuery(queryOf(c)) : noQuery;
    if (!query.ok) return query;
    const input = { caller: callerOf(c), params, query: query.value, body: c.env.state.body };
    // biome-ignore lint/plugin/type-assertion: The definition has parsed the body, and its path names the parameters.
    return ok(input as unknown as Input<O>);
  };
}
