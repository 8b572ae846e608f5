import { createOpenApiDocument } from '@access-admin/contract';
import type { Failure } from '@access-admin/domain';
import { createSodReader, type Store } from '@access-admin/store';
import { Hono } from 'hono';
import { createTokenSigner } from './access-token.ts';
import { createHeadSigner } from './audit-head.ts';
import { createAuthenticate } from './authenticate.ts';
import { createAwaitCheck } from './await-check.ts';
import { createBodyBudget } from './body-budget.ts';
import type { Config } from './config.ts';
import type { Exchange, ObservedHandler, Reply } from './exchange.ts';
import { type Env, honoHandler } from './hono-exchange.ts';
import { createLimitRate } from './limit-rate.ts';
import { mountOperations } from './mount-operations.ts';
import { createObserve, type ObserveDeps } from './observe-requests.ts';
import { createOperationHandlers } from './operation-handlers.ts';
import { problemReply } from './problem.ts';
import { createRefuseUnrouted } from './refuse-unrouted.ts';
import { pathOf, targetOf } from './request-target.ts';
import { mountDocs } from './routes/docs.ts';
import { createTokenEndpoint } from './routes/oauth-token.ts';
import { mountServiceEndpoints } from './routes/service-endpoints.ts';
import type { Secrets } from './secrets.ts';
import { createSecurityHeaders } from './security-headers.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { Soon } from './soon.ts';
import { createVerifyToken } from './verify-token.ts';

export interface AppDeps extends Omit<ObserveDeps, 'addSecurityHeaders'> {
  readonly store: Store;
  readonly keys: SigningKeys;
  readonly secrets: Secrets;
  readonly config: Pick<Config, 'baseAddress' | 'rateLimit' | 'externalIssuer' | 'cacheBytes'>;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly newSecret: () => string;
}

/** The whole HTTP interface; nothing in it listens on a port. */
export interface App {
  readonly hono: Hono<Env>;
  /** The handlers of the operations that need no router, by path; Hono has them too. */
  readonly direct: ReadonlyMap<string, ObservedHandler>;
  /** Answers what cannot be routed, or an error that nothing else has answered: a bug. */
  readonly refuse: (fault: Failure | Error, exchange: Exchange) => Soon<Reply>;
}

// Of what may be kept for predictions, and besides it.
const LINT_SHARE = 1 / 8;

export function createApp(deps: AppDeps): App {
  const { store, config, keys } = deps;
  // Paths are matched as sent: parameters are decoded once, by the router.
  const hono = new Hono<Env>({ getPath: (request, options) => pathOf(targetOf(request, options?.env)) });
  const observe = createObserve({ ...deps, addSecurityHeaders: createSecurityHeaders(config.baseAddress) });
  const verifyToken = createVerifyToken({ keys, externalIssuer: config.externalIssuer, now: deps.now });
  const handlers = createOperationHandlers({
    ...deps,
    reader: createSodReader(store.sod, config),
    lintBytesMax: config.cacheBytes * LINT_SHARE,
    awaitCheck: createAwaitCheck({ checks: store.checks, onCommit: store.onCommit, stopping: deps.stopping }),
    baseAddress: config.baseAddress,
    signHead: createHeadSigner(keys),
  });
  const direct = mountOperations(hono, handlers, {
    observe,
    authenticate: createAuthenticate({ ...deps, clients: store.clients, verifyToken, baseAddress: config.baseAddress }),
    limitRate: createLimitRate(config.rateLimit),
    audit: store.audit,
    bodies: createBodyBudget(),
    now: deps.now,
  });
  const signer = createTokenSigner({ ...deps, baseAddress: config.baseAddress });
  const issueToken = createTokenEndpoint({ ...deps, clients: store.clients, signer });
  hono.post('/oauth/token', honoHandler(observe(issueToken)));
  mountServiceEndpoints(hono, { ...deps, observe, openApi: () => createOpenApiDocument(config.baseAddress) });
  mountDocs(hono, observe);
  hono.notFound(honoHandler(observe(createRefuseUnrouted())));
  // What no handler of ours has seen: for whoever runs the router.
  hono.onError((error) => {
    throw error;
  });
  const refuse: App['refuse'] = (fault, exchange) =>
    observe((_, { trackingId }) => {
      if (fault instanceof Error) throw fault;
      return problemReply(fault, trackingId);
    })(exchange);
  return { hono, direct, refuse };
}
