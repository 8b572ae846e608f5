import type { AuditContext, Capability, Conflict, NotFound, Result, SignInGuard } from '@access-admin/domain';
import type { Failed } from '../engine/change.ts';
import type { Resealed } from '../secrets/cipher.ts';
import type { Enrolled, Passkey, SignInIdentity } from './identity.ts';

/** One of the credentials of an identity. */
export type CredentialRef =
  | { readonly type: 'PASSWORD' | 'TOTP' | 'RECOVERY_CODES' }
  | { readonly type: 'PASSKEY'; readonly id: string };

/** What allows a change of factors: a link, which is used up with it, or a sign-in or session in which one was proven. */
export interface Enrolment extends Enrolled {
  /** SHA-256 of the token of a link that is open; null without one. With one, `usedLink` is null. */
  readonly link: string | null;
}

/** Nothing is stored but for `STORED`. `LINK_GONE` also where the used link has ended. */
export type EnrolmentOutcome = 'STORED' | 'LINK_GONE' | 'IDENTITY_GONE';

/** The data that the removal of all credentials is decided on. */
export interface CredentialsView {
  readonly identityId: string;
  readonly capabilities: readonly Capability[];
}

/** How what an identity signs in with is removed. */
interface GuardedRemoval {
  /** Refuses a removal after which no administrator can sign in; refuses none if left out. */
  readonly guard?: SignInGuard;
}

/** How all credentials of an identity are removed. */
export interface CredentialsRemoval<F extends Failed> extends GuardedRemoval {
  readonly decide: (view: CredentialsView) => Result<unknown, F>;
}

/** How one credential of an identity is removed. */
export interface CredentialRemoval<F extends Failed> extends GuardedRemoval {
  readonly credential: CredentialRef;
  /** Sees the identity as it is before the removal, inside its transaction. */
  readonly decide: (identity: SignInIdentity) => Result<unknown, F>;
  /** Whether the sessions of the identity end. */
  readonly endsSessions: boolean;
}

/** What the identities of a tenant sign in with. Each change is recorded, and each new factor told, without any secret. */
export interface CredentialStore {
  /** Null also where several identities bear the username, and for one with compatibility forms. */
  findByUsername(tenant: string, username: string): Promise<SignInIdentity | null>;
  findIdentity(tenant: string, identityId: string): Promise<SignInIdentity | null>;
  /** The identity with this passkey. */
  findByPasskey(tenant: string, passkeyId: string): Promise<SignInIdentity | null>;
  /** Ends the sessions of the identity, but for the one with the id `keepSession`. */
  setPassword(
    auditContext: AuditContext,
    identityId: string,
    password: Enrolment & { readonly hash: string; readonly keepSession: string | null },
  ): Promise<EnrolmentOutcome>;
  /** Replaces a hash by one of other parameters, unless it has changed meanwhile. */
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
  /** Uses the code of a step up; false when it, or a later one, was used before. */
  useTotpStep(tenant: string, identityId: string, step: number): Promise<boolean>;
  /** `Conflict` is for a passkey that is known already, or beyond the most that an identity has. */
  addPasskey(
    auditContext: AuditContext,
    identityId: string,
    enrolment: Enrolment & { readonly passkey: Passkey },
  ): Promise<EnrolmentOutcome | 'CONFLICT'>;
  /** Stores the counter of a use; false when the passkey is gone, or when a use with this counter, or a later one, is stored. Authenticators without a counter send 0. */
  usePasskey(
    tenant: string,
    passkeyId: string,
    use: { readonly counter: number; readonly time: string },
  ): Promise<boolean>;
  /** Replaces all recovery codes; each is given by the SHA-256 of its text. */
  setRecoveryCodes(
    auditContext: AuditContext,
    identityId: string,
    codes: Enrolment & { readonly hashes: readonly string[] },
  ): Promise<EnrolmentOutcome>;
  /** Uses a code up; false when there is no such code. */
  useRecoveryCode(tenant: string, identityId: string, hash: string): Promise<boolean>;
  /** Reads, decides and removes one credential; records nothing where the identity has no such one. */
  removeOne<F extends Failed>(
    auditContext: AuditContext,
    identityId: string,
    removal: CredentialRemoval<F>,
  ): Promise<Result<null, F | NotFound | Conflict>>;
  /** Reads, decides and removes all factors, links, pending sign-ins and sessions of an identity. Its lock stays. */
  removeAll<F extends Failed>(
    auditContext: AuditContext,
    identityId: string,
    removal: CredentialsRemoval<F>,
  ): Promise<Result<null, F | NotFound | Conflict>>;
  /** Seals again the secrets that another key than `keyId` has sealed. Tells how many, and how many it could not open. */
  reseal(
    keyId: string,
    reseal: (owner: { readonly tenant: string; readonly identityId: string }, sealed: string) => string | null,
  ): Promise<Resealed>;
}

/** The most passkeys of an identity. */
export const PASSKEYS_MAX = 20;
