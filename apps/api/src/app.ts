import { createOpenApiDocument, OPERATIONS, PUBLIC_ENDPOINTS, URL_BYTES_MAX } from '@access-admin/contract';
import { createSodReader, StorageUnavailable, type Store } from '@access-admin/store';
import { Hono } from 'hono';
import { createTokenSigner } from './access-token.ts';
import { createAuthenticate } from './authenticate.ts';
import { createAwaitCheck } from './await-check.ts';
import type { Config } from './config.ts';
import { createLimitRate } from './limit-rate.ts';
import type { Metrics } from './metrics.ts';
import { mountOperations } from './mount-operations.ts';
import { createOperationHandlers } from './operation-handlers.ts';
import { problemResponse } from './problem.ts';
import type { Env, RequestState } from './request-context.ts';
import { mountDocs } from './routes/docs.ts';
import { createTokenEndpoint } from './routes/oauth-token.ts';
import { mountServiceEndpoints } from './routes/service-endpoints.ts';
import type { SigningKeys } from './signing-keys.ts';
import { createVerifyToken } from './verify-token.ts';

/** One structured line a request. */
export interface RequestLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface AppDeps {
  readonly store: Store;
  readonly keys: SigningKeys;
  readonly config: Pick<Config, 'baseAddress' | 'rateLimit' | 'externalIssuer'>;
  readonly log: RequestLog;
  readonly metrics: Metrics;
  readonly now: () => Date;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  readonly newTrackingId: () => string;
  readonly newId: () => string;
  readonly newSecret: () => string;
  /** Aborted when the service stops: who waits is answered, and connections end after their request. */
  readonly stopping: AbortSignal;
}

/** The whole HTTP interface as one Hono app; nothing in it listens on a port. */
export function createApp(deps: AppDeps): Hono<Env> {
  const { store, config, keys } = deps;
  // Paths are matched as sent: parameters are decoded once, by the router.
  const app = new Hono<Env>({ getPath: (request) => pathOf(request.url) });
  observeRequests(app, deps);
  const verifyToken = createVerifyToken({ keys, externalIssuer: config.externalIssuer, now: deps.now });
  const handlers = createOperationHandlers({
    ...deps,
    reader: createSodReader(store.sod),
    awaitCheck: createAwaitCheck({ checks: store.checks, onCommit: store.onCommit, stopping: deps.stopping }),
    baseAddress: config.baseAddress,
  });
  mountOperations(app, handlers, {
    authenticate: createAuthenticate({ clients: store.clients, verifyToken, baseAddress: config.baseAddress }),
    limitRate: createLimitRate(config.rateLimit),
  });
  const signer = createTokenSigner({ ...deps, baseAddress: config.baseAddress });
  const issueToken = createTokenEndpoint({ clients: store.clients, signer });
  app.post('/oauth/token', (context) => issueToken(context.req.raw));
  mountServiceEndpoints(app, { ...deps, openApi: createOpenApiDocument(config.baseAddress) });
  mountDocs(app);
  refuseTheRest(app);
  return app;
}

function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}

/** Tracking id, refusals before any route, faults, and the log line: around everything. */
function observeRequests(app: Hono<Env>, { log, metrics, elapsed, newTrackingId, stopping }: AppDeps): void {
  app.use('*', async (context, next) => {
    const started = elapsed();
    const state: RequestState = { trackingId: newTrackingId(), operationId: null, caller: null };
    context.set('state', state);
    if (isTooLong(context.req.raw.url)) context.res = new Response(null, { status: 414 });
    else await next();
    // Operations set it themselves: reaching into an answer's headers costs a copy of them.
    if (state.operationId === null) context.res.headers.set('x-request-id', state.trackingId);
    // A stopping service still serves what reaches it; the client's next request opens a connection elsewhere.
    if (stopping.aborted) context.res.headers.set('connection', 'close');
    const durationMs = elapsed() - started;
    const { status } = context.res;
    metrics.observe({ operationId: state.operationId, status, durationMs });
    log.info(
      {
        trackingId: state.trackingId,
        method: context.req.method,
        operation: state.operationId,
        status,
        durationMs: Math.round(durationMs * 1000) / 1000,
        tenant: state.caller?.tenant,
        clientId: state.caller?.clientId,
        identityId: state.caller?.identityId ?? undefined,
      },
      'request',
    );
  });
  app.onError((error, context) => {
    const { trackingId } = context.get('state');
    if (error instanceof StorageUnavailable) {
      log.error({ trackingId, reason: error.message }, 'storage unavailable');
      return problemResponse({ type: 'Unavailable', causes: [] }, trackingId);
    }
    log.error({ trackingId, err: error }, 'bug');
    return problemResponse({ type: 'Bug', causes: [] }, trackingId);
  });
}

const isTooLong = (url: string) => url.length - url.indexOf('/', url.indexOf('://') + 3) > URL_BYTES_MAX;

/** 405 with `Allow` for known paths, 404 for the others. */
function refuseTheRest(app: Hono<Env>): void {
  const methodsByPath = new Map<string, string[]>();
  for (const { method, path } of [...OPERATIONS, ...PUBLIC_ENDPOINTS]) {
    const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), ...methods]);
  }
  for (const [path, methods] of methodsByPath) {
    app.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), (context) =>
      problemResponse(
        { type: 'MethodNotAllowed', causes: [], allow: methods.join(', ') },
        context.get('state').trackingId,
      ),
    );
  }
  app.notFound((context) => problemResponse({ type: 'NotFound', causes: [] }, context.get('state').trackingId));
}
