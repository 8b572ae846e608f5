import type { Services } from '../services.ts';
import { createAnswerExport } from '../streaming/answer-export.ts';
import { eventHandlers } from './events/handlers.ts';
import { reportHandlers } from './reports/handlers.ts';
import { decisionHandlers } from './sign-in/decision.ts';
import { signInSettingHandlers } from './sign-in-settings/handlers.ts';
import { violationHandlers } from './violations/handlers.ts';

/** The handlers of the features that are not converted yet. */
export function createOperationHandlers(services: Services) {
  const { store, config, system, scheduler, jobs, guardOf } = services;
  const { baseAddress, countryOf } = config;
  const { now, elapsed, newId } = system;
  const { counting, exports } = services.semaphores;
  const settings = store.signInSettings;
  const { authenticate, admit } = services;
  const answerExport = createAnswerExport({ exports, authenticate, admit, scheduler });
  return {
    ...signInSettingHandlers({ settings, now, guardOf }),
    ...decisionHandlers({ credentials: store.credentials, decide: services.decideSignIn, countryOf, now }),
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
