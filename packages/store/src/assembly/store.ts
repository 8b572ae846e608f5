import type { LookUpStore } from '../access/look-ups/store.ts';
import type { SourceStore } from '../access/sources/store.ts';
import type { SubjectStore } from '../access/subjects/store.ts';
import type { AuthProfileStore } from '../administration/auth-profiles.ts';
import type { AuthUserStore } from '../administration/auth-users.ts';
import type { BrandingStore } from '../administration/branding.ts';
import type { SignInSettingsStore } from '../administration/sign-in-settings.ts';
import type { UiMetadataStore } from '../administration/ui-metadata.ts';
import type { CheckQueue } from '../checks/store.ts';
import type { ArisingWork } from '../engine/commits.ts';
import type { StorageMeasure } from '../engine/storage-measure.ts';
import type { ControlStore } from '../governance/controls/store.ts';
import type { ExceptionStore } from '../governance/exceptions/store.ts';
import type { ReportStore } from '../governance/reports/report.ts';
import type { ReservationStore } from '../governance/reservations/store.ts';
import type { RegisterMaintenance } from '../governance/violations/register/maintenance.ts';
import type { ViolationStore } from '../governance/violations/store.ts';
import type { AccessModelStore } from '../import/store.ts';
import type { LoadStore } from '../loads/load.ts';
import type { MailStore } from '../mail/mail.ts';
import type { ErasureStore } from '../persons/erasure.ts';
import type { PersonStore } from '../persons/store.ts';
import type { SodStore } from '../policies/rulebook/sod-store.ts';
import type { PolicyStore } from '../policies/store.ts';
import type { AuditRetentionStore } from '../record/audit/retention.ts';
import type { AuditStore } from '../record/audit/store.ts';
import type { AuditStreamStore } from '../record/audit/stream.ts';
import type { EventStore } from '../record/events/store.ts';
import type { SecretKeyStore } from '../record/secrets/keys.ts';
import type { SigningKeyStore } from '../record/signing-keys/store.ts';
import type { TenantStore } from '../record/tenants/store.ts';
import type { ScimStore } from '../scim/store.ts';
import type { BearerTokenStore } from '../sign-in/clients/bearer-tokens.ts';
import type { ClientStore } from '../sign-in/clients/store.ts';
import type { CredentialStore } from '../sign-in/credential-store.ts';
import type { SignInExpiryStore } from '../sign-in/expiry.ts';
import type { SignInFailureStore } from '../sign-in/failures.ts';
import type { SignInLinkStore } from '../sign-in/links.ts';
import type { PendingSignInStore } from '../sign-in/pending.ts';
import type { SignInPopulationStore } from '../sign-in/population.ts';
import type { SessionStore } from '../sign-in/session.ts';
import type { TenantRemovalStore } from '../tenants/removal/store.ts';
import type { WebhookStore } from '../webhooks/webhook.ts';

/** Durable storage by tenant. The rules are in the domain. */
export interface Store extends AsyncDisposable {
  readonly engine: 'sqlite' | 'postgres';
  /** The migrations that ran when it was opened, in order. */
  readonly migrated: readonly string[];
  readonly clients: ClientStore;
  readonly bearerTokens: BearerTokenStore;
  readonly signingKeys: SigningKeyStore;
  readonly authUsers: AuthUserStore;
  readonly authProfiles: AuthProfileStore;
  readonly uiMetadata: UiMetadataStore;
  readonly branding: BrandingStore;
  readonly signInSettings: SignInSettingsStore;
  readonly accessModel: AccessModelStore;
  readonly audit: AuditStore;
  readonly auditStream: AuditStreamStore;
  readonly auditRetention: AuditRetentionStore;
  readonly policies: PolicyStore;
  readonly exceptions: ExceptionStore;
  readonly reservations: ReservationStore;
  readonly controls: ControlStore;
  readonly sod: SodStore;
  readonly checks: CheckQueue;
  readonly reports: ReportStore;
  readonly register: RegisterMaintenance;
  readonly violations: ViolationStore;
  readonly lookUps: LookUpStore;
  readonly subjects: SubjectStore;
  readonly sources: SourceStore;
  readonly scim: ScimStore;
  readonly loads: LoadStore;
  readonly events: EventStore;
  readonly mails: MailStore;
  readonly secretKeys: SecretKeyStore;
  readonly webhooks: WebhookStore;
  readonly credentials: CredentialStore;
  readonly signInLinks: SignInLinkStore;
  readonly pendingSignIns: PendingSignInStore;
  readonly signInFailures: SignInFailureStore;
  readonly sessions: SessionStore;
  readonly signInPopulation: SignInPopulationStore;
  readonly signInExpiry: SignInExpiryStore;
  readonly persons: PersonStore;
  readonly erasures: ErasureStore;
  readonly tenants: TenantStore;
  readonly tenantRemovals: TenantRemovalStore;
  /** The size of the database, and the room on its disk. */
  measureStorage(): Promise<StorageMeasure>;
  /** Rejects when the storage cannot be reached or this version cannot work on its schema. */
  ping(): Promise<void>;
  /**
   * Calls back soon after a commit of any process, with the work that may arise from it, or null where that is not known; returns the
   * unsubscription. May also call without a commit, and up to a second late when the platform sends no signal.
   */
  onCommit(listener: (arising: ArisingWork | null) => void): () => void;
  close(): Promise<void>;
}
