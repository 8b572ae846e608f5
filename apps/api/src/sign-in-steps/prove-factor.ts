import type { SignInFactor, SignInIdentity } from '@access-admin/store';
import type { AuthenticatorApp } from '../credentials/authenticator-app.ts';
import type { Passkeys } from '../credentials/passkeys.ts';
import type { Passwords } from '../credentials/passwords.ts';
import type { RecoveryCodes } from '../credentials/recovery-codes.ts';
import type { PageRequest } from '../pages/mount.ts';
import { hasSecondFactor } from './factors.ts';

export interface ProveFactorDeps {
  readonly passwords: Pick<Passwords, 'verify'>;
  readonly authenticatorApp: Pick<AuthenticatorApp, 'verify'>;
  readonly recoveryCodes: Pick<RecoveryCodes, 'verify'>;
  readonly passkeys: Pick<Passkeys, 'verifyAuthentication'>;
}

/** Proves what an identity has typed or signed. A proof that works once is used up. */
export interface ProveFactor {
  /** The second factor in the fields `code` or `recoveryCode`; null for a wrong one. */
  secondFactor(request: PageRequest, identity: SignInIdentity): Promise<SignInFactor | null>;
  /** The identity whose passkey has made the field `credential`. */
  passkey(request: PageRequest, challenge: string): Promise<SignInIdentity | null>;
  password(request: PageRequest, identity: SignInIdentity): Promise<'PASSWORD' | null>;
}

export function createProveFactor(deps: ProveFactorDeps): ProveFactor {
  const { passwords, authenticatorApp, recoveryCodes, passkeys } = deps;
  return {
    secondFactor: async ({ tenant, form }, identity) => {
      const [code, recoveryCode] = [form('code'), form('recoveryCode')];
      if (code !== '') return (await authenticatorApp.verify(tenant, identity, code)) ? 'TOTP' : null;
      if (recoveryCode === '' || !hasSecondFactor(identity)) return null;
      return (await recoveryCodes.verify(tenant, identity.id, recoveryCode)) ? 'RECOVERY_CODE' : null;
    },
    passkey: (request, challenge) =>
      passkeys.verifyAuthentication(request, { response: parseCredential(request.form('credential')), challenge }),
    password: async ({ form }, identity) =>
      (await passwords.verify(form('password'), identity.password?.hash ?? null)) ? 'PASSWORD' : null,
  };
}

/** The credential that the script of pages has sent as JSON; null for any other text. */
export function parseCredential(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
