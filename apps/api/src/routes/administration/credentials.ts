import type { Credentials, newSignInLink } from '@access-admin/contract';
import {
  type Caller,
  type Capability,
  type Forbidden,
  fail,
  failure,
  ok,
  validateCredentialTarget,
  validateOtherCredentialTarget,
} from '@access-admin/domain';
import type { CredentialRef, Store } from '@access-admin/store';
import type { InferOutput } from 'valibot';
import { addressOf } from '../../auth/base-address.ts';
import { auditContextOfRequest, type OperationHandler, type OperationHandlers } from '../../operations/operation.ts';
import { isSessionCaller } from '../../sessions/caller.ts';
import { hashOfToken } from '../../sessions/cookie.ts';
import type { GuardOf } from '../../sign-in/guard.ts';

export interface CredentialDeps {
  readonly store: Pick<Store, 'credentials' | 'signInLinks' | 'signInFailures' | 'signInSettings'>;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly newSecret: () => string;
  readonly guardOf: GuardOf;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const credentialHandlers = (deps: CredentialDeps) =>
  ({
    'create-sign-in-link-v1': createSignInLink(deps),
    'get-credentials-v1': getCredentials(deps),
    'remove-credential-v1': removeCredential(deps),
    'unlock-auth-user-v1': unlock(deps),
    'remove-credentials-v1': removeCredentials(deps),
  }) satisfies Partial<OperationHandlers>;

/** A session that somebody has taken over must not get a lasting way in: the account page asks for a new proof first. */
const validateTarget = (
  target: { readonly identityId: string; readonly capabilities: readonly Capability[] },
  caller: Caller,
) => (isSessionCaller(caller) ? validateOtherCredentialTarget : validateCredentialTarget)(target, caller);

/** create-sign-in-link-v1 */
const createSignInLink =
  ({ store: { signInLinks }, baseAddress, now, newSecret }: CredentialDeps): OperationHandler =>
  async (request) => {
    const { caller, params } = request;
    const identityId = params['id'] ?? '';
    const { hours } = request.body as InferOutput<typeof newSignInLink>;
    const [createdAt, token] = [now(), newSecret()];
    const expiresMs = createdAt.getTime() + hours * HOUR_MS;
    const link = { identityId, link: { hash: hashOfToken(token), expiresMs } };
    const created = await signInLinks.create<Forbidden>(
      auditContextOfRequest(request, createdAt),
      link,
      ({ capabilities }) => validateTarget({ identityId, capabilities }, caller),
    );
    if (!created.ok) return created;
    const url = `${addressOf(baseAddress, caller.tenant)}/sign-in-link/${token}`;
    return ok({ json: { url, expires: new Date(expiresMs).toISOString() }, headers: { 'cache-control': 'no-store' } });
  };

/** get-credentials-v1 */
const getCredentials =
  ({ store: { credentials, signInFailures, signInSettings }, now }: CredentialDeps): OperationHandler =>
  async ({ caller: { tenant }, params: { id = '' } }) => {
    const identity = await credentials.findIdentity(tenant, id);
    if (identity === null) return fail(failure('NotFound', '', 'There is no such auth user.'));
    const { lockout } = await signInSettings.read(tenant);
    const windowMs = lockout.lockoutWindow * MINUTE_MS;
    const failed = await signInFailures.readUser(tenant, { identityId: id, nowMs: now().getTime(), windowMs });
    const { password, totp, passkeys, recoveryCodesLeft } = identity;
    const json: Credentials = {
      password: password === null ? null : { changed: password.changed },
      totp: totp !== null,
      passkeys: passkeys.map(({ id: passkeyId, name, created, lastUsed }) => ({
        id: passkeyId,
        name,
        created,
        lastUsed,
      })),
      recoveryCodesLeft,
      failedAttempts: failed.attempts,
      lockedUntil: failed.lockedUntilMs === null ? null : new Date(failed.lockedUntilMs).toISOString(),
    };
    return ok({ json });
  };

const CREDENTIALS: Readonly<Record<string, CredentialRef>> = {
  password: { type: 'PASSWORD' },
  totp: { type: 'TOTP' },
  'recovery-codes': { type: 'RECOVERY_CODES' },
};

/** The ids of passkeys are longer than any of the names. */
const credentialOf = (id: string): CredentialRef =>
  (Object.hasOwn(CREDENTIALS, id) ? CREDENTIALS[id] : undefined) ?? { type: 'PASSKEY', id };

/** remove-credential-v1 */
const removeCredential =
  ({ store: { credentials }, now, guardOf }: CredentialDeps): OperationHandler =>
  async (request) => {
    const { caller, params } = request;
    const identityId = params['id'] ?? '';
    const removed = await credentials.removeOne<Forbidden>(auditContextOfRequest(request, now()), identityId, {
      credential: credentialOf(params['credentialId'] ?? ''),
      decide: ({ capabilities }) => validateOtherCredentialTarget({ identityId, capabilities }, caller),
      guard: guardOf(request),
      endsSessions: true,
    });
    return removed.ok ? ok({ isEmpty: true }) : removed;
  };

/** unlock-auth-user-v1 */
const unlock =
  ({ store: { signInFailures }, now }: CredentialDeps): OperationHandler =>
  async (request) => {
    const context = auditContextOfRequest(request, now());
    const unlocked = await signInFailures.unlock<Forbidden>(context, request.params['id'] ?? '', (target) =>
      validateOtherCredentialTarget(target, request.caller),
    );
    return unlocked.ok ? ok({ isEmpty: true }) : unlocked;
  };

/** remove-credentials-v1 */
const removeCredentials =
  ({ store: { credentials }, now, guardOf }: CredentialDeps): OperationHandler =>
  async (request) => {
    const { caller, params } = request;
    const identityId = params['id'] ?? '';
    const removed = await credentials.removeAll<Forbidden>(auditContextOfRequest(request, now()), identityId, {
      decide: ({ capabilities }) => validateTarget({ identityId, capabilities }, caller),
      guard: guardOf(request),
    });
    return removed.ok ? ok({ isEmpty: true }) : removed;
  };
