import { SignJWT } from 'jose';
import { tenantAddress } from './base-address.ts';
import { SIGNING_ALGORITHM, type SigningKeys, TOKEN_LIFETIME_SECONDS } from './signing-keys.ts';

/** The bearer of a token. */
export interface TokenSubject {
  readonly tenant: string;
  readonly clientId: string;
  /** When the client was created. A client made later with the same id does not accept the token. */
  readonly clientCreated: string;
  /** The version of the secret that it is made with. It ends with this secret. */
  readonly secretVersion: number;
  readonly identityId: string | null;
  readonly scopes: readonly string[];
}

export interface TokenSigner {
  /** A signed JWT of RFC 9068, valid for 15 minutes. */
  sign(subject: TokenSubject): Promise<string>;
}

export interface TokenSignerDeps {
  readonly keys: SigningKeys;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Signs access tokens with this process's key. */
export function createTokenSigner({ keys, baseAddress, now, newId }: TokenSignerDeps): TokenSigner {
  return {
    async sign({ tenant, clientId, clientCreated, secretVersion, identityId, scopes }) {
      const { kid, privateKey } = await keys.current();
      const issuer = tenantAddress(baseAddress, tenant);
      const issuedAt = Math.floor(now().getTime() / 1000);
      const identity = identityId === null ? {} : { identity_id: identityId };
      const client = { client_id: clientId, client_created: clientCreated, secret_version: secretVersion };
      return new SignJWT({ ...client, tenant, scope: scopes.join(' '), ...identity })
        .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: 'at+jwt', kid })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(identityId ?? clientId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + TOKEN_LIFETIME_SECONDS)
        .setJti(newId())
        .sign(privateKey);
    },
  };
}
