import { createQueryParser, OPERATIONS, type Operation } from '@access-admin/contract';
import { type Failure, failure, isResourceId, ok, type Result } from '@access-admin/domain';
import { type Handler, Hono } from 'hono';
import type { Authenticate } from '../auth/authenticate.ts';
import { type MaybePromise, whenReady } from '../event-loop/maybe-promise.ts';
import { type Answer, answer } from '../http/answer.ts';
import { callerOf } from '../http/caller.ts';
import type { Env, RequestContext } from '../http/env.ts';
import { type ApiFailure, refuse } from '../http/problem.ts';
import { queryOf } from '../http/target.ts';
import { authenticated } from '../middleware/authenticate.ts';
import { type AuthorizeDeps, authorized } from '../middleware/authorize.ts';
import { type BodyDeps, body } from '../middleware/body.ts';
import { dryRun } from '../middleware/dry-run.ts';
import { type ExperimentalHeader, experimental } from '../middleware/experimental.ts';
import { type CountRequest, limitRate } from '../middleware/limit-rate.ts';
import { mediaType } from '../middleware/media-type.ts';
import { named } from '../middleware/named.ts';
import { type DenialDeps, recordDenials } from '../middleware/record-denials.ts';
import { sameOrigin } from '../middleware/same-origin.ts';
import type { StreamJson } from '../streaming/stream-json.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import { createWithDeadline } from './deadline.ts';
import type { OperationHandler, OperationHandlers, OperationRequest, OperationResult } from './operation.ts';

export interface OperationDeps extends BodyDeps, DenialDeps, AuthorizeDeps {
  readonly authenticate: Authenticate;
  /** Null when limiting is off. */
  readonly countRequest: CountRequest | null;
  readonly experimentalHeader: ExperimentalHeader;
  readonly baseAddress: string;
  readonly streamJson: StreamJson;
  readonly log: Pick<RequestLog, 'error'>;
}

/**
 * A route for every operation of the table, with the checks in the order that callers are promised: token (401), rate (429),
 * origin and rights (403), experimental header (400), media type (415), size and body (413, 400). Token and rights are those of the
 * moment after the body. The handler decides on 404, 409 and 412.
 */
export function createOperations(handlers: OperationHandlers, deps: OperationDeps): Hono<Env> {
  const app = new Hono<Env>();
  for (const operation of OPERATIONS) {
    const authenticate = authenticated(deps.authenticate);
    const authorize = authorized(operation, deps);
    const checks = [
      named(operation.id),
      recordDenials(operation, deps),
      authenticate,
      limitRate(deps.countRequest),
      sameOrigin(deps.baseAddress),
      authorize,
      ...(operation.experimental ? [experimental(deps.experimentalHeader)] : []),
      // A body may take minutes to arrive, so the caller is authenticated again afterwards.
      ...(operation.body === null
        ? []
        : [mediaType(operation.body), body(operation.body, operation, deps), authenticate, authorize]),
      ...(operation.method === 'GET' ? [] : [dryRun(operation)]),
    ];
    // biome-ignore lint/plugin/type-assertion: The handler of an operation takes what the same operation parses.
    const handle = run(operation, handlers[operation.id] as OperationHandler, deps);
    app.on(operation.method, [toHonoPath(operation.path)], ...checks, handle);
  }
  return app;
}

/** `{name}` of the table as `:name` of Hono. */
const toHonoPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Calls the handler with what the checks have parsed, and answers with its result. */
function run(operation: Operation, handler: OperationHandler, { streamJson, log }: OperationDeps): Handler<Env> {
  const parseQuery = createQueryParser(operation);
  const withDeadline = createWithDeadline(operation, log);
  return async (c) => {
    const params = c.req.param();
    // A text that is not an id names no resource.
    if (!Object.values(params).every(isResourceId)) return refuse(c, NO_RESOURCE);
    const query = parseQuery(queryOf(c));
    if (!query.ok) return refuse(c, query.failure);
    // biome-ignore lint/plugin/type-assertion: The parsers of the operation give the body and the query the types of its definition, its path those of the parameters.
    const parsed = { params, query: query.value, body: c.req.valid('json' as never) } as unknown as Parsed;
    const made = handler({ c, operation, caller: callerOf(c), ...parsed });
    const answered = await withDeadline(
      c,
      whenReady(made, (result) => (result.ok ? answerOf(c, operation, result.value, streamJson) : result)),
    );
    return answered.ok ? answer(c, answered.value) : refuse(c, answered.failure);
  };
}

type Parsed = Pick<OperationRequest, 'params' | 'query' | 'body'>;

const NO_RESOURCE: Failure = failure('NotFound', '', 'There is no such resource.');

function answerOf(
  c: RequestContext,
  { response: { status, mediaType } }: Operation,
  result: OperationResult,
  streamJson: StreamJson,
): MaybePromise<Result<Answer, ApiFailure>> {
  const { headers = {} } = result;
  if ('isEmpty' in result) return ok({ status: 204, headers, body: null });
  if (mediaType === null) return ok({ status, headers, body: null });
  const head = { status, headers: { 'content-type': mediaType, ...headers } };
  if ('json' in result) return ok({ ...head, body: JSON.stringify(result.json) });
  if ('stream' in result) return ok({ ...head, body: result.stream });
  const { text } = result;
  if (typeof text === 'string') return ok({ ...head, body: text });
  return streamJson(c, text).then((body) => ok({ ...head, body }));
}
