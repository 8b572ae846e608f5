import type { AUTH_USERS, Credentials } from '@access-admin/contract';
import {
  type Caller,
  type Capability,
  type Forbidden,
  fail,
  failure,
  hasSessionLimits,
  validateCredentialTarget,
  validateOtherCredentialTarget,
} from '@access-admin/domain';
import type { CredentialRef } from '@access-admin/store';
import { tenantAddress } from '../../auth/base-address.ts';
import type { RequestContext } from '../../env.ts';
import type { Answer } from '../../http/answer.ts';
import { auditContext } from '../../http/audit-context.ts';
import type { Input } from '../../operations/route.ts';
import { hashOfToken } from '../../sign-in/session-cookie.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export async function createSignInLink(
  c: RequestContext,
  { caller, params: { id: identityId }, body }: Input<typeof AUTH_USERS.createSignInLink>,
): Promise<Answer> {
  const { store, system, config, cipher } = c.env.services;
  const createdAt = system.now();
  const token = system.newSecret();
  const expiresMs = createdAt.getTime() + body.hours * HOUR_MS;
  const url = `${tenantAddress(config.baseAddress, caller.tenant)}/sign-in-link/${token}`;
  const owner = { purpose: 'mail', tenant: caller.tenant, id: identityId } as const;
  const sealedUrl = config.mail === null ? null : (cipher?.seal(owner, Buffer.from(url)) ?? null);
  const created = await store.signInLinks.create<Forbidden>(
    auditContext(c, createdAt),
    { identityId, link: { hash: hashOfToken(token), expiresMs, sealedUrl } },
    ({ capabilities }) => validateTarget({ identityId, capabilities }, caller),
  );
  if (!created.ok) return created;
  return c.json({ url, expires: new Date(expiresMs).toISOString() }, 201);
}

export async function showCredentials(
  c: RequestContext,
  { caller: { tenant }, params: { id: identityId } }: Input<typeof AUTH_USERS.getCredentials>,
): Promise<Answer> {
  const { store, system } = c.env.services;
  const identity = await store.credentials.findIdentity(tenant, identityId);
  if (identity === null) return fail(failure('NotFound', '', 'There is no such auth user.'));
  const { lockout } = await store.signInSettings.read(tenant);
  const windowMs = lockout.lockoutWindow * MINUTE_MS;
  const nowMs = system.now().getTime();
  const failed = await store.signInFailures.readUser(tenant, { identityId, nowMs, windowMs });
  const { password, totp, passkeys, recoveryCodes } = identity;
  return c.json({
    password: password === null ? null : { changed: password.changed },
    totp: totp !== null,
    passkeys: passkeys.map(({ id, name, created, lastUsed }) => ({ id, name, created, lastUsed })),
    recoveryCodesLeft: recoveryCodes?.left ?? 0,
    failedAttempts: failed.attempts,
    lockedUntil: failed.lockedUntilMs === null ? null : new Date(failed.lockedUntilMs).toISOString(),
  } satisfies Credentials);
}

export async function removeCredential(
  c: RequestContext,
  { caller, params }: Input<typeof AUTH_USERS.removeCredential>,
): Promise<Answer> {
  const { store, guardOf } = c.env.services;
  const removed = await store.credentials.removeOne<Forbidden>(auditContext(c), params.id, {
    credential: credentialOf(params.credentialId),
    decide: ({ capabilities }) => validateOtherCredentialTarget({ identityId: params.id, capabilities }, caller),
    guard: guardOf({ c, caller }),
    endsSessions: true,
  });
  return removed.ok ? c.body(null, 204) : removed;
}

export async function removeCredentials(
  c: RequestContext,
  { caller, params }: Input<typeof AUTH_USERS.removeCredentials>,
): Promise<Answer> {
  const { store, guardOf } = c.env.services;
  const removed = await store.credentials.removeAll<Forbidden>(auditContext(c), params.id, {
    decide: ({ capabilities }) => validateTarget({ identityId: params.id, capabilities }, caller),
    guard: guardOf({ c, caller }),
  });
  return removed.ok ? c.body(null, 204) : removed;
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
