export type { DryRunFields } from './bodies/dry-run.ts';
export * from './bodies/import-lines.ts';
export { splitJson } from './bodies/split-json.ts';
export * from './bodies/strict-json.ts';
export * from './limits.ts';
export { createAsyncApiDocument } from './openapi/async-document.ts';
export * from './openapi/document.ts';
export { LIMITS_HEADING } from './openapi/guide.ts';
export type { PublishedLimit } from './openapi/limit-row.ts';
export * from './openapi/public-endpoints.ts';
export { limitRows, PUBLISHED_LIMITS } from './openapi/published-limits.ts';
export {
  type Defined,
  defineOperation,
  type Operation,
  type OperationDefinition,
  type OperationExample,
  type Pause,
  type RequestBody,
  type SuccessResponse,
} from './operations/define-operation.ts';
export * from './operations/table.ts';
export * from './operations/validate-response.ts';
export * from './query/filters.ts';
export * from './query/includes.ts';
export { onceOf } from './query/once-of.ts';
export { type PageQuery, parsePage } from './query/page.ts';
export { parseSequence } from './query/parameters.ts';
export { type ParsedQuery, parseQuery, type QueryColumns, type QueryParameter } from './query/parse-query.ts';
export * from './query/sorters.ts';
export type { ExportedRecord, ImportResult } from './schemas/access-model.ts';
export { AUDIT_FILTERS, type SignedAuditHead } from './schemas/administration/audit-events.ts';
export type { Credentials } from './schemas/administration/credentials.ts';
export {
  newOauthClient,
  type OAuthClient,
  type OAuthClientWithSecret,
  oauthClientSettings,
  secretRotation,
} from './schemas/administration/oauth-clients.ts';
export {
  type CurrentSession,
  newSignInLink,
  type Session,
  type SignInLink,
} from './schemas/administration/sessions.ts';
export { signInQuestion } from './schemas/administration/sign-in-decision.ts';
export { tenantUiMetadataUpdate } from './schemas/administration/ui-metadata.ts';
export {
  newWebhook,
  WEBHOOK_DELIVERY_FILTERS,
  type WebhookWithSecret,
  webhookReplay,
  webhookSettings,
} from './schemas/administration/webhooks.ts';
export { CONTROL_FILTERS, controlFields } from './schemas/controls.ts';
export type { CapabilitiesChange, CloudEvent, EventReference, ImportedCounts } from './schemas/events.ts';
export {
  ENTITLEMENT_FILTERS,
  IDENTITY_FILTERS,
  IDENTITY_SORTERS,
  NAMED_FILTERS,
  NAMED_SORTERS,
} from './schemas/look-ups.ts';
export type * from './schemas/resource-types.ts';
export { exceptionTransition, newSodException, SOD_EXCEPTION_FILTERS } from './schemas/sod-exceptions.ts';
export {
  type ShownSodPolicy,
  SOD_POLICY_FILTERS,
  SOD_POLICY_SORTERS,
  sodPolicyFields,
} from './schemas/sod-policies.ts';
export {
  REPORT_VIOLATION_FILTERS,
  SOD_REPORT_FILTERS,
  type StartedSodReport,
  type scanRequest,
} from './schemas/sod-reports.ts';
export type { BatchResult, SodViolationCheck } from './schemas/sod-violations.ts';
export { controlApplication, reassignment } from './schemas/violation-changes.ts';
export {
  VIOLATION_FILTERS,
  VIOLATION_SORTERS,
  type ViolationSummary,
} from './schemas/violations.ts';
export type { ErrorCause, ErrorMessage, ErrorResponse } from './validation/error-response.ts';
export * from './validation/validate.ts';
