export type {
  AccessDecision,
  AccessEntity,
  AccessHolder,
  AccessPath,
  AccessProfile,
  AccessRef,
  AccessSource,
  AccessType,
  AddedFactor,
  AppliedControl,
  AppliedControlStatus,
  AuditChange,
  AuditEvent,
  AuthProfile,
  AuthProfileSettings,
  AuthProfileSummary,
  AuthProfileType,
  AuthUser,
  Basis,
  BatchResult,
  Branding,
  BrandingUpdate,
  CapabilitiesChange,
  Capability,
  CloudEvent,
  ConflictingAccessCriteria,
  Control,
  CoveringException,
  Credentials,
  CurrentSession,
  Decisions,
  Entitlement,
  ErrorCause,
  ErrorMessage,
  EvaluationsSemantic,
  EventReference,
  ExceptionDecision,
  ExceptionTerms,
  ExportedRecord as AccessModelRecord,
  FixedPolicy,
  FixPlanRequest,
  FixPlanSummary,
  FixRevocation,
  FixStep,
  FoundAction,
  FoundPage,
  Identity,
  IdentityProfile,
  ImportCounts,
  ImportedCounts,
  ImportResult,
  ImportWarning,
  KOfNConflict,
  KOfNCriteria,
  LintCode,
  LintSeverity,
  ListedIdentity,
  ListedSodCheck,
  ListedSodReport,
  Load as SourceLoad,
  LockoutConfig,
  NamedAccessRef,
  NamedViolationSide,
  NetworkConfig,
  NewSodException,
  OAuthClient,
  OAuthClientWithSecret,
  OnConflict,
  PendingRef,
  PersonalRecord,
  PersonErasure,
  PolicyFinding,
  RecordKind,
  RelatedPolicy,
  RequestedFix,
  ReservationPrediction,
  Role,
  Scope,
  Session,
  SessionConfig,
  ShownAccessProfile,
  ShownAccount as Account,
  ShownAssignment,
  ShownEntitlement,
  ShownIdentity,
  ShownPolicyItem,
  ShownRole,
  ShownSodPolicy as SodPolicy,
  SignedAuditHead,
  SignInDecision,
  SignInDryRun,
  SignInLink,
  SodCheck,
  SodCheckResult,
  SodCheckState,
  SodCriteria,
  SodException,
  SodExceptionState,
  SodInclude,
  SodPolicyItem,
  SodPolicyLevel,
  SodPolicyState,
  SodReceipt,
  SodReport,
  SodReportChange,
  SodReportCounts,
  SodReportKind,
  SodReportQuestion,
  SodReportRequester,
  SodReportState,
  SodReportSummary,
  SodReportTotals,
  SodReportViolation,
  SodReservation,
  SodReservationState,
  SodViolation,
  SodViolationCheck,
  SodViolationLevel,
  SodViolationStatus,
  Source,
  StartedSodReport,
  Tenant,
  TenantRemoval,
  TimedAccessRef,
  TwoSidedConflict,
  TwoSidedCriteria,
  UiMetadata,
  UiMetadataUpdate,
  UnsolvableReason,
  UnsolvableViolation,
  ViolationContext,
  ViolationCounts,
  ViolationItem,
  ViolationPrediction,
  ViolationSide,
  ViolationSummary,
} from '@access-admin/contract';
export {
  CAPABILITIES,
  type CapabilityChange,
  type ComparedCaller,
  effectiveCapabilities,
  validateCapabilityChange,
} from '@access-admin/domain/capability';
export {
  type AccessAdminClient,
  type ApiAnswer,
  type ApiCall,
  type ClientOptions,
  createClient,
  createSessionClient,
  type GivenToken,
  type SessionClientOptions,
} from './client.ts';
export {
  AccessAdminError,
  ApiError,
  type ApiErrorDetails,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  PreconditionFailedError,
  PreconditionRequiredError,
  RateLimitedError,
  TimeoutError,
  TokenError,
  UnauthenticatedError,
  UnavailableError,
  VerificationError,
} from './errors.ts';
export type { AccessModel, ImportOptions } from './groups/access-model.ts';
export type {
  AccessModelInput,
  ControlInput,
  LoadRecordInput,
  OwnerInput,
  SodPolicyInput,
} from './groups/access-model-record.ts';
export type { AuditEventOptions, AuditEvents } from './groups/administration/audit-events.ts';
export type { AuthOrg, NetworkSetting, TenantSetting } from './groups/administration/auth-org.ts';
export type { AuthProfiles } from './groups/administration/auth-profiles.ts';
export type { AuthUsers } from './groups/administration/auth-users.ts';
export type { BrandingOperations } from './groups/administration/branding.ts';
export type { Health, PublicKeys } from './groups/administration/health.ts';
export type {
  BearerTokenCreation,
  NewOAuthClient,
  OAuthClients,
  SecretRotation,
} from './groups/administration/oauth-clients.ts';
export type { SessionListOptions, Sessions } from './groups/administration/sessions.ts';
export type { SignIn, SignInQuestion } from './groups/administration/sign-in.ts';
export type { TenantDeletion, Tenants } from './groups/administration/tenants.ts';
export type { UiMetadataOperations } from './groups/administration/ui-metadata.ts';
export type {
  ActionQuestion,
  Authzen,
  Evaluation,
  EvaluationContext,
  EvaluationsRequest,
  RequestedRef,
  ResourceEntity,
  ResourceQuestion,
  SearchOptions,
  SubjectQuestion,
} from './groups/authzen.ts';
export type { ControlListOptions, Controls, NewControl } from './groups/controls.ts';
export type { EventOptions, EventPage, EventPageOptions, EventStreamOptions, Events } from './groups/events.ts';
export type { DecisionOptions, SodExceptionListOptions, SodExceptions } from './groups/exceptions.ts';
export type { LoadCommitOptions, NewSourceLoad, SourceLoads } from './groups/loads.ts';
export type {
  HeldLookUp,
  IdentityLookUp,
  LookUp,
  LookUpOptions,
  LookUpPageOptions,
  LookUps,
  NewRecord,
  RecordFields,
} from './groups/look-ups.ts';
export type { NewSodPolicy, SodPolicies, SodPolicyListOptions } from './groups/policies.ts';
export type {
  BlastRadius,
  DryRun,
  FinishedSodReport,
  FixPlanOptions,
  ReportViolationOptions,
  ScanOptions,
  SodReportListOptions,
  SodReports,
} from './groups/reports.ts';
export type {
  NewReservation,
  ReservationListOptions,
  ReservationPageOptions,
  SodReservations,
} from './groups/reservations.ts';
export type {
  CheckListOptions,
  CheckPageOptions,
  GetCheckOptions,
  IncludeOptions,
  NewAccess,
  SodViolations,
} from './groups/sod-violations.ts';
export type { AccountListOptions, Accounts, NewSource, SourceListOptions, Sources } from './groups/sources.ts';
export type {
  ViolationListOptions,
  ViolationPage,
  ViolationPageOptions,
  Violations,
} from './groups/violations.ts';
export type { FinishedSodCheck, WaitOptions } from './groups/wait-for-check.ts';
export type { Fetch } from './http/attempt.ts';
export type { CursorOptions, CursorPage } from './http/cursor-list.ts';
export { type FilterValue, filter } from './http/filter.ts';
export type { JsonPatch, JsonPatchOperation } from './http/json-patch.ts';
export type { Page, PageOptions } from './http/list.ts';
export type { DryRunOptions, WriteOptions } from './http/resource.ts';
export type { ResourceCall, WithETag } from './http/resource-call.ts';
export type { ClientCredentials } from './http/token-provider.ts';
export type { CallOptions } from './http/transport.ts';
export {
  type AuditHeadFault,
  type AuditLogEnd,
  type AuditLogFault,
  type AuditLogVerification,
  type VerifyAuditEventsOptions,
  verifyAuditEvents,
  verifyAuditHead,
} from './verification/audit-log.ts';
export type { JwsFault } from './verification/jws.ts';
export { type ReceiptFault, type VerifyReceiptOptions, verifyReceipt } from './verification/receipt.ts';
export {
  type ServiceEvent,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookFault,
  type WebhookHeaders,
} from './verification/webhook.ts';
