export type { DryRunFields } from './bodies/dry-run.ts';
export * from './bodies/import-lines.ts';
export { splitJson } from './bodies/split-json.ts';
export * from './bodies/strict-json.ts';
export { type TestEvent, wireTypeOf, writeCloudEvent, writeTestEvent } from './events/cloud-event.ts';
export * from './limits.ts';
export { createAsyncApiDocument } from './openapi/async-document.ts';
export * from './openapi/document.ts';
export { ANSWERS } from './openapi/examples.ts';
export { LIMITS_HEADING } from './openapi/guide.ts';
export type { PublishedLimit } from './openapi/limit-row.ts';
export * from './openapi/public-endpoints.ts';
export { limitRows, PUBLISHED_LIMITS } from './openapi/published-limits.ts';
export { ACCESS_MODEL } from './operations/access-model.ts';
export { AUDIT } from './operations/audit.ts';
export { AUTH_PROFILES } from './operations/auth-profiles.ts';
export { AUTH_USERS } from './operations/auth-users.ts';
export { AUTHZEN } from './operations/authzen.ts';
export { BRANDING } from './operations/branding.ts';
export { CHECKS } from './operations/checks.ts';
export { CLIENTS } from './operations/clients.ts';
export { CONTROLS } from './operations/controls.ts';
export {
  type BodyOf,
  type Defined,
  defineOperation,
  type Operation,
  type OperationDefinition,
  type OperationExample,
  type ParamsOf,
  type Pause,
  type QueryOf,
  type RequestBody,
  type ResponseOf,
  type SuccessResponse,
} from './operations/define-operation.ts';
export { EVENTS } from './operations/events.ts';
export { EXCEPTIONS } from './operations/exceptions.ts';
export { LOADS } from './operations/loads.ts';
export { LOOK_UPS } from './operations/look-ups.ts';
export { createPathParser } from './operations/path-parameters.ts';
export { PERSONS } from './operations/persons.ts';
export { POLICIES } from './operations/policies.ts';
export { PREDICTIONS } from './operations/predictions.ts';
export { RECORDS } from './operations/records.ts';
export { REPORTS } from './operations/reports.ts';
export { RESERVATIONS } from './operations/reservations.ts';
export { SESSIONS } from './operations/sessions.ts';
export { SIGN_IN } from './operations/sign-in.ts';
export { SOURCES } from './operations/sources.ts';
export * from './operations/table.ts';
export { TENANTS } from './operations/tenants.ts';
export { UI_METADATA } from './operations/ui-metadata.ts';
export * from './operations/validate-response.ts';
export { VIOLATIONS } from './operations/violations.ts';
export { WEBHOOKS } from './operations/webhooks.ts';
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
export { authProfilePatch } from './schemas/auth-profiles.ts';
export type * from './schemas/auth-users.ts';
export { authUserPatch } from './schemas/auth-users.ts';
export type * from './schemas/authzen.ts';
export { brandingPatch } from './schemas/branding.ts';
export type * from './schemas/checks.ts';
export { checkHeaders } from './schemas/checks.ts';
export type * from './schemas/clients.ts';
export { oauthClientPatch } from './schemas/clients.ts';
export { controlPatch } from './schemas/controls.ts';
export type * from './schemas/events.ts';
export type * from './schemas/persons.ts';
export type * from './schemas/policies.ts';
export { sodPolicyFields, sodPolicyPatch } from './schemas/policies.ts';
export type * from './schemas/predictions.ts';
export { identityWithNewAccess } from './schemas/predictions.ts';
export type * from './schemas/reports.ts';
export type * from './schemas/resource-types.ts';
export type * from './schemas/sessions.ts';
export { lockoutPatch, networkPatch, sessionPatch } from './schemas/sign-in.ts';
export { accountFields, scimGroupFields, sourcePatch } from './schemas/sources.ts';
export type * from './schemas/tenants.ts';
export { uiMetadataPatch } from './schemas/ui-metadata.ts';
export type * from './schemas/violations.ts';
export type * from './schemas/webhooks.ts';
export { webhookPatch } from './schemas/webhooks.ts';
export { chosen, documentedOf } from './validation/chosen.ts';
export type { ErrorCause, ErrorMessage, ErrorResponse } from './validation/error-response.ts';
export type { PatchesByRule, PatchFieldOf } from './validation/patch.ts';
export * from './validation/validate.ts';
