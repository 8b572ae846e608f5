import { REQUEST_WORK_SECONDS_MAX } from '@access-admin/contract';
import { createScheduler, type Scheduler } from '@access-admin/scheduling';
import {
  createOrderedIds,
  createOrderedRunner,
  createSodReader,
  type SecretCipher,
  type SodReader,
  type Store,
} from '@access-admin/store';
import type { DecisionLog, Tracing } from '@access-admin/telemetry';
import type { DenialLog } from './audit/denial-log.ts';
import { createHeadSigner, type SignHead } from './audit/sign-head.ts';
import { type Admit, type Authenticate, createAdmit, createAuthenticate } from './auth/authenticate.ts';
import type { Secrets } from './auth/client-secrets/secrets.ts';
import { createHostTenants, type HostTenants } from './auth/host-tenants.ts';
import { createNoteUse, type NoteUse } from './auth/note-use.ts';
import { createJsonSigner, type SignJson } from './auth/sign-json.ts';
import { createTokenSigner, type TokenSigner } from './auth/sign-token.ts';
import type { SigningKeys } from './auth/signing-keys.ts';
import { createVerifyToken } from './auth/verify-token.ts';
import type { AppConfig } from './config.ts';
import { createJobs, type Jobs } from './event-loop/jobs.ts';
import { createTurnOfLoop } from './event-loop/turn-of-loop.ts';
import { type ClientAddress, createClientAddress } from './http/client-address.ts';
import { createOwnOrigins, type OwnOrigins } from './http/own-origins.ts';
import type { OwnerFinders } from './middleware/authorize.ts';
import { type CountRequest, createRequestCounter } from './middleware/limit-rate.ts';
import { createProcessSemaphores, type ProcessSemaphores } from './process/semaphores.ts';
import type { System } from './process/system.ts';
import { createImportWarnings, type FindImportWarnings } from './routes/access-model/import-warnings.ts';
import { type CheckResults, createCheckResults } from './routes/checks/results.ts';
import { type AwaitCheck, createAwaitCheck } from './routes/checks/wait.ts';
import { readConsole } from './routes/console/pages.tsx';
import { type AwaitEvents, createAwaitEvents } from './routes/events/await-events.ts';
import { createLintRulebooks, type LoadLintRulebook } from './routes/policies/lint-rulebooks.ts';
import { createReplayLimit, type ReplayLimit } from './routes/webhooks/replay-limit.ts';
import { createDecide, type Decide } from './sign-in/decide.ts';
import type { PasswordThreads } from './sign-in/factors/password-threads.ts';
import { type AskerOf, createAskerOf, createDirectoryGuardOf, createGuardOf, type GuardOf } from './sign-in/guard.ts';
import { createOriginOf, type OriginOf } from './sign-in/origin.ts';
import { createSignInServices, type SignInServices } from './sign-in/services.ts';
import { createSessions, type Sessions } from './sign-in/session.ts';
import { createSessionCookie } from './sign-in/session-cookie.ts';
import type { Metrics } from './telemetry/metrics.ts';
import type { RequestLog } from './telemetry/request-log.ts';

/** What the service is made of. */
export interface AppParts {
  readonly store: Store;
  readonly config: AppConfig;
  /** The clock and the randomness. */
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

/** What handlers work with, made once for a process: `c.env.services`. */
export interface Services extends AppParts {
  readonly scheduler: Scheduler;
  readonly jobs: Jobs;
  /** The number of the present turn of the event loop. */
  readonly turnOfLoop: () => number;
  /** What the tenants of this process share. */
  readonly semaphores: ProcessSemaphores;
  /** The caller of a request, with the rights that it has now. */
  readonly authenticate: Authenticate;
  readonly admit: Admit;
  readonly noteUse: NoteUse;
  /** Counts the requests of a client; null where limiting is off. */
  readonly countRequest: CountRequest | null;
  /** Counted apart, so that a client that has used up its requests still gets a token. */
  readonly countTokenRequest: CountRequest | null;
  readonly owners: OwnerFinders;
  readonly ownOrigins: OwnOrigins;
  readonly hostTenants: HostTenants;
  readonly sessions: Sessions;
  readonly clientAddress: ClientAddress;
  readonly originOf: OriginOf;
  readonly askerOf: AskerOf;
  readonly guardOf: GuardOf;
  readonly directoryGuardOf: GuardOf;
  readonly tokenSigner: TokenSigner;
  readonly decide: Decide;
  readonly signIn: SignInServices;
  /** The document of the console; null where it is not built. */
  readonly consoleDocument: string | null;
  readonly signJson: SignJson;
  readonly signHead: SignHead;
  /** The rulebooks of predictions, in memory. */
  readonly reader: SodReader;
  /** Runs reservations for one identity one after the other. */
  readonly reservationTurns: ReturnType<typeof createOrderedRunner>;
  readonly loadLintRulebook: LoadLintRulebook;
  readonly findImportWarnings: FindImportWarnings;
  readonly awaitCheck: AwaitCheck;
  readonly checkResults: CheckResults;
  readonly awaitEvents: AwaitEvents;
  readonly newDeliveryId: ReturnType<typeof createOrderedIds>;
  readonly webhookReplays: ReplayLimit;
}

/** How long work goes on before it lets other requests go on. */
const YIELD_AFTER_MS = 2;
/** The share of `CACHE_BYTES` for the rulebook that lint keeps, beside what predictions keep. */
const LINT_SHARE = 1 / 8;

/** Makes the services of a process. */
export function createServices(parts: AppParts): Services {
  const { store, config, system, keys, metrics, stopping } = parts;
  const { baseAddress } = config;
  const { now, elapsed } = system;
  const semaphores = createProcessSemaphores(elapsed);
  for (const name of ['bodies', 'explaining', 'counting', 'exports'] as const)
    metrics.addSemaphore(name, semaphores[name]);
  const scheduler = createScheduler({ elapsed, dueAfterMs: YIELD_AFTER_MS });
  const jobs = createJobs({ scheduler, elapsed, workMsMax: REQUEST_WORK_SECONDS_MAX * 1000 });
  const originOf = createOriginOf(config);
  const clientAddress = createClientAddress(config.trustedProxies);
  const sessions = createSessions({
    sessions: store.sessions,
    readConfig: async (tenant) => (await store.signInSettings.read(tenant)).session,
    cookie: createSessionCookie(config),
    originOf,
    now,
    newId: system.newId,
    newSecret: system.newSecret,
  });
  const hostTenants = createHostTenants(config, store.tenants);
  const verifyToken = createVerifyToken({ keys, externalIssuer: config.externalIssuer, now });
  const noteUse = createNoteUse({ clients: store.clients, now });
  const admit = createAdmit({ clients: store.clients, tenants: store.tenants, noteUse, now });
  const askerOf = createAskerOf(originOf, config.signInApplications);
  const signJson = createJsonSigner(keys);
  const loadLintRulebook = createLintRulebooks({ sod: store.sod, jobs, keptBytesMax: config.cacheBytes * LINT_SHARE });
  return {
    ...parts,
    scheduler,
    jobs,
    turnOfLoop: createTurnOfLoop(),
    semaphores,
    authenticate: createAuthenticate({ admit, verifyToken, baseAddress, sessions, hostTenants }),
    admit,
    noteUse,
    countRequest: createRequestCounter(config.rateLimit),
    countTokenRequest: createRequestCounter(config.rateLimit),
    owners: { VIOLATION: store.violations.findOwner, SESSION: store.sessions.findOwner },
    ownOrigins: createOwnOrigins(baseAddress),
    hostTenants,
    sessions,
    clientAddress,
    originOf,
    askerOf,
    guardOf: createGuardOf(askerOf),
    directoryGuardOf: createDirectoryGuardOf(askerOf),
    tokenSigner: createTokenSigner({ keys, baseAddress, now, newId: system.newId }),
    decide: createDecide({ store, applications: config.signInApplications, now }),
    signIn: createSignInServices({ ...parts, clientAddress }),
    consoleDocument: config.consoleFolder === null ? null : readConsole(config.consoleFolder),
    signJson,
    signHead: createHeadSigner(signJson),
    reader: createSodReader(store.sod, config),
    reservationTurns: createOrderedRunner(),
    loadLintRulebook,
    findImportWarnings: createImportWarnings({ loadRulebook: loadLintRulebook, jobs, elapsed }),
    awaitCheck: createAwaitCheck({ checks: store.checks, onCommit: store.onCommit, stopping }),
    checkResults: createCheckResults({ readResult: store.checks.readResult, elapsed, metrics }),
    newDeliveryId: createOrderedIds(system.newId),
    webhookReplays: createReplayLimit(),
    awaitEvents: createAwaitEvents({ events: store.events, onCommit: store.onCommit, elapsed }),
  };
}
