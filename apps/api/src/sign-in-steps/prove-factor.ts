import type { SignInIdentity } from '@access-admin/store';
import type { AuthenticatorApp } from '../credentials/authenticator-app.ts';
import type { Passkeys, ProvenPasskey } from '../credentials/passkeys.ts';
import type { Passwords } from '../credentials/passwords.ts';
import type { RecoveryCodes } from '../credentials/recovery-codes.ts';
import type { ClientAddress } from '../http/client-address.ts';
import type { PageContext } from '../sign-in/pages/context.ts';
import { hasSecondFactor } from './factors.ts';
import { type ProvenFactor, provenCode } from './link-provenance.ts';
import { parseCredential, placeOf } from './passkey-ceremony.ts';

export interface ProveFactorDeps {
  readonly passwords: Pick<Passwords, 'verify'>;
  readonly addressOf: ClientAddress;
  readonly authenticatorApp: Pick<AuthenticatorApp, 'verify'>;
  readonly recoveryCodes: Pick<RecoveryCodes, 'verify'>;
  readonly passkeys: Pick<Passkeys, 'verifyAuthentication'>;
}

/** Proves what an identity has typed or signed. A proof that works once is used up. */
export interface ProveFactor {
  /** The second factor in the fields `code` or `recoveryCode`; null for a wrong one. */
  secondFactor(c: PageContext, identity: SignInIdentity): Promise<ProvenFactor | null>;
  /** The identity whose passkey has made the field `credential`. */
  passkey(c: PageContext, challenge: string): Promise<ProvenPasskey | null>;
  password(c: PageContext, identity: SignInIdentity): Promise<'PASSWORD' | null>;
}

export function createProveFactor(deps: ProveFactorDeps): ProveFactor {
  const { passwords, addressOf, authenticatorApp, recoveryCodes, passkeys } = deps;
  return {
    secondFactor: async (c, identity) => {
      const form = c.get('form');
      const tenant = c.get('tenant');
      const code = form('code');
      const recoveryCode = form('recoveryCode');
      if (code !== '')
        return (await authenticatorApp.verify(tenant, identity, code)) ? provenCode(identity, 'TOTP') : null;
      if (recoveryCode === '' || !hasSecondFactor(identity)) return null;
      return (await recoveryCodes.verify(tenant, identity.id, recoveryCode))
        ? provenCode(identity, 'RECOVERY_CODE')
        : null;
    },
    passkey: (c, challenge) =>
      passkeys.verifyAuthentication(placeOf(c), { response: parseCredential(c.get('form')('credential')), challenge }),
    password: async (c, identity) => {
      const typed = { password: c.get('form')('password'), address: addressOf(c) };
      return (await passwords.verify(typed, identity.password?.hash ?? null)) ? 'PASSWORD' : null;
    },
  };
}
