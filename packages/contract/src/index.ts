export type { DryRunFields } from './bodies/dry-run.ts';
export * from './bodies/import-lines.ts';
export { splitJson } from './bodies/split-json.ts';
export * from './bodies/strict-json.ts';
export { type TestEvent, wireTypeOf, writeCloudEvent, writeTestEvent } from './events/cloud-event.ts';
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
export { createQueryParser, type ParsedQuery, type QueryColumns, type QueryParameter } from './query/parse-query.ts';
export * from './query/sorters.ts';
export type * from './schemas/access-model.ts';
export { accessModelRecord, changedRecords } from './schemas/access-model.ts';
export type * from './schemas/audit.ts';
export type * from './schemas/auth-users.ts';
export type * from './schemas/checks.ts';
export type * from './schemas/clients.ts';
export { oauthClientSettings } from './schemas/clients.ts';
export { controlFields } from './schemas/controls.ts';
export type * from './schemas/events.ts';
export type * from './schemas/policies.ts';
export { sodPolicyFields } from './schemas/policies.ts';
export type * from './schemas/predictions.ts';
export { identityWithNewAccess } from './schemas/predictions.ts';
export type * from './schemas/reports.ts';
export type * from './schemas/resource-types.ts';
export type * from './schemas/sessions.ts';
export type * from './schemas/tenants.ts';
export type * from './schemas/violations.ts';
export type * from './schemas/webhooks.ts';
export { webhookSettings } from './schemas/webhooks.ts';
export type { ErrorCause, ErrorMessage, ErrorResponse } from './validation/error-response.ts';
export * from './validation/validate.ts';
