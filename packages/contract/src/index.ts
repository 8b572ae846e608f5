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
export type { SignedAuditHead } from './schemas/audit.ts';
export type { Credentials, SignInLink } from './schemas/auth-users.ts';
export type { SodViolationCheck } from './schemas/checks.ts';
export { type OAuthClient, type OAuthClientWithSecret, oauthClientSettings } from './schemas/clients.ts';
export { controlFields } from './schemas/controls.ts';
export type { CapabilitiesChange, CloudEvent, EventReference, ImportedCounts } from './schemas/events.ts';
export { type ShownSodPolicy, sodPolicyFields } from './schemas/policies.ts';
export { type BatchResult, identityWithNewAccess } from './schemas/predictions.ts';
export type { StartedSodReport } from './schemas/reports.ts';
export type * from './schemas/resource-types.ts';
export type { CurrentSession, Session } from './schemas/sessions.ts';
export type { ViolationSummary } from './schemas/violations.ts';
export { type WebhookWithSecret, webhookSettings } from './schemas/webhooks.ts';
export type { ErrorCause, ErrorMessage, ErrorResponse } from './validation/error-response.ts';
export * from './validation/validate.ts';
