import type { Credentials } from '@access-admin/contract';
import {
  type Caller,
  type Capability,
  type Forbidden,
  fail,
  failure,
  hasSessionLimits,
  ok,
  validateCredentialTarget,
  validateOtherCredentialTarget,
} from '@access-admin/domain';
import type {
  CredentialRef,
  CredentialStore,
  SignInFailureStore,
  SignInLinkStore,
  SignInSettingsStore,
} from '@access-admin/store';
import { addressOf } from '../../auth/base-address.ts';
import { auditContextOfRequest, type OperationHandlers } from '../../operations/operation.ts';
import { hashOfToken } from '../../sessions/cookie.ts';
import type { GuardOf } from '../../sign-in/guard.ts';

export interface CredentialParts {
  readonly credentials: CredentialStore;
  readonly signInLinks: SignInLinkStore;
  readonly signInFailures: SignInFailureStore;
  readonly settings: Pick<SignInSettingsStore, 'read'>;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly newSecret: () => string;
  readonly guardOf: GuardOf;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function credentialHandlers(parts: CredentialParts) {
  const { credentials, signInLinks, signInFailures, settings, baseAddress, now, newSecret, guardOf } = parts;
  return {
    'create-sign-in-link-v1': async (request) => {
      const { caller, params, body } = request;
      const identityId = params.id;
      const createdAt = now();
      const token = newSecret();
      const expiresMs = createdAt.getTime() + body.hours * HOUR_MS;
      const created = await signInLinks.create<Forbidden>(
        auditContextOfRequest(request, createdAt),
        { identityId, link: { hash: hashOfToken(token), expiresMs } },
        ({ capabilities }) => validateTarget({ identityId, capabilities }, caller),
      );
      if (!created.ok) return created;
      return ok({
        json: {
          url: `${addressOf(baseAddress, caller.tenant)}/sign-in-link/${token}`,
          expires: new Date(expiresMs).toISOString(),
        },
        headers: { 'cache-control': 'no-store' },
      });
    },

    'get-credentials-v1': async ({ caller: { tenant }, params: { id: identityId } }) => {
      const identity = await credentials.findIdentity(tenant, identityId);
      if (identity === null) return fail(failure('NotFound', '', 'There is no such auth user.'));
      const { lockout } = await settings.read(tenant);
      const windowMs = lockout.lockoutWindow * MINUTE_MS;
      const failed = await signInFailures.readUser(tenant, { identityId, nowMs: now().getTime(), windowMs });
      const { password, totp, passkeys, recoveryCodes } = identity;
      const json: Credentials = {
        password: password === null ? null : { changed: password.changed },
        totp: totp !== null,
        passkeys: passkeys.map(({ id, name, created, lastUsed }) => ({ id, name, created, lastUsed })),
        recoveryCodesLeft: recoveryCodes?.left ?? 0,
        failedAttempts: failed.attempts,
        lockedUntil: failed.lockedUntilMs === null ? null : new Date(failed.lockedUntilMs).toISOString(),
      };
      return ok({ json });
    },

    'remove-credential-v1': async (request) => {
      const { caller, params } = request;
      const removed = await credentials.removeOne<Forbidden>(auditContextOfRequest(request, now()), params.id, {
        credential: credentialOf(params.credentialId),
        decide: ({ capabilities }) => validateOtherCredentialTarget({ identityId: params.id, capabilities }, caller),
        guard: guardOf(request),
        endsSessions: true,
      });
      return removed.ok ? ok({ isEmpty: true }) : removed;
    },

    'remove-credentials-v1': async (request) => {
      const { caller, params } = request;
      const removed = await credentials.removeAll<Forbidden>(auditContextOfRequest(request, now()), params.id, {
        decide: ({ capabilities }) => validateTarget({ identityId: params.id, capabilities }, caller),
        guard: guardOf(request),
      });
      return removed.ok ? ok({ isEmpty: true }) : removed;
    },

    'unlock-auth-user-v1': async (request) => {
      const { caller, params } = request;
      const unlocked = await signInFailures.unlock<Forbidden>(
        auditContextOfRequest(request, now()),
        params.id,
        (target) => validateOtherCredentialTarget(target, caller),
      );
      return unlocked.ok ? ok({ isEmpty: true }) : unlocked;
    },
  } satisfies Partial<OperationHandlers>;
}

/** A session that somebody has taken over must not get a lasting way in, nor by a client that it makes: the account page asks for a new proof first. */
const validateTarget = (
  target: { readonly identityId: string; readonly capabilities: readonly Capability[] },
  caller: Caller,
) => (hasSessionLimits(caller) ? validateOtherCredentialTarget : validateCredentialTarget)(target, caller);

const CREDENTIALS: Readonly<Record<string, CredentialRef>> = {
  password: { type: 'PASSWORD' },
  totp: { type: 'TOTP' },
  'recovery-codes': { type: 'RECOVERY_CODES' },
};

/** The ids of passkeys are longer than any of the names. */
const credentialOf = (id: string): CredentialRef =>
  (Object.hasOwn(CREDENTIALS, id) ? CREDENTIALS[id] : undefined) ?? { type: 'PASSKEY', id };
