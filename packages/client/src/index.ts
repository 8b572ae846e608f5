export type {
  AccessPath,
  AccessProfile,
  AccessRef,
  AccessSource,
  AccessType,
  AuditChange,
  AuditEvent,
  AuthProfile,
  AuthProfileSettings,
  AuthProfileSummary,
  AuthProfileType,
  AuthUser,
  Basis,
  Capability,
  ConflictingAccessCriteria,
  CoveringException,
  Entitlement,
  Identity,
  ImportCounts,
  KOfNConflict,
  KOfNCriteria,
  LintCode,
  LintSeverity,
  NamedAccessRef,
  NamedViolationSide,
  NewSodException,
  PolicyFinding,
  RecordKind,
  RelatedPolicy,
  Role,
  Scope,
  SodCheck,
  SodCheckResult,
  SodCheckState,
  SodCriteria,
  SodException,
  SodExceptionState,
  SodInclude,
  SodPolicy,
  SodPolicyItem,
  SodPolicyLevel,
  SodPolicyState,
  SodReport,
  SodReportChange,
  SodReportCounts,
  SodReportKind,
  SodReportState,
  SodReportSummary,
  SodReportViolation,
  TimedAccessRef,
  TwoSidedConflict,
  TwoSidedCriteria,
  UiMetadata,
  UiMetadataUpdate,
  ViolationContext,
  ViolationItem,
  ViolationPrediction,
  ViolationSide,
} from '@access-admin/domain';
export { type AccessAdminClient, type ClientOptions, createClient, type GivenToken } from './client.ts';
export {
  AccessAdminError,
  ApiError,
  type ApiErrorDetails,
  ConflictError,
  ConnectionError,
  type ErrorCause,
  type ErrorMessage,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  PreconditionFailedError,
  RateLimitedError,
  TimeoutError,
  TokenError,
  UnauthenticatedError,
  UnavailableError,
} from './errors.ts';
export type { AccessModel } from './groups/access-model.ts';
export type {
  AccessModelInput,
  AccessModelRecord,
  ImportAnswer,
  SodPolicyInput,
} from './groups/access-model-record.ts';
export type { AuditEventOptions, AuditEvents, SignedAuditHead } from './groups/audit-events.ts';
export type { AuthProfiles } from './groups/auth-profiles.ts';
export type { AuthUsers } from './groups/auth-users.ts';
export type { Health } from './groups/health.ts';
export type { NewOAuthClient, OAuthClient, OAuthClients, OAuthClientWithSecret } from './groups/oauth-clients.ts';
export type { SodExceptionListOptions, SodExceptions } from './groups/sod-exceptions.ts';
export type { NewSodPolicy, SodPolicies, SodPolicyListOptions } from './groups/sod-policies.ts';
export type {
  BlastRadius,
  DryRun,
  FinishedSodReport,
  ReportViolationOptions,
  SodReports,
  StartedSodReport,
} from './groups/sod-reports.ts';
export type {
  BatchAnswer,
  GetCheckOptions,
  IncludeOptions,
  NewAccess,
  SodViolationCheck,
  SodViolations,
} from './groups/sod-violations.ts';
export type { UiMetadataOperations } from './groups/ui-metadata.ts';
export type { FinishedSodCheck, WaitOptions } from './groups/wait-for-check.ts';
export type { Fetch } from './http/attempt.ts';
export type { JsonPatchOperation } from './http/json-patch.ts';
export type { Page, PageOptions } from './http/list.ts';
export type { WriteOptions } from './http/resource.ts';
export type { ResourceCall, WithETag } from './http/resource-call.ts';
export type { ClientCredentials } from './http/token-provider.ts';
export type { CallOptions } from './http/transport.ts';
