import { createOpenApiDocument } from '@access-admin/contract';
import { createSodReader } from '@access-admin/rulebook-cache';
import type { Store } from '@access-admin/store';
import { Hono } from 'hono';
import { createHeadSigner } from './audit/sign-head.ts';
import { createAuthenticate } from './auth/authenticate.ts';
import type { Secrets } from './auth/secrets.ts';
import { createTokenSigner } from './auth/sign-token.ts';
import type { SigningKeys } from './auth/signing-keys.ts';
import { createVerifyToken } from './auth/verify-token.ts';
import type { Config } from './config.ts';
import { createBodyBudget } from './http/body-budget.ts';
import { type Env, honoHandler, targetOf } from './http/hono-exchange.ts';
import type { HttpApp } from './http/http-app.ts';
import { pathOf } from './http/request-target.ts';
import { createSecurityHeaders } from './http/security-headers.ts';
import { createLimitRate } from './operations/limit-rate.ts';
import { mountOperations } from './operations/mount-operations.ts';
import { createObserve, type ObserveDeps } from './operations/observe-requests.ts';
import { problemReply } from './operations/problem.ts';
import { createRefuseUnrouted } from './operations/refuse-unrouted.ts';
import { createOperationHandlers } from './routes/operation-handlers.ts';
import { mountDocs } from './routes/service/docs.ts';
import { mountServiceEndpoints } from './routes/service/endpoints.ts';
import { createTokenEndpoint } from './routes/service/oauth-token.ts';
import { createAwaitCheck } from './routes/sod-violations/await-check.ts';

export interface AppDeps extends Omit<ObserveDeps, 'addSecurityHeaders'> {
  readonly store: Store;
  readonly keys: SigningKeys;
  readonly secrets: Secrets;
  readonly config: Pick<Config, 'baseAddress' | 'rateLimit' | 'externalIssuer' | 'cacheBytes'>;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly newSecret: () => string;
}

// Of what may be kept for predictions, and besides it.
const LINT_SHARE = 1 / 8;

export function createApp(deps: AppDeps): HttpApp {
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
  const refuse: HttpApp['refuse'] = (fault, exchange) =>
    observe((_, { trackingId }) => {
      if (fault instanceof Error) throw fault;
      return problemReply(fault, trackingId);
    })(exchange);
  return { hono, direct, refuse };
}
