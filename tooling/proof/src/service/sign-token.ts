import { createPrivateKey, sign } from 'node:crypto';
import type { Sql } from './open-sql.ts';

/** Whom a token is for. */
export interface TokenBearer {
  readonly tenant: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/** Signs a token as the service does. */
export type SignToken = (bearer: TokenBearer) => string;

const LIFETIME_SECONDS = 3_600;

/**
 * Takes the key of a service out of its database: with it there are tokens of every set of scopes, also of none, which the
 * token endpoint would give to nobody.
 */
export async function openTokenSigner(sql: Sql): Promise<SignToken> {
  const [row = {}] = await sql.run('select issuer, kid, private_jwk from signing_key');
  const issuer = String(row['issuer']);
  const key = createPrivateKey({ key: JSON.parse(String(row['private_jwk'])), format: 'jwk' });
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = encode({ alg: 'ES256', typ: 'at+jwt', kid: row['kid'] });
  const signed = new Map<string, string>();
  const signNew: SignToken = ({ tenant, clientId, scopes }) => {
    const iat = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: issuer, sub: clientId, client_id: clientId, tenant, scope: scopes.join(' ') };
    const content = `${header}.${encode({ ...claims, iat, exp: iat + LIFETIME_SECONDS })}`;
    const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
    return `${content}.${signature.toString('base64url')}`;
  };
  return (bearer) => {
    const name = JSON.stringify(bearer);
    const token = signed.get(name) ?? signNew(bearer);
    signed.set(name, token);
    return token;
  };
}
