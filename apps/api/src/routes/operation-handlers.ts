import type { Scheduler } from '@access-admin/scheduling';
import type { SecretCipher, SodReader, Store } from '@access-admin/store';
import type { DecisionLog } from '@access-admin/telemetry';
import type { SignHead } from '../audit/sign-head.ts';
import type { Authenticate } from '../auth/authenticate.ts';
import type { Secrets } from '../auth/client-secrets/secrets.ts';
import type { SignJson } from '../auth/sign-json.ts';
import type { AppConfig } from '../config.ts';
import type { Jobs } from '../event-loop/jobs.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import type { ProcessSemaphores } from '../process/semaphores.ts';
import type { System } from '../process/system.ts';
import type { DecideSignIn } from '../sign-in/decide.ts';
import type { AskerOf, GuardOf } from '../sign-in/guard.ts';
import type { AnswerExport } from '../streaming/answer-export.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import type { SemaphoreMetrics } from '../telemetry/semaphore-metrics.ts';
import { accessModelHandlers } from './access-model/handlers.ts';
import { createImportWarnings } from './access-model/import-warnings.ts';
import { oneRecordHandlers } from './access-model/one-record.ts';
import { auditHandlers } from './audit/handlers.ts';
import { authProfileHandlers } from './auth-profiles/handlers.ts';
import { credentialHandlers } from './auth-users/credentials.ts';
import { authUserHandlers } from './auth-users/handlers.ts';
import { brandingHandlers } from './branding/handlers.ts';
import { checkHandlers } from './checks/handlers.ts';
import type { AwaitCheck } from './checks/wait.ts';
import { clientHandlers } from './clients/handlers.ts';
import { controlHandlers } from './controls/handlers.ts';
import { eventHandlers } from './events/handlers.ts';
import { exceptionHandlers } from './exceptions/handlers.ts';
import { lookUpHandlers } from './look-ups/handlers.ts';
import { policyHandlers } from './policies/handlers.ts';
import { createLintRulebooks } from './policies/lint-rulebooks.ts';
import { predictionHandlers } from './predictions/handlers.ts';
import { reportHandlers } from './reports/handlers.ts';
import { sessionHandlers } from './sessions/handlers.ts';
import { decisionHandlers } from './sign-in/decision.ts';
import { createAnswerDryRun } from './sign-in-settings/dry-run.ts';
import { signInSettingHandlers } from './sign-in-settings/handlers.ts';
import { tenantHandlers } from './tenants/handlers.ts';
import { uiMetadataHandlers } from './ui-metadata/handlers.ts';
import { violationHandlers } from './violations/handlers.ts';
import { webhookHandlers } from './webhooks/handlers.ts';

/** What the operations are made of, in one process. */
export interface OperationParts {
  readonly store: Store;
  readonly config: Pick<AppConfig, 'baseAddress' | 'tenant' | 'webhookTargets' | 'countryOf'>;
  readonly system: Pick<System, 'now' | 'elapsed' | 'newId' | 'newSecret'>;
  readonly semaphores: Pick<ProcessSemaphores, 'explaining' | 'counting'>;
  readonly scheduler: Scheduler;
  readonly jobs: Jobs;
  /** The rulebooks of predictions, in memory. */
  readonly reader: SodReader;
  /** The largest rulebook that lint keeps, in bytes. */
  readonly lintBytesMax: number;
  readonly secrets: Pick<Secrets, 'hash'>;
  /** Null where the operator has given no key. */
  readonly cipher: SecretCipher | null;
  readonly authenticate: Authenticate;
  readonly decide: DecideSignIn;
  readonly askerOf: AskerOf;
  readonly guardOf: GuardOf;
  readonly signJson: SignJson;
  readonly signHead: SignHead;
  readonly answerExport: AnswerExport;
  readonly awaitCheck: AwaitCheck;
  /** Null where decisions are not logged. */
  readonly decisions: Pick<DecisionLog, 'write'> | null;
  readonly log: Pick<RequestLog, 'error'>;
  readonly metrics: SemaphoreMetrics;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

/** The handler of each operation. */
export function createOperationHandlers(parts: OperationParts): OperationHandlers {
  const { store, config, system, scheduler, jobs, secrets, cipher, guardOf, answerExport, metrics } = parts;
  const { baseAddress, countryOf, webhookTargets } = config;
  const { now, elapsed, newId, newSecret } = system;
  const { explaining, counting } = parts.semaphores;
  const settings = store.signInSettings;
  const answerDryRun = createAnswerDryRun({
    population: store.signInPopulation,
    askerOf: parts.askerOf,
    countryOf,
    jobs,
  });
  const loadRulebook = createLintRulebooks({ sod: store.sod, jobs, keptBytesMax: parts.lintBytesMax });
  const findWarnings = createImportWarnings({ loadRulebook, jobs, elapsed });
  return {
    ...authUserHandlers({ authUsers: store.authUsers, now, guardOf }),
    ...credentialHandlers({
      credentials: store.credentials,
      signInLinks: store.signInLinks,
      signInFailures: store.signInFailures,
      settings,
      baseAddress,
      now,
      newSecret,
      guardOf,
    }),
    ...authProfileHandlers({
      authProfiles: store.authProfiles,
      settings,
      baseAddress,
      now,
      guardOf,
      answerDryRun,
    }),
    ...signInSettingHandlers({ settings, now, guardOf, answerDryRun }),
    ...decisionHandlers({ credentials: store.credentials, decide: parts.decide, countryOf, now }),
    ...sessionHandlers({ sessions: store.sessions, settings, baseAddress, now }),
    ...brandingHandlers({ branding: store.branding, now }),
    ...uiMetadataHandlers({ uiMetadata: store.uiMetadata, now }),
    ...clientHandlers({ clients: store.clients, secrets, baseAddress, now, newId, newSecret }),
    ...tenantHandlers({
      tenants: store.tenants,
      removals: store.tenantRemovals,
      signHead: parts.signHead,
      baseAddress,
      operatorTenant: config.tenant,
      now,
    }),
    ...auditHandlers({
      audit: store.audit,
      policies: store.policies,
      baseAddress,
      signHead: parts.signHead,
      answerExport,
    }),
    ...eventHandlers({
      events: store.events,
      onCommit: store.onCommit,
      authenticate: parts.authenticate,
      baseAddress,
      scheduler,
      log: parts.log,
      elapsed,
      stopping: parts.stopping,
    }),
    ...accessModelHandlers({ accessModel: store.accessModel, answerExport, findWarnings, jobs, now, guardOf }),
    ...oneRecordHandlers({ accessModel: store.accessModel, lookUps: store.lookUps, now, guardOf }),
    ...lookUpHandlers({ lookUps: store.lookUps, baseAddress, counting }),
    ...policyHandlers({ policies: store.policies, loadRulebook, jobs, baseAddress, now, newId }),
    ...exceptionHandlers({ exceptions: store.exceptions, baseAddress, now, newId }),
    ...controlHandlers({ controls: store.controls, baseAddress, now, newId }),
    ...predictionHandlers({ reader: parts.reader, sod: store.sod, jobs, explaining, now, decisions: parts.decisions }),
    ...checkHandlers({
      checks: store.checks,
      reader: parts.reader,
      awaitCheck: parts.awaitCheck,
      jobs,
      counting,
      signJson: parts.signJson,
      metrics,
      baseAddress,
      now,
      elapsed,
      newId,
    }),
    ...reportHandlers({
      reports: store.reports,
      policies: store.policies,
      reader: parts.reader,
      jobs,
      baseAddress,
      now,
      newId,
    }),
    ...violationHandlers({
      violations: store.violations,
      controls: store.controls,
      answerExport,
      baseAddress,
      counting,
      now,
      newId,
    }),
    ...webhookHandlers({
      webhooks: store.webhooks,
      cipher,
      webhookTargets,
      baseAddress,
      counting,
      now,
      newId,
      newSecret,
    }),
  };
}
