import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { SigningKeyStore } from './store.ts';

/** A key on P-256 to sign with. */
export interface JsonSigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** Signs a JSON text as a compact JWS (ES256) of this `typ`. */
export function signJson({ kid, privateKey }: JsonSigningKey, type: string, text: string): string {
  const header = JSON.stringify({ alg: 'ES256', typ: type, kid });
  const signed = [header, text].map((part) => Buffer.from(part).toString('base64url')).join('.');
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

/** The present key of an issuer; throws where it has none. */
export async function readJsonSigningKey(
  signingKeys: Pick<SigningKeyStore, 'list'>,
  issuer: string,
): Promise<JsonSigningKey> {
  const key = (await signingKeys.list()).find((each) => each.issuer === issuer);
  if (key === undefined) throw new Error(`No key signs for ${issuer}: set BASE_ADDRESS as the API has it.`);
  return { kid: key.kid, privateKey: createPrivateKey({ key: JSON.parse(key.privateJwk), format: 'jwk' }) };
}
