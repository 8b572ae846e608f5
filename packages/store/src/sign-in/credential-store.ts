import type { AuditContext, Capability, Conflict, NotFound, Result, SignInGuard } from '@access-admin/domain';
import type { Failed } from '../engine/change.ts';
import type { Resealed } from '../record/secrets/cipher.ts';
import type { Enrolled, Passkey, SignInIdentity } from './identity.ts';

/** One of the credentials of an identity. */
export type CredentialRef =
  | { readonly type: 'PASSWORD' | 'TOTP' | 'RECOVERY_CODES' }
  | { readonly type: 'PASSKEY'; readonly id: string };

/** What permits a new factor: an open link, which it consumes, or a sign-in or session in which a factor was proven. */
export interface Enrolment extends Enrolled {
  /** The SHA-256 of an open link's token; null without a link. With one, `usedLink` is null. */
  readonly link: string | null;
}

/** `LINK_GONE` also if the used link was revoked. */
export type EnrolmentOutcome = 'STORED' | 'LINK_GONE' | 'IDENTITY_GONE';

/** Input to the decision to remove all credentials. */
export interface CredentialsView {
  readonly identityId: string;
  readonly capabilities: readonly Capability[];
}

interface GuardedRemoval {
  /** Refuses a removal after which no administrator could sign in; no check if omitted. */
  readonly guard?: SignInGuard;
}

export interface CredentialsRemoval<F extends Failed> extends GuardedRemoval {
  readonly decide: (view: CredentialsView) => Result<unknown, F>;
}

export interface CredentialRemoval<F extends Failed> extends GuardedRemoval {
  readonly credential: CredentialRef;
  /** Sees the identity as it is before the removal, inside its transaction. */
  readonly decide: (identity: SignInIdentity) => Result<unknown, F>;
  /** If true, the identity's sessions end too. */
  readonly endsSessions: boolean;
}

/** The credentials of a tenant's identities. Each change is audited, and each new factor emits an event, without secrets. */
export interface CredentialStore {
  /** Null also if several identities have the username, or if it contains compatibility characters. */
  findByUsername(tenant: string, username: string): Promise<SignInIdentity | null>;
  findIdentity(tenant: string, identityId: string): Promise<SignInIdentity | null>;
  findByPasskey(tenant: string, passkeyId: string): Promise<SignInIdentity | null>;
  /** Ends the sessions of the identity, but for the one with the id `keepSession`. */
  setPassword(
    auditContext: AuditContext,
    identityId: string,
    password: Enrolment & { readonly hash: string; readonly keepSession: string | null },
  ): Promise<EnrolmentOutcome>;
  /** Replaces a hash by one with other parameters, unless it has changed since. */
  rehashPassword(
    tenant: string,
    identityId: string,
    hashes: { readonly from: string; readonly to: string },
  ): Promise<void>;
  /** Stores a sealed secret; the code of the step `lastStep` has confirmed it. */
  setTotp(
    auditContext: AuditContext,
    identityId: string,
    totp: Enrolment & { readonly secret: string; readonly lastStep: number },
  ): Promise<EnrolmentOutcome>;
  /** Consumes the code of a step; false if it, or a later one, was used before. */
  useTotpStep(tenant: string, identityId: string, step: number): Promise<boolean>;
  /** `CONFLICT` if the passkey is registered already, or if the identity has `PASSKEYS_MAX`. */
  addPasskey(
    auditContext: AuditContext,
    identityId: string,
    enrolment: Enrolment & { readonly passkey: Passkey },
  ): Promise<EnrolmentOutcome | 'CONFLICT'>;
  /**
   * Stores the signature counter of a use; false if the passkey is gone, or if this counter or a higher one is stored.
   * Authenticators without a counter send 0.
   */
  usePasskey(
    tenant: string,
    passkeyId: string,
    use: { readonly counter: number; readonly time: string },
  ): Promise<boolean>;
  /** Replaces all recovery codes by these SHA-256 hashes. */
  setRecoveryCodes(
    auditContext: AuditContext,
    identityId: string,
    codes: Enrolment & { readonly hashes: readonly string[] },
  ): Promise<EnrolmentOutcome>;
  /** Consumes a code; false if there is no such code. */
  useRecoveryCode(tenant: string, identityId: string, hash: string): Promise<boolean>;
  /** Decides and removes in one transaction; audits nothing if the identity has no such credential. */
  removeOne<F extends Failed>(
    auditContext: AuditContext,
    identityId: string,
    removal: CredentialRemoval<F>,
  ): Promise<Result<null, F | NotFound | Conflict>>;
  /** Decides and removes all factors, links, pending sign-ins and sessions in one transaction. A lockout stays. */
  removeAll<F extends Failed>(
    auditContext: AuditContext,
    identityId: string,
    removal: CredentialsRemoval<F>,
  ): Promise<Result<null, F | NotFound | Conflict>>;
  /** Re-encrypts the secrets sealed by other keys than `keyId`. Returns how many it sealed, and how many it could not open. */
  reseal(
    keyId: string,
    reseal: (owner: { readonly tenant: string; readonly identityId: string }, sealed: string) => string | null,
  ): Promise<Resealed>;
}

/** For each identity. */
export const PASSKEYS_MAX = 20;
