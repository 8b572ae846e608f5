import { createOpenApiDocument } from '@access-admin/contract';
import { createSodReader, type Store } from '@access-admin/store';
import { Hono } from 'hono';
import { createTokenSigner } from './access-token.ts';
import { createAuthenticate } from './authenticate.ts';
import { createAwaitCheck } from './await-check.ts';
import type { Config } from './config.ts';
import { createLimitRate } from './limit-rate.ts';
import { mountOperations } from './mount-operations.ts';
import { createObserve, type ObserveDeps } from './observe-requests.ts';
import { createOperationHandlers } from './operation-handlers.ts';
import { createRefuseUnrouted } from './refuse-unrouted.ts';
import type { Env } from './request-context.ts';
import { pathOf, targetOf } from './request-target.ts';
import { mountDocs } from './routes/docs.ts';
import { createTokenEndpoint } from './routes/oauth-token.ts';
import { mountServiceEndpoints } from './routes/service-endpoints.ts';
import type { SigningKeys } from './signing-keys.ts';
import { createVerifyToken } from './verify-token.ts';

export interface AppDeps extends ObserveDeps {
  readonly store: Store;
  readonly keys: SigningKeys;
  readonly config: Pick<Config, 'baseAddress' | 'rateLimit' | 'externalIssuer'>;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly newSecret: () => string;
}

/** The whole HTTP interface as one Hono app; nothing in it listens on a port. */
export function createApp(deps: AppDeps): Hono<Env> {
  const { store, config, keys } = deps;
  // Paths are matched as sent: parameters are decoded once, by the router.
  const app = new Hono<Env>({ getPath: (request, options) => pathOf(targetOf(request, options?.env)) });
  const observe = createObserve(deps);
  const verifyToken = createVerifyToken({ keys, externalIssuer: config.externalIssuer, now: deps.now });
  const handlers = createOperationHandlers({
    ...deps,
    reader: createSodReader(store.sod),
    awaitCheck: createAwaitCheck({ checks: store.checks, onCommit: store.onCommit, stopping: deps.stopping }),
    baseAddress: config.baseAddress,
  });
  mountOperations(app, handlers, {
    observe,
    authenticate: createAuthenticate({ clients: store.clients, verifyToken, baseAddress: config.baseAddress }),
    limitRate: createLimitRate(config.rateLimit),
  });
  const signer = createTokenSigner({ ...deps, baseAddress: config.baseAddress });
  const issueToken = createTokenEndpoint({ clients: store.clients, signer });
  app.post('/oauth/token', observe(issueToken));
  mountServiceEndpoints(app, { ...deps, observe, openApi: createOpenApiDocument(config.baseAddress) });
  mountDocs(app, observe);
  app.notFound(observe(createRefuseUnrouted()));
  return app;
}
