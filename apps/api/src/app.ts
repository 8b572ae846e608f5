import { createSodReader } from '@access-admin/rulebook-cache';
import type { SecretCipher, Store } from '@access-admin/store';
import { Hono } from 'hono';
import type { DenialLog } from './audit/coalesce-denials.ts';
import { createHeadSigner } from './audit/sign-head.ts';
import { createAuthenticate } from './auth/authenticate.ts';
import type { Secrets } from './auth/client-secrets/secrets.ts';
import { createHostTenants, type HostTenants } from './auth/host-tenants.ts';
import { createJsonSigner } from './auth/sign-json.ts';
import { createTokenSigner } from './auth/sign-token.ts';
import type { SigningKeys } from './auth/signing-keys.ts';
import { createVerifyToken } from './auth/verify-token.ts';
import type { Config } from './config.ts';
import type { PasswordThreads } from './credentials/password-threads.ts';
import { createExports } from './exports/answer-exports.ts';
import { createClientAddress } from './http/client-address.ts';
import { createRouter, type Router } from './http/router.ts';
import { createSecurityHeaders } from './http/security-headers.ts';
import { createLimitRate } from './operations/limit-rate.ts';
import { mountOperations } from './operations/mount.ts';
import { createObserve, type ObserveDeps } from './operations/observe.ts';
import { createOfTenants, type OfTenants } from './operations/of-tenants.ts';
import { problemResponse } from './operations/problem.ts';
import { createRefuseUnrouted } from './operations/refuse-unrouted.ts';
import { createPages, type PagesDeps } from './pages/mount.ts';
import { createProcessRooms } from './rooms/process-rooms.ts';
import { createOperationHandlers } from './routes/operation-handlers.ts';
import { docs } from './routes/service/docs.ts';
import { serviceEndpoints } from './routes/service/endpoints.ts';
import { tokenEndpoint } from './routes/service/oauth-token.ts';
import { currentSession } from './routes/sessions/current.ts';
import { createAwaitCheck } from './routes/sod-violations/await-check.ts';
import { createSessionCookie } from './sessions/cookie.ts';
import { createSessions } from './sessions/sessions.ts';
import { createDecider } from './sign-in/decide.ts';
import { createAskerOf, createGuardOf } from './sign-in/guard.ts';
import { createOriginOf } from './sign-in/origin.ts';
import type { Metrics } from './telemetry/metrics.ts';
import type { RequestLog } from './telemetry/request-log.ts';

/** The clock, the timers and the randomness of the process. */
export interface System {
  readonly now: () => Date;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  /** Resolves after this time, in ms. */
  readonly wait: (ms: number) => Promise<void>;
  readonly newBytes: (count: number) => Uint8Array;
  readonly newId: () => string;
  readonly newSecret: () => string;
  readonly newTrackingId: () => string;
}

/** What the service is made of. */
export interface AppParts {
  readonly store: Store;
  readonly config: AppConfig;
  readonly system: System;
  readonly keys: SigningKeys;
  readonly secrets: Secrets;
  /** The cipher of the secrets in the store; null where the operator has given no key. */
  readonly cipher: SecretCipher | null;
  /** Where passwords are hashed. */
  readonly passwordThreads: Pick<PasswordThreads, 'run'>;
  readonly denials: Pick<DenialLog, 'record'>;
  readonly log: RequestLog;
  readonly metrics: Metrics;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

export type AppConfig = Pick<
  Config,
  | 'baseAddress'
  | 'tenant'
  | 'rateLimit'
  | 'externalIssuer'
  | 'cacheBytes'
  | 'metricsToken'
  | 'trustedProxies'
  | 'webhookTargets'
  | 'countryHeader'
  | 'countryOf'
  | 'signInApplications'
  | 'consoleFolder'
>;

/** The share of `CACHE_BYTES` for the rulebook that lint keeps, beside what predictions keep. */
const LINT_SHARE = 1 / 8;

/** The whole service as a Hono application; `server/serve.ts` puts it on a socket. */
export function createApp(parts: AppParts): Hono<Env> {
  const { store, config, system, keys, log, metrics, stopping } = parts;
  const { baseAddress } = config;
  const router = createRouter();
  const rooms = createMeasuredRooms(deps);
  const observe = createObserve({ ...deps, ...rooms, addSecurityHeaders: createSecurityHeaders(baseAddress) });
  const signJson = createJsonSigner(keys);
  const sessions = createAppSessions(deps);
  const hostTenants = createHostTenants(config, store.tenants);
  const authenticate = createAppAuthenticate(deps, { sessions, hostTenants });
  const handlers = createOperationHandlers({
    ...deps,
    authenticate,
    ...rooms,
    reader: createSodReader(store.sod, config),
    lintBytesMax: config.cacheBytes * LINT_SHARE,
    awaitCheck: createAwaitCheck({ checks: store.checks, onCommit: store.onCommit, stopping: deps.stopping }),
    baseAddress,
    webhookTargets: config.webhookTargets,
    ...signInPartsOf(deps),
    signJson,
    signHead: createHeadSigner(signJson),
    exports: createExports({ ...deps, turn: rooms.pieceTurn }),
  });
  mountOperations(router, handlers, {
    ...deps,
    observe,
    authenticate,
    isCrossSite: createIsCrossSite(baseAddress),
    limitRate: createLimitRate(config.rateLimit, deps.elapsed),
    bodies: createBodyRoom(rooms.bodies),
    turn: rooms.turn,
    gates: { 'start-predict-sod-violations-v1': explainingGate(rooms) },
    owners: ownersOf(store),
  });
  const addressOf = createClientAddress(config.trustedProxies);
  const ofTenants = createOfTenants(hostTenants);
  mountTokenEndpoint(router, { ...deps, observe, addressOf, ofTenants });
  mountServiceEndpoints(router, {
    ...deps,
    observe,
    ofTenants,
    openApi: () => createOpenApiDocument(baseAddress),
    asyncApi: () => createAsyncApiDocument(baseAddress),
  });
  mountDocs(router, observe);
  router.add('GET', '/sessions/v1/current', observe(ofTenants(createCurrentSession(sessions)), 'get-current-session'));
  mountPages(router, { ...deps, observe, addressOf, hostTenants, liveSessions: sessions });
  const refuseUnrouted = observe(createRefuseUnrouted());
  return {
    answer: (exchange) => (router.find(exchange) ?? refuseUnrouted)(exchange),
    refuse: (fault, exchange) => observe((_, { trackingId }) => problemResponse(fault, trackingId))(exchange),
  };
}

function mountTokenEndpoint(
  router: Router,
  deps: AppDeps & Pick<PagesDeps, 'observe' | 'addressOf'> & { readonly ofTenants: OfTenants },
): void {
  const { store, config, elapsed, observe, ofTenants } = deps;
  const signer = createTokenSigner({ ...deps, baseAddress: config.baseAddress });
  // Counted apart, so that a client that has used up its requests still gets a token.
  const limitRate = createLimitRate(config.rateLimit, elapsed);
  const endpoint = createTokenEndpoint({ ...deps, clients: store.clients, signer, limitRate });
  router.add('POST', '/oauth/token', observe(ofTenants(endpoint), 'create-token'));
}

function signInPartsOf({ store, config }: AppDeps) {
  const askerOf = createAskerOf(createOriginOf(config), config.signInApplications);
  const decide = createDecider({ store, applications: config.signInApplications });
  return { decide, countryOf: config.countryOf, askerOf, guardOf: createGuardOf(askerOf) };
}

function mountPages(
  router: Router,
  deps: AppDeps & Pick<PagesDeps, 'observe' | 'addressOf' | 'hostTenants'> & Pick<SignInStepsDeps, 'liveSessions'>,
): void {
  const { store, config, elapsed } = deps;
  // Counted by address, and apart from the requests of clients.
  const limitRate = createLimitRate(config.rateLimit, elapsed);
  const pages = createPages(router, { ...deps, uiMetadata: store.uiMetadata, limitRate });
  const { decide, guardOf } = signInPartsOf(deps);
  const steps = createSignInSteps({
    ...deps,
    baseAddress: config.baseAddress,
    decideSignIn: decide,
    guardOf,
    originOf: createOriginOf(config),
    directories: createDirectories({ applications: config.signInApplications, log: deps.log }),
    providers: createProviders({ applications: config.signInApplications, log: deps.log, now: deps.now }),
    passwords: createPasswords({ threads: deps.passwordThreads, newBytes: deps.newBytes }),
  });
  const bundle = config.consoleFolder === null ? null : readBundle(config.consoleFolder);
  mountSignIn(pages, { ...steps, consolePath: bundle === null ? null : CONSOLE_PATH });
  mountAccount(pages, steps);
  if (bundle !== null) mountConsole(pages, bundle, { ...deps, ...steps, router });
  pages.addRefusals();
}

/** The owners of the targets of operations for which an owner needs no capability. */
const ownersOf = ({ violations, sessions }: Pick<Store, 'violations' | 'sessions'>) => ({
  'get-violation-v1': violations.findOwner,
  'reassign-violation-v1': violations.findOwner,
  'end-session-v1': sessions.findOwner,
});

function createAppAuthenticate(
  deps: AppDeps,
  { sessions, hostTenants }: { readonly sessions: Sessions; readonly hostTenants: HostTenants },
): Authenticate {
  const { store, config, keys, now } = deps;
  const verifyToken = createVerifyToken({ keys, externalIssuer: config.externalIssuer, now });
  const { baseAddress } = config;
  return createAuthenticate({ clients: store.clients, verifyToken, baseAddress, now, sessions, hostTenants });
}

const createAppSessions = (deps: AppDeps): Sessions =>
  createSessions({
    ...deps,
    sessions: deps.store.sessions,
    readConfig: async (tenant) => (await deps.store.signInSettings.read(tenant)).session,
    cookie: createSessionCookie(deps.config),
    originOf: createOriginOf(deps.config),
  });

function createMeasuredRooms({ elapsed, metrics }: Pick<AppDeps, 'elapsed' | 'metrics'>) {
  const rooms = createProcessRooms(elapsed);
  for (const name of ['bodies', 'explaining'] as const) metrics.addRoom(name, rooms[name]);
  const addressOf = createClientAddress(config.trustedProxies);
  const originOf = createOriginOf(config);
  const sessions = createSessions({
    sessions: store.sessions,
    readConfig: async (tenant) => (await store.signInSettings.read(tenant)).session,
    cookie: createSessionCookie(config),
    originOf,
    now,
    newId: system.newId,
    newSecret: system.newSecret,
  });
  const verifyToken = createVerifyToken({ keys, externalIssuer: config.externalIssuer, now });
  const authenticate = createAuthenticate({ clients: store.clients, verifyToken, baseAddress, now, sessions });
  const askerOf = createAskerOf(originOf, config.signInApplications);
  const decide = createDecider({ store, applications: config.signInApplications });
  const guardOf = createGuardOf(askerOf);
  const signJson = createJsonSigner(keys);

  const handlers = createOperationHandlers({
    store,
    config,
    system,
    rooms,
    reader: createSodReader(store.sod, config),
    lintBytesMax: config.cacheBytes * LINT_SHARE,
    secrets: parts.secrets,
    cipher: parts.cipher,
    authenticate,
    decide,
    askerOf,
    guardOf,
    signJson,
    signHead: createHeadSigner(signJson),
    exports: createExports({ elapsed, newId: system.newId, turn: rooms.pieceTurn, metrics }),
    awaitCheck: createAwaitCheck({ checks: store.checks, onCommit: store.onCommit, stopping }),
    log,
    metrics,
    stopping,
  });
  const operations = createOperations(handlers, {
    authenticate,
    countRequest: createRequestCounter(config.rateLimit),
    owners: { VIOLATION: store.violations.findOwner, SESSION: store.sessions.findOwner },
    baseAddress,
    bodies: rooms.bodies,
    turn: rooms.turn,
    stream: createStream({ turn: rooms.pieceTurn, onError: createOnStreamError(log) }),
    denials: parts.denials,
    now,
    log,
  });
  app.route('/', operations);
  app.route(
    '/',
    tokenEndpoint({
      clients: store.clients,
      secrets: parts.secrets,
      signer: createTokenSigner({ keys, baseAddress, now, newId: system.newId }),
      addressOf,
      // Counted apart, so that a client that has used up its requests still gets a token.
      countRequest: createRequestCounter(config.rateLimit),
    }),
  );
  app.route('/', currentSession(sessions));
  app.route('/', serviceEndpoints({ store, keys, metrics, baseAddress, metricsToken: config.metricsToken, stopping }));
  app.route('/', docs());

  app.notFound(createNotFound(app));
  app.onError((error, c) => {
    const { failure, reason } = failureOfError(error, c.get('state').trackingId, log);
    return refuse(c, failure, reason);
  });
  return app;
}
