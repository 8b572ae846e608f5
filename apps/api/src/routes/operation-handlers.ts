import type { Store } from '@access-admin/store';
import type { OperationHandlers } from '../operations/operation.ts';
import { accessModelHandlers } from './access-model/handlers.ts';
import { createImportWarnings } from './access-model/import-warnings.ts';
import { type AuditDeps, auditHandlers } from './administration/audit-events.ts';
import { type AuthOrgDeps, authOrgHandlers } from './administration/auth-org.ts';
import { authProfileHandlers } from './administration/auth-profiles.ts';
import { authUserHandlers } from './administration/auth-users.ts';
import { credentialHandlers } from './administration/credentials.ts';
import { type OauthClientDeps, oauthClientHandlers } from './administration/oauth-clients.ts';
import { uiMetadataHandlers } from './administration/ui-metadata.ts';
import { controlHandlers } from './controls/handlers.ts';
import { type EventDeps, eventHandlers } from './events/handlers.ts';
import { lookUpHandlers } from './look-ups/handlers.ts';
import { sessionHandlers } from './sessions/handlers.ts';
import { type DecisionDeps, decisionHandlers } from './sign-in/decision.ts';
import { sodExceptionHandlers } from './sod-policies/exceptions.ts';
import { sodPolicyHandlers } from './sod-policies/handlers.ts';
import { createLintRulebooks } from './sod-policies/lint-rulebooks.ts';
import { sodReportHandlers } from './sod-reports/handlers.ts';
import { type SodViolationDeps, sodViolationHandlers } from './sod-violations/handlers.ts';
import { violationHandlers } from './violations/handlers.ts';
import { webhookHandlers } from './webhooks/handlers.ts';
import type { WebhookDeps } from './webhooks/settings.ts';

export interface OperationHandlersDeps
  extends AuditDeps,
    Pick<DecisionDeps, 'decide' | 'countryOf'>,
    Pick<AuthOrgDeps, 'guardOf' | 'askerOf'>,
    EventDeps,
    OauthClientDeps,
    SodViolationDeps,
    Pick<WebhookDeps, 'cipher' | 'webhookTargets'> {
  readonly store: Store;
  /** The largest rulebook that lint keeps, in bytes. */
  readonly lintBytesMax: number;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
}

/** The handler of each operation. */
export function createOperationHandlers(given: OperationHandlersDeps): OperationHandlers {
  const { pace } = given;
  const loadRulebook = createLintRulebooks({ sod: given.store.sod, pace, keptBytesMax: given.lintBytesMax });
  const findWarnings = createImportWarnings({ elapsed: given.elapsed, loadRulebook, pace });
  const deps = { ...given, loadRulebook, findWarnings };
  return {
    ...authUserHandlers(deps),
    ...authProfileHandlers(deps),
    ...authOrgHandlers(deps),
    ...decisionHandlers(deps),
    ...credentialHandlers(deps),
    ...sessionHandlers(deps),
    ...uiMetadataHandlers(deps),
    ...oauthClientHandlers(deps),
    ...auditHandlers(deps),
    ...eventHandlers(deps),
    ...accessModelHandlers(deps),
    ...lookUpHandlers(deps),
    ...sodPolicyHandlers(deps),
    ...sodExceptionHandlers(deps),
    ...controlHandlers(deps),
    ...sodViolationHandlers(deps),
    ...sodReportHandlers(deps),
    ...webhookHandlers(deps),
    ...violationHandlers(deps),
  };
}
