import type { SignInIdentity } from '@access-admin/store';
import { hasSecondFactor, type ProvenFactor } from './flow.ts';
import type { PageContext } from './pages/context.ts';

/** The password of the form; null for a wrong one. */
export async function provePassword(c: PageContext, { password }: SignInIdentity): Promise<'PASSWORD' | null> {
  const { signIn, clientAddress } = c.env.services;
  const typed = { password: c.get('form')('password'), address: clientAddress(c) };
  return (await signIn.passwords.verify(typed, password?.hash ?? null)) ? 'PASSWORD' : null;
}

/** The second factor in the fields `code` or `recoveryCode`, which is used up; null for a wrong one. */
export async function proveSecondFactor(c: PageContext, identity: SignInIdentity): Promise<ProvenFactor | null> {
  const { totp, recoveryCodes } = c.env.services.signIn;
  const form = c.get('form');
  const tenant = c.get('tenant');
  const code = form('code');
  const recoveryCode = form('recoveryCode');
  if (code !== '') {
    const isRight = await totp.verify(tenant, identity, code);
    return isRight ? { factor: 'TOTP', usedLink: identity.totp?.usedLink ?? null } : null;
  }
  if (recoveryCode === '' || !hasSecondFactor(identity)) return null;
  const isRight = await recoveryCodes.verify(tenant, identity.id, recoveryCode);
  return isRight ? { factor: 'RECOVERY_CODE', usedLink: identity.recoveryCodes?.usedLink ?? null } : null;
}
