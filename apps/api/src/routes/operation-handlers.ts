import type { Services } from '../services.ts';
import { createAnswerExport } from '../streaming/answer-export.ts';
import { accessModelHandlers } from './access-model/handlers.ts';
import { oneRecordHandlers } from './access-model/one-record.ts';
import { auditHandlers } from './audit/handlers.ts';
import { authProfileHandlers } from './auth-profiles/handlers.ts';
import { credentialHandlers } from './auth-users/credentials.ts';
import { authUserHandlers } from './auth-users/handlers.ts';
import { brandingHandlers } from './branding/handlers.ts';
import { checkHandlers } from './checks/handlers.ts';
import { clientHandlers } from './clients/handlers.ts';
import { controlHandlers } from './controls/handlers.ts';
import { eventHandlers } from './events/handlers.ts';
import { reportHandlers } from './reports/handlers.ts';
import { decisionHandlers } from './sign-in/decision.ts';
import { createAnswerDryRun } from './sign-in-settings/dry-run.ts';
import { signInSettingHandlers } from './sign-in-settings/handlers.ts';
import { violationHandlers } from './violations/handlers.ts';

/** The handlers of the features that are not converted yet. */
export function createOperationHandlers(services: Services) {
  const { store, config, system, scheduler, jobs, secrets, guardOf } = services;
  const { baseAddress, countryOf } = config;
  const { now, elapsed, newId, newSecret } = system;
  const { counting, exports } = services.semaphores;
  const settings = store.signInSettings;
  const { authenticate, admit, signHead } = services;
  const answerExport = createAnswerExport({ exports, authenticate, admit, scheduler });
  const answerDryRun = createAnswerDryRun({
    population: store.signInPopulation,
    askerOf: services.askerOf,
    countryOf,
    jobs,
  });
  const findWarnings = services.findImportWarnings;
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
    ...decisionHandlers({ credentials: store.credentials, decide: services.decideSignIn, countryOf, now }),
    ...brandingHandlers({ branding: store.branding, now }),
    ...clientHandlers({ clients: store.clients, secrets, baseAddress, now, newId, newSecret }),
    ...auditHandlers({
      audit: store.audit,
      baseAddress,
      signHead: signHead,
      answerExport,
    }),
    ...eventHandlers({
      events: store.events,
      awaitEvents: services.awaitEvents,
      authenticate: services.authenticate,
      baseAddress,
      scheduler,
      log: services.log,
      elapsed,
      stopping: services.stopping,
    }),
    ...accessModelHandlers({ accessModel: store.accessModel, answerExport, findWarnings, jobs, now, guardOf }),
    ...oneRecordHandlers({ accessModel: store.accessModel, lookUps: store.lookUps, now, guardOf }),
    ...controlHandlers({ controls: store.controls, baseAddress, now, newId }),
    ...checkHandlers({
      checks: store.checks,
      reader: services.reader,
      awaitCheck: services.awaitCheck,
      results: services.checkResults,
      jobs,
      counting,
      signJson: services.signJson,
      baseAddress,
      now,
      newId,
    }),
    ...reportHandlers({
      reports: store.reports,
      policies: store.policies,
      reader: services.reader,
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
  };
}
