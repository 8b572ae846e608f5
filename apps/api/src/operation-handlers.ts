import type { SodReader, Store } from '@access-admin/store';
import type { AwaitCheck } from './await-check.ts';
import { createImportWarnings } from './import-warnings.ts';
import { createLintRulebooks } from './lint-rulebooks.ts';
import type { OperationHandlers } from './mount-operations.ts';
import { createPace } from './pace.ts';
import { exportAccessModel, importAccessModel } from './routes/access-model.ts';
import { exportAuditEvents, getAuditHead, listAuditEvents, type SignHead } from './routes/audit-events.ts';
import { getAuthProfile, listAuthProfiles, patchAuthProfileRoute } from './routes/auth-profiles.ts';
import { getAuthUser, patchAuthUserRoute } from './routes/auth-users.ts';
import { createOauthClient, deleteOauthClient, getOauthClient, listOauthClients } from './routes/oauth-clients.ts';
import { predictBatch } from './routes/predict-batch.ts';
import { startSodDryRun } from './routes/sod-dry-run.ts';
import {
  approveSodException,
  createSodException,
  getSodException,
  listSodExceptions,
  revokeSodException,
} from './routes/sod-exceptions.ts';
import { lintSodPolicies } from './routes/sod-lint.ts';
import {
  createSodPolicy,
  deleteSodPolicy,
  getSodPolicy,
  listSodPolicies,
  patchSodPolicyRoute,
  putSodPolicy,
} from './routes/sod-policies.ts';
import { getSodReport, listReportViolations, startSodBlastRadius, startSodScan } from './routes/sod-reports.ts';
import { getViolationCheck, predictSodViolations, startViolationCheck } from './routes/sod-violations.ts';
import { getUiMetadata, setUiMetadata } from './routes/ui-metadata.ts';
import type { Secrets } from './secrets.ts';

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
