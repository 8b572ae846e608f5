import { EFFECTIVE_CAPABILITIES, REQUEST_WORK_SECONDS_MAX } from '@access-admin/contract';
import { createScheduler } from '@access-admin/scheduling';
import type { SecretCipher, Store } from '@access-admin/store';
import { createSodReader } from '@access-admin/store';
import type { DecisionLog, Tracing } from '@access-admin/telemetry';
import { Hono } from 'hono';
import type { DenialLog } from './audit/coalesce-denials.ts';
import { createHeadSigner } from './audit/sign-head.ts';
import { createAdmit, createAuthenticate } from './auth/authenticate.ts';
import type { Secrets } from './auth/client-secrets/secrets.ts';
import { createHostTenants } from './auth/host-tenants.ts';
import { createNoteUse } from './auth/note-use.ts';
import { createJsonSigner } from './auth/sign-json.ts';
import { createTokenSigner } from './auth/sign-token.ts';
import type { SigningKeys } from './auth/signing-keys.ts';
import { createVerifyToken } from './auth/verify-token.ts';
import type { AppConfig } from './config.ts';
import type { PasswordThreads } from './credentials/password-threads.ts';
import { createPasswords } from './credentials/passwords.ts';
import { createJobs } from './event-loop/jobs.ts';
import { createClientAddress } from './http/client-address.ts';
import { createCommonHeaders } from './http/common-headers.ts';
import type { Env } from './http/env.ts';
import { refuse } from './http/problem.ts';
import { sentPath } from './http/target.ts';
import { createOnStreamError, failureOfError } from './middleware/errors.ts';
import { createRequestCounter } from './middleware/limit-rate.ts';
import { createNotFound } from './middleware/not-found.ts';
import { observe } from './middleware/observe.ts';
import { refuseMalformed } from './middleware/refuse-malformed.ts';
import { createOperations } from './operations/mount.ts';
import { createProcessSemaphores } from './process/semaphores.ts';
import type { System } from './process/system.ts';
import { accountPages } from './routes/account/pages.ts';
import { logoPages } from './routes/branding/logo.ts';
import { createAwaitCheck } from './routes/checks/wait.ts';
import { CONSOLE_PATH, consoleFiles, consolePages, readConsole } from './routes/console/pages.tsx';
import { createOperationHandlers } from './routes/operation-handlers.ts';
import { docs } from './routes/service/docs.ts';
import { serviceEndpoints } from './routes/service/endpoints.ts';
import { tokenEndpoint } from './routes/service/oauth-token.ts';
import { currentSession } from './routes/sessions/current.ts';
import { signInPages } from './routes/sign-in/pages.ts';
import { createSessionCookie } from './sessions/cookie.ts';
import { createSessions, type LiveSession } from './sessions/sessions.ts';
import { createDecider } from './sign-in/decide.ts';
import { createDirectories } from './sign-in/directories.ts';
import { createAskerOf, createGuardOf } from './sign-in/guard.ts';
import { createOriginOf } from './sign-in/origin.ts';
import { isPagePath } from './sign-in/pages/is-path.ts';
import { createPages, pageAssets } from './sign-in/pages/pages.ts';
import { createProviders } from './sign-in/providers.ts';
import { createSignInSteps } from './sign-in-steps/create.ts';
import { createAnswerExport } from './streaming/answer-export.ts';
import { createStreamJson } from './streaming/stream-json.ts';
import type { Metrics } from './telemetry/metrics.ts';
import type { RequestLog } from './telemetry/request-log.ts';

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
  /** Null where decisions are not logged. */
  readonly decisions: Pick<DecisionLog, 'write'> | null;
  /** Null where nothing is traced. */
  readonly tracing: Pick<Tracing, 'start'> | null;
  readonly log: RequestLog;
  readonly metrics: Metrics;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

/** So long work goes on until others are let go on. */
const YIELD_AFTER_MS = 2;
/** The share of `CACHE_BYTES` for the rulebook that lint keeps, beside what predictions keep. */
const LINT_SHARE = 1 / 8;

/** The whole service as a Hono application; `server/serve.ts` puts it on a socket. */
export function createApp(parts: AppParts): Hono<Env> {
  const { store, config, system, keys, log, metrics, stopping } = parts;
  const { baseAddress } = config;
  const { now, elapsed } = system;
  const app = new Hono<Env>({ getPath: sentPath });
  const commonHeaders = createCommonHeaders(baseAddress, stopping);
  const showsTiming = ['trace', 'debug'].includes(config.logLevel);
  app.use(
    observe({
      log,
      metrics,
      isPagePath,
      elapsed,
      newTrackingId: system.newTrackingId,
      commonHeaders,
      showsTiming,
      tracing: parts.tracing,
    }),
    refuseMalformed,
  );

  const semaphores = createProcessSemaphores(elapsed);
  for (const name of ['bodies', 'explaining', 'counting', 'exports'] as const)
    metrics.addSemaphore(name, semaphores[name]);
  const scheduler = createScheduler({ elapsed, dueAfterMs: YIELD_AFTER_MS });
  const jobs = createJobs({ scheduler, elapsed, workMsMax: REQUEST_WORK_SECONDS_MAX * 1000 });
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
  const hostTenants = createHostTenants(config, store.tenants);
  const admit = createAdmit({
    clients: store.clients,
    tenants: store.tenants,
    noteUse: createNoteUse({ clients: store.clients, now }),
    now,
  });
  const authenticate = createAuthenticate({ admit, verifyToken, baseAddress, sessions, hostTenants });
  const askerOf = createAskerOf(originOf, config.signInApplications);
  const decide = createDecider({ store, applications: config.signInApplications });
  const guardOf = createGuardOf(askerOf);
  const signJson = createJsonSigner(keys);

  const handlers = createOperationHandlers({
    store,
    config,
    system,
    semaphores,
    scheduler,
    jobs,
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
    answerExport: createAnswerExport({ exports: semaphores.exports, authenticate, admit, scheduler }),
    awaitCheck: createAwaitCheck({ checks: store.checks, onCommit: store.onCommit, stopping }),
    decisions: parts.decisions,
    log,
    metrics,
    stopping,
  });
  const operations = createOperations(handlers, {
    authenticate,
    countRequest: createRequestCounter(config.rateLimit),
    owners: { VIOLATION: store.violations.findOwner, SESSION: store.sessions.findOwner },
    experimentalHeader: config.experimentalHeader,
    baseAddress,
    bodies: semaphores.bodies,
    jobs,
    streamJson: createStreamJson({ scheduler, jobs, onError: createOnStreamError(log) }),
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
      hostTenants,
      now,
      // Counted apart, so that a client that has used up its requests still gets a token.
      countRequest: createRequestCounter(config.rateLimit),
    }),
  );
  app.route('/', currentSession(sessions, hostTenants));
  app.route(
    '/',
    serviceEndpoints({
      store,
      keys,
      metrics: config.metricsPort === null ? metrics : null,
      hostTenants,
      baseAddress,
      metricsToken: config.metricsToken,
      stopping,
    }),
  );
  app.route('/', docs());

  const steps = createSignInSteps({
    store,
    baseAddress,
    cipher: parts.cipher,
    sessions,
    decideSignIn: decide,
    guardOf,
    originOf,
    addressOf,
    directories: createDirectories({ applications: config.signInApplications, log }),
    providers: createProviders({ applications: config.signInApplications, log, now }),
    passwords: createPasswords({ threads: parts.passwordThreads, newBytes: system.newBytes }),
    limitsLogins: config.rateLimit !== null,
    denials: parts.denials,
    metrics,
    system,
  });
  const consoleDocument = config.consoleFolder === null ? null : readConsole(config.consoleFolder);
  // The console has nothing for a person whose capabilities permit nothing.
  const consolePathOf = ({ session: { capabilities } }: LiveSession) =>
    consoleDocument !== null && capabilities.some((each) => EFFECTIVE_CAPABILITIES.has(each)) ? CONSOLE_PATH : null;
  app.route('/', pageAssets());
  if (config.consoleFolder !== null && consoleDocument !== null) app.route('/', consoleFiles(config.consoleFolder));
  app.route(
    '/',
    createPages(
      [
        ...signInPages({ ...steps, consolePathOf }),
        ...accountPages({ ...steps, consolePathOf }),
        ...logoPages(store),
        ...(consoleDocument === null ? [] : consolePages(consoleDocument, steps)),
      ],
      {
        baseAddress,
        uiMetadata: store.uiMetadata,
        branding: store.branding,
        hostTenants,
        sessions,
        addressOf,
        // Counted by address, and apart from the requests of clients.
        countRequest: createRequestCounter(config.rateLimit),
        log,
        metrics,
      },
    ),
  );

  app.notFound(createNotFound(app));
  app.onError((error, c) => {
    const { failure, reason } = failureOfError(error, c.get('state'), { log, metrics });
    return refuse(c, failure, reason);
  });
  return app;
}
