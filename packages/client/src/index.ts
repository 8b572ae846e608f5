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
export type { AccessModel } from './access-model.ts';
export type { AccessModelInput, AccessModelRecord, ImportAnswer, SodPolicyInput } from './access-model-record.ts';
export type { Fetch } from './attempt.ts';
export type { AuditEventOptions, AuditEvents, SignedAuditHead } from './audit-events.ts';
export type { AuthProfiles } from './auth-profiles.ts';
export type { AuthUsers } from './auth-users.ts';
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
export type { Health } from './health.ts';
export type { JsonPatchOperation } from './json-patch.ts';
export type { Page, PageOptions } from './list.ts';
export type { NewOAuthClient, OAuthClient, OAuthClients, OAuthClientWithSecret } from './oauth-clients.ts';
export type { WriteOptions } from './resource.ts';
export type { ResourceCall, WithETag } from './resource-call.ts';
export type { SodExceptionListOptions, SodExceptions } from './sod-exceptions.ts';
export type { NewSodPolicy, SodPolicies, SodPolicyListOptions } from './sod-policies.ts';
export type {
  BlastRadius,
  DryRun,
  FinishedSodReport,
  ReportViolationOptions,
  SodReports,
  StartedSodReport,
} from './sod-reports.ts';
export type {
  BatchAnswer,
  GetCheckOptions,
  IncludeOptions,
  NewAccess,
  SodViolationCheck,
  SodViolations,
} from './sod-violations.ts';
export type { ClientCredentials } from './token-provider.ts';
export type { CallOptions } from './transport.ts';
export type { UiMetadataOperations } from './ui-metadata.ts';
export type { FinishedSodCheck, WaitOptions } from './wait-for-check.ts';
