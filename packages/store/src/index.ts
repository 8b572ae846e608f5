export { eachAssignment, unpackAccess } from './access-model/records/access-codec.ts';
export type { AccessModelStore } from './access-model/store.ts';
export type { AuthProfileStore, AuthProfileView } from './administration/auth-profiles.ts';
export type { AuthUserStore, AuthUserView } from './administration/auth-users.ts';
export type { BrandingStore, ShownBranding } from './administration/branding.ts';
export type { SignInSettingsStore } from './administration/sign-in-settings.ts';
export type { UiMetadataStore } from './administration/ui-metadata.ts';
export { DATABASE_URL_RULE, parseDatabaseUrl } from './assembly/database-url.ts';
export { distributeStore } from './assembly/distribute-store.ts';
export { openSecrets } from './assembly/open-secrets.ts';
export { openStore } from './assembly/open-store.ts';
export { openPostgresStore } from './assembly/postgres.ts';
export { openSqliteStore } from './assembly/sqlite.ts';
export type { Store } from './assembly/store.ts';
export { openTenantMoves } from './assembly/tenant-moves.ts';
export { whyNotOpened } from './assembly/why-not-opened.ts';
export type { AuditCondition, AuditStore, RepeatedDenial } from './audit/store.ts';
export { compileCatalogue } from './cache/compile-rulebook.ts';
export { predictOn, readPrediction } from './cache/read-prediction.ts';
export {
  CACHE_BYTES_DEFAULT,
  CACHE_BYTES_MIN,
  createSodReader,
  type SodReader,
  type SodReading,
} from './cache/sod-reader.ts';
export type { CheckCompletion, ClaimedCheck, NewCheck, StoredCheck } from './checks/check.ts';
export { CHECK_ORDER, type CheckCondition, type CheckPage, type ListedCheck } from './checks/list.ts';
export type { CheckQueue } from './checks/store.ts';
export { actingFault } from './clients/acting-fault.ts';
export {
  type CallerRights,
  type CallingClient,
  type Client,
  type ClientSecret,
  type ClientView,
  type ClientWithSecrets,
  type NewClient,
  type SecretView,
  showClient,
} from './clients/client.ts';
export type { ClientStore } from './clients/store.ts';
export { inParts } from './concurrency/in-parts.ts';
export type { MaybePromise } from './concurrency/maybe-promise.ts';
export type { Pause } from './concurrency/pauses.ts';
export type { ControlCondition, ControlStore } from './controls/store.ts';
export type { Change, Failed } from './engine/change.ts';
export type { Distribution } from './engine/citus/distribute.ts';
export type { ArisingWork } from './engine/commits.ts';
export {
  OutcomeUnknown,
  RightsLost,
  StorageFull,
  StorageLocked,
  StorageUnavailable,
  TenantRemoved,
  UnsuitableAddress,
} from './engine/errors.ts';
export { type ExaminedPostgres, examinePostgres } from './engine/postgres/examine.ts';
export { makeFolder } from './engine/sqlite/make-folder.ts';
export type {
  EventPage,
  EventPlace,
  EventPlaces,
  EventQuery,
  EventRange,
  EventStore,
  StoredEvent,
} from './events/store.ts';
export type { IdentityException } from './exceptions/approved.ts';
export type { ExceptionView } from './exceptions/change.ts';
export type { ExceptionCondition, ExceptionStore } from './exceptions/store.ts';
export type { LookUpPage } from './look-ups/page.ts';
export {
  type LookUpCondition,
  type LookUpKey,
  type LookUpKind,
  type LookUpPart,
  type LookUpQuery,
  type LookUpSorter,
  lookUpKeysOf,
} from './look-ups/query.ts';
export type { ListedRecords } from './look-ups/records.ts';
export type { FoundRecords, LookUpList, LookUpStore } from './look-ups/store.ts';
export type { PolicyCondition, PolicySorter, PolicyStore } from './policies/store.ts';
export type { Backlog } from './query/backlog.ts';
export type { Position, SortKey } from './query/order.ts';
export type { RequestOrigin } from './query/origin.ts';
export type { Page } from './query/page.ts';
export type { Total } from './query/total.ts';
export { LEASE_MS_MAX } from './queue/leased-table.ts';
export type {
  ClaimedReport,
  CountedPolicy,
  CountedViolations,
  LineCondition,
  NewReport,
  PolicyResult,
  ReportClaim,
  ReportCondition,
  ReportKey,
  ReportProgress,
  ReportStore,
  ReportTotals,
  ReportViolation,
  StoredReport,
} from './reports/report.ts';
export type { DataVersion, ReportIdentity, ReportSource } from './reports/source.ts';
export { digestOfTerms } from './rulebook/policy-codec.ts';
export type { SodStore } from './rulebook/sod-store.ts';
export type { IdentityVersion, Rulebook, RulebookChanges, RulebookVersion } from './rulebook/versions.ts';
export { migrationsOf } from './schema/migrations.ts';
export { type FoundSchema, findMisfit } from './schema/misfit.ts';
export { createSecretCipher, type SecretCipher, type SecretOwner } from './secrets/cipher.ts';
export { isSecretKey, SECRET_KEY_RULE } from './secrets/open-cipher.ts';
export type {
  CredentialRef,
  CredentialStore,
  CredentialsView,
  Enrolment,
  EnrolmentOutcome,
} from './sign-in/credential-store.ts';
export type { SignInFailure, SignInFailureStore, SignInLocks } from './sign-in/failures.ts';
export type { Enrolled, Passkey, SignInIdentity } from './sign-in/identity.ts';
export type { SignInLinkStore } from './sign-in/links.ts';
export type { PendingSignIn, PendingSignInStore } from './sign-in/pending.ts';
export type { PopulationPart, SignInPopulationStore } from './sign-in/population.ts';
export type {
  CallingSession,
  NewSession,
  SessionQuery,
  SessionStore,
  SignInFactor,
  StoredSession,
} from './sign-in/session.ts';
export type { RetiredSigningKey, SigningKey, SigningKeyStore } from './signing-keys/store.ts';
export type { NotTaken, TenantMoveStore, TenantRows } from './tenant-move/store.ts';
export { removeTenant, TENANT_REMOVAL_LEASE_MS } from './tenant-removal/run.ts';
export type { TenantRemovalClaim, TenantRemovalStore } from './tenant-removal/store.ts';
export type { StoredTenant, TenantStore } from './tenants/store.ts';
export {
  type RegisterCondition,
  type RegisterPage,
  type RegisterQuery,
  type RegisterSorter,
  sortKeysOf,
} from './violations/query.ts';
export type { ChangedViolation, EndedViolation, NextDue, RegisterBatch } from './violations/register/batch.ts';
export type { RegisterClaim } from './violations/register/claim.ts';
export { latestUsual, type RegisterView } from './violations/register/head.ts';
export { type KnownPolicy, knownPolicyOf } from './violations/register/known-policies.ts';
export type { RegisterMaintenance } from './violations/register/maintenance.ts';
export { digestOfFound, type PresentViolation, type StoredViolation } from './violations/register/present.ts';
export type { PublishedRound } from './violations/register/publish-head.ts';
export type { RegisterChanges } from './violations/register/read-changes.ts';
export type { RegisterSource } from './violations/register/source.ts';
export type { ViolationExport, ViolationPage, ViolationStore } from './violations/store.ts';
export type { RegisterSummary } from './violations/summary.ts';
export { createDeliveryIds, leastDeliveryId } from './webhooks/delivery-id.ts';
export { parseWebhookTargets, WEBHOOK_TARGETS_RULE } from './webhooks/targets.ts';
export type {
  ClaimedWebhook,
  DeliveryCondition,
  DeliveryOutcome,
  DueDelivery,
  WebhookPlace,
  WebhookQueue,
  WebhookRecord,
  WebhookRights,
  WebhookSettlement,
  WebhookStore,
} from './webhooks/webhook.ts';
