export {
  type LookUpCondition,
  type LookUpKind,
  type LookUpQuery,
  type LookUpSorter,
  lookUpKeysOf,
} from './access/look-ups/query.ts';
export type { FoundRecords, LookUpStore } from './access/look-ups/store.ts';
export { eachAssignment, unpackAccess } from './access/records/access-codec.ts';
export { accountKeyOf } from './access/sources/codec.ts';
export type { Subject, SubjectKey } from './access/subjects/store.ts';
export type { AuthProfileView } from './administration/auth-profiles.ts';
export type { AuthUserView } from './administration/auth-users.ts';
export type { ShownBranding } from './administration/branding.ts';
export type { SignInSettingsStore } from './administration/sign-in-settings.ts';
export { createTake, type Env, parseSharedConfig, type SharedConfig, type Variable } from './assembly/configuration.ts';
export { DATABASE_URL_RULE, parseDatabaseUrl } from './assembly/database-url.ts';
export { distributeStore } from './assembly/distribute-store.ts';
export { openSecrets } from './assembly/open-secrets.ts';
export { openStore } from './assembly/open-store.ts';
export { openPostgresStore } from './assembly/postgres.ts';
export { openSqliteStore } from './assembly/sqlite.ts';
export type { Store } from './assembly/store.ts';
export { openTenantMoves } from './assembly/tenant-moves.ts';
export { whyNotOpened } from './assembly/why-not-opened.ts';
export type { CheckCompletion, ClaimedCheck, NewCheck, StoredCheck } from './checks/check.ts';
export { CHECK_ORDER, type CheckCondition } from './checks/list.ts';
export type { CheckQueue } from './checks/store.ts';
export type { Change, Failed } from './engine/change.ts';
export type { ArisingWork } from './engine/commits.ts';
export { inParts } from './engine/concurrency/in-parts.ts';
export type { MaybePromise } from './engine/concurrency/maybe-promise.ts';
export { createOrderedRunner } from './engine/concurrency/ordered-runner.ts';
export type { Pause } from './engine/concurrency/pauses.ts';
export {
  NodeAway,
  OutcomeUnknown,
  RightsLost,
  StorageFull,
  StorageLocked,
  StorageUnavailable,
  TenantRemoved,
  UnsuitableAddress,
} from './engine/errors.ts';
export { createOrderedIds, leastOrderedId } from './engine/ordered-ids.ts';
export { type ExaminedPostgres, examinePostgres } from './engine/postgres/examine.ts';
export { makeFolder } from './engine/sqlite/make-folder.ts';
export type { IdentityException } from './governance/exceptions/approved.ts';
export type { ExceptionView } from './governance/exceptions/change.ts';
export type {
  ClaimedReport,
  CountedPolicy,
  CountedViolations,
  FixPlanEntry,
  FixPlanLists,
  LineCondition,
  NewReport,
  ReportClaim,
  ReportCondition,
  ReportKey,
  ReportProgress,
  ReportStore,
  ReportTotals,
  ReportViolation,
  StoredReport,
} from './governance/reports/report.ts';
export type { DataVersion, ReportIdentity, ReportSource } from './governance/reports/source.ts';
export {
  NO_RESERVATION,
  type NotReserved,
  type ReservationStore,
  reservationOrderOf,
} from './governance/reservations/store.ts';
export { type RegisterCondition, type RegisterQuery, sortKeysOf } from './governance/violations/query.ts';
export type {
  ChangedViolation,
  EndedViolation,
  NextDue,
  RegisterBatch,
} from './governance/violations/register/batch.ts';
export type { RegisterClaim } from './governance/violations/register/claim.ts';
export { latestUsual } from './governance/violations/register/head.ts';
export { type KnownPolicy, knownPolicyOf } from './governance/violations/register/known-policies.ts';
export type { RegisterMaintenance } from './governance/violations/register/maintenance.ts';
export {
  digestOfFound,
  type PresentViolation,
  type StoredViolation,
} from './governance/violations/register/present.ts';
export type { PublishedRound } from './governance/violations/register/publish-head.ts';
export type { RegisterChanges } from './governance/violations/register/read-changes.ts';
export type { RegisterSource } from './governance/violations/register/source.ts';
export type { RegisterSummary } from './governance/violations/summary.ts';
export type { Imported } from './import/store.ts';
export type { LoadClaim, LoadStore } from './loads/load.ts';
export type { LostMail, MailClaim, MailRecipient, MailStore } from './mail/mail.ts';
export type { ErasureClaim, ErasureStep, ErasureStore } from './persons/erasure.ts';
export type { PersonRecord } from './persons/export.ts';
export type { PersonStore } from './persons/store.ts';
export { digestOfTerms } from './policies/rulebook/policy-codec.ts';
export type { SodStore } from './policies/rulebook/sod-store.ts';
export type { RulebookVersion } from './policies/rulebook/versions.ts';
export { compileCatalogue } from './predictions/compile-rulebook.ts';
export { predictOn, readPrediction } from './predictions/read-prediction.ts';
export { CACHE_BYTES_DEFAULT, createSodReader, type SodReader, type SodReading } from './predictions/sod-reader.ts';
export { timedHoldingsOf } from './predictions/timed-holdings.ts';
export type { Position, SortKey } from './query/order.ts';
export type { RequestOrigin } from './query/origin.ts';
export type { Page } from './query/page.ts';
export type { Total } from './query/total.ts';
export { LEASE_MS_MAX } from './queue/leased-table.ts';
export type { Leases } from './queue/leases.ts';
export type { AuditRetentionStore, ExpiredAuditLog } from './record/audit/retention.ts';
export type { AuditCondition, AuditStore, RepeatedDenial } from './record/audit/store.ts';
export type { AuditStreamClaim, AuditStreamStore } from './record/audit/stream.ts';
export type {
  EventPage,
  EventPlace,
  EventPlaces,
  EventQuery,
  EventRange,
  EventStore,
  StoredEvent,
} from './record/events/store.ts';
export { createSecretCipher, type SecretCipher } from './record/secrets/cipher.ts';
export { examineKey } from './record/secrets/open-cipher.ts';
export { type JsonSigningKey, readJsonSigningKey, signJson } from './record/signing-keys/sign.ts';
export type { RetiredSigningKey, SigningKey, SigningKeyStore } from './record/signing-keys/store.ts';
export type { StoredTenant, TenantStore } from './record/tenants/store.ts';
export { migrationsOf } from './schema/migrations.ts';
export { type FoundSchema, findMisfit } from './schema/misfit.ts';
export { KEY_CHECK_QUERY, type KeyCheck } from './schema/tables/secret-key.ts';
export type { ScimAccount, ScimAccountFields, ScimPage, ScimQuery } from './scim/accounts.ts';
export type { ScimGroup, ScimGroupChange, ScimMembersChange } from './scim/groups.ts';
export { actingFault } from './sign-in/clients/acting-fault.ts';
export {
  type CallingClient,
  type Client,
  type ClientView,
  type ClientWithSecrets,
  type NewClient,
  type SecretView,
  showClient,
  showUsedClient,
} from './sign-in/clients/client.ts';
export type { ClientStore } from './sign-in/clients/store.ts';
export type { CredentialRef, CredentialStore, Enrolment } from './sign-in/credential-store.ts';
export type { SignInFailure, SignInFailureStore } from './sign-in/failures.ts';
export type { Enrolled, Passkey, SignInIdentity } from './sign-in/identity.ts';
export type { PendingSignInStore } from './sign-in/pending.ts';
export type {
  CallingSession,
  NewSession,
  SessionQuery,
  SessionStore,
  SignInFactor,
  StoredSession,
} from './sign-in/session.ts';
export type { TenantMoveStore, TenantRows } from './tenants/move/store.ts';
export { removeTenant, TENANT_REMOVAL_LEASE_MS } from './tenants/removal/run.ts';
export type { TenantRemovalClaim } from './tenants/removal/store.ts';
export type {
  ClaimedWebhook,
  DeliveryCondition,
  DeliveryOutcome,
  DueDelivery,
  WebhookPlace,
  WebhookQueue,
  WebhookRecord,
  WebhookRights,
} from './webhooks/webhook.ts';
