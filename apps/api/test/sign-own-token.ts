import { importJWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import type { TestApi } from './test-api.ts';

/** Signs tokens of the bootstrap client with the service's own key, so that a changed claim alone can be the reason of a refusal. */
export async function openOwnSigner({ store, clock }: TestApi) {
  const [key] = await store.signingKeys.list();
  if (key === undefined) throw new Error('The service has no key.');
  const jwk = JSON.parse(key.privateJwk);
  const privateKey = await importJWK(jwk, 'ES256');
  const iat = Math.floor(clock.nowMs / 1000);
  const address = key.issuer;
  const claims = {
    iss: address,
    aud: address,
    sub: 'root',
    client_id: 'root',
    client_created: new Date(clock.nowMs).toISOString(),
    secret_version: 1,
    tenant: 'default',
    scope: 'oauth-clients:manage',
    jti: 'j',
    iat,
    exp: iat + 900,
  };
  const sign = (changes: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
    new SignJWT({ ...claims, ...changes } as JWTPayload)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header } as JWTHeaderParameters)
      .sign(privateKey);
  return { sign, claims, kid: key.kid, publicJwk: { kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y } };
}
