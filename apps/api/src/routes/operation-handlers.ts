import type { SodReader } from '@access-admin/rulebook-cache';
import type { Store } from '@access-admin/store';
import type { SignHead } from '../audit/sign-head.ts';
import type { Secrets } from '../auth/secrets.ts';
import { createPace } from '../event-loop/pace.ts';
import type { OperationHandlers } from '../operations/mount.ts';
import { exportAccessModel, importAccessModel } from './access-model/handlers.ts';
import { createImportWarnings } from './access-model/import-warnings.ts';
import {
  exportAuditEvents,
  getAuditHead,
  getSodPolicyHistory,
  listAuditEvents,
} from './administration/audit-events.ts';
import { getAuthProfile, listAuthProfiles, patchAuthProfileRoute } from './administration/auth-profiles.ts';
import { getAuthUser, patchAuthUserRoute } from './administration/auth-users.ts';
import {
  createOauthClient,
  deleteOauthClient,
  getOauthClient,
  listOauthClients,
} from './administration/oauth-clients.ts';
import { getUiMetadata, setUiMetadata } from './administration/ui-metadata.ts';
import {
  approveSodException,
  createSodException,
  getSodException,
  listSodExceptions,
  revokeSodException,
} from './sod-policies/exceptions.ts';
import {
  createSodPolicy,
  deleteSodPolicy,
  getSodPolicy,
  listSodPolicies,
  patchSodPolicyRoute,
  putSodPolicy,
} from './sod-policies/handlers.ts';
import { lintSodPolicies } from './sod-policies/lint.ts';
import { createLintRulebooks } from './sod-policies/lint-rulebooks.ts';
import { startSodDryRun } from './sod-reports/dry-run.ts';
import { getSodReport, listReportViolations, startSodBlastRadius, startSodScan } from './sod-reports/handlers.ts';
import type { AwaitCheck } from './sod-violations/await-check.ts';
import { getViolationCheck, predictSodViolations, startViolationCheck } from './sod-violations/predict.ts';
import { predictBatch } from './sod-violations/predict-batch.ts';

export interface OperationHandlersDeps {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly reader: SodReader;
  /** The largest rulebook that is kept for lint, in bytes. */
  readonly lintBytesMax: number;
  readonly awaitCheck: AwaitCheck;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly elapsed: () => number;
  readonly newId: () => string;
  readonly newSecret: () => string;
  readonly signHead: SignHead;
}

/** The handler of each operation. */
export function createOperationHandlers(deps: OperationHandlersDeps): OperationHandlers {
  const { store, reader, baseAddress, now } = deps;
  const pace = createPace();
  const loadRulebook = createLintRulebooks({ sod: store.sod, pace, keptBytesMax: deps.lintBytesMax });
  const findWarnings = createImportWarnings({ ...deps, loadRulebook, pace });
  const exceptions = { exceptions: store.sodExceptions, now };
  return {
    'get-auth-user-v1': getAuthUser(store.authUsers),
    'patch-auth-user-v1': patchAuthUserRoute(store.authUsers, now),
    'get-profile-config-list-v1': listAuthProfiles(store.authProfiles, baseAddress),
    'get-profile-config-v1': getAuthProfile(store.authProfiles),
    'patch-profile-config-v1': patchAuthProfileRoute(store.authProfiles, now),
    'start-predict-sod-violations-v1': predictSodViolations({ reader, now, pace, sod: store.sod }),
    'start-predict-sod-violations-batch-v1': predictBatch({ reader, now, pace: createPace(), sod: store.sod }),
    'start-violation-check-v1': startViolationCheck({ ...deps, checks: store.checks }),
    'get-violation-check-v1': getViolationCheck(deps.awaitCheck),
    'start-sod-scan-v1': startSodScan({ ...deps, reports: store.reports }),
    'start-sod-blast-radius-v1': startSodBlastRadius({ ...deps, reports: store.reports }),
    'start-sod-dry-run-v1': startSodDryRun({ ...deps, reports: store.reports, policies: store.sodPolicies, pace }),
    'get-sod-report-v1': getSodReport(store.reports),
    'list-sod-report-violations-v1': listReportViolations({ reports: store.reports, baseAddress, pace }),
    'list-sod-policies-v1': listSodPolicies(store.sodPolicies, baseAddress),
    'create-sod-policy-v1': createSodPolicy({ ...deps, policies: store.sodPolicies }),
    'lint-sod-policies-v1': lintSodPolicies({ loadRulebook, pace }),
    'get-sod-policy-v1': getSodPolicy(store.sodPolicies),
    'put-sod-policy-v1': putSodPolicy(store.sodPolicies, now),
    'patch-sod-policy-v1': patchSodPolicyRoute(store.sodPolicies, now),
    'delete-sod-policy-v1': deleteSodPolicy(store.sodPolicies, now),
    'get-sod-policy-history-v1': getSodPolicyHistory({ audit: store.audit, policies: store.sodPolicies, baseAddress }),
    'list-sod-exceptions-v1': listSodExceptions(exceptions, baseAddress),
    'create-sod-exception-v1': createSodException({ ...deps, ...exceptions }),
    'get-sod-exception-v1': getSodException(exceptions),
    'approve-sod-exception-v1': approveSodException(exceptions),
    'revoke-sod-exception-v1': revokeSodException(exceptions),
    'get-tenant-ui-metadata-v1': getUiMetadata(store.uiMetadata),
    'set-tenant-ui-metadata-v1': setUiMetadata(store.uiMetadata, now),
    'create-oauth-client-v1': createOauthClient({ ...deps, clients: store.clients }),
    'list-oauth-clients-v1': listOauthClients(store.clients, baseAddress),
    'get-oauth-client-v1': getOauthClient(store.clients),
    'delete-oauth-client-v1': deleteOauthClient(store.clients, now),
    'import-access-model-v1': importAccessModel({ accessModel: store.accessModel, now, findWarnings }),
    'export-access-model-v1': exportAccessModel(store.accessModel),
    'list-audit-events-v1': listAuditEvents(store.audit, baseAddress),
    'export-audit-events-v1': exportAuditEvents(store.audit),
    'get-audit-head-v1': getAuditHead(store.audit, deps.signHead),
  };
}
