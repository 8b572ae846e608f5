import { createLookUpStore } from '../access/look-ups/store.ts';
import { createSourceStore } from '../access/sources/store.ts';
import { createSubjectStore } from '../access/subjects/store.ts';
import { createAuthProfileStore } from '../administration/auth-profiles.ts';
import { createAuthUserStore } from '../administration/auth-users.ts';
import { createBrandingStore } from '../administration/branding.ts';
import { createSignInSettingsStore } from '../administration/sign-in-settings.ts';
import { createUiMetadataStore } from '../administration/ui-metadata.ts';
import { createCheckQueue } from '../checks/store.ts';
import type { Database } from '../engine/database.ts';
import { createControlStore } from '../governance/controls/store.ts';
import { createExceptionStore } from '../governance/exceptions/store.ts';
import { createReportStore } from '../governance/reports/store.ts';
import { createReservationStore } from '../governance/reservations/store.ts';
import { createRegisterStore } from '../governance/violations/register/store.ts';
import { createViolationStore } from '../governance/violations/store.ts';
import { createAccessModelStore } from '../import/store.ts';
import { createLoadStore } from '../loads/store.ts';
import { createMailStore } from '../mail/store.ts';
import { createErasureStore } from '../persons/erasure.ts';
import { createPersonStore } from '../persons/store.ts';
import { createSodStore } from '../policies/rulebook/sod-store.ts';
import { createPolicyStore } from '../policies/store.ts';
import { createAuditRetentionStore } from '../record/audit/retention.ts';
import { createAuditStore } from '../record/audit/store.ts';
import { createAuditStreamStore } from '../record/audit/stream.ts';
import { createEventStore } from '../record/events/store.ts';
import { createSecretKeyStore } from '../record/secrets/keys.ts';
import { createSigningKeyStore } from '../record/signing-keys/store.ts';
import { createTenantStore } from '../record/tenants/store.ts';
import { createScimStore } from '../scim/store.ts';
import { createBearerTokenStore } from '../sign-in/clients/bearer-tokens.ts';
import { createClientStore } from '../sign-in/clients/store.ts';
import { createCredentialStore } from '../sign-in/credentials.ts';
import { createSignInExpiryStore } from '../sign-in/expiry.ts';
import { createSignInFailureStore } from '../sign-in/failures.ts';
import { createSignInLinkStore } from '../sign-in/links.ts';
import { createPendingSignInStore } from '../sign-in/pending.ts';
import { createSignInPopulationStore } from '../sign-in/population.ts';
import { createSessionStore } from '../sign-in/sessions.ts';
import { createTenantRemovalStore } from '../tenants/removal/store.ts';
import { createWebhookStore } from '../webhooks/store.ts';
import type { Store } from './store.ts';
import { verifyRights } from './verify-rights.ts';

/** The parts of a store that an engine provides. */
interface EngineParts extends Pick<Store, 'engine' | 'migrated' | 'measureStorage' | 'ping' | 'onCommit' | 'close'> {
  readonly database: Database;
  /** Whether mails are stored; not if left out. */
  readonly mails?: boolean | undefined;
}

export function createStore({ database: unverified, mails: isMailed = false, ...engine }: EngineParts): Store {
  const database = verifyRights(unverified);
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= engine.close();
    return closed;
  };
  return {
    ...engine,
    clients: createClientStore(database),
    bearerTokens: createBearerTokenStore(database),
    signingKeys: createSigningKeyStore(database),
    authUsers: createAuthUserStore(database),
    authProfiles: createAuthProfileStore(database),
    uiMetadata: createUiMetadataStore(database),
    branding: createBrandingStore(database),
    signInSettings: createSignInSettingsStore(database),
    accessModel: createAccessModelStore(database),
    audit: createAuditStore(database),
    auditStream: createAuditStreamStore(database),
    auditRetention: createAuditRetentionStore(database),
    policies: createPolicyStore(database),
    exceptions: createExceptionStore(database, isMailed),
    reservations: createReservationStore(database),
    controls: createControlStore(database, isMailed),
    sod: createSodStore(database),
    checks: createCheckQueue(database),
    reports: createReportStore(database),
    register: createRegisterStore(database),
    violations: createViolationStore(database),
    lookUps: createLookUpStore(database),
    subjects: createSubjectStore(database),
    sources: createSourceStore(database),
    scim: createScimStore(database),
    loads: createLoadStore(database),
    events: createEventStore(database),
    mails: createMailStore(database),
    secretKeys: createSecretKeyStore(database),
    webhooks: createWebhookStore(database),
    credentials: createCredentialStore(database, isMailed),
    signInLinks: createSignInLinkStore(database),
    pendingSignIns: createPendingSignInStore(database),
    signInFailures: createSignInFailureStore(database),
    sessions: createSessionStore(database),
    signInPopulation: createSignInPopulationStore(database),
    signInExpiry: createSignInExpiryStore(database),
    persons: createPersonStore(database),
    erasures: createErasureStore(database),
    tenants: createTenantStore(database),
    tenantRemovals: createTenantRemovalStore(database),
    close,
    [Symbol.asyncDispose]: close,
  };
}
