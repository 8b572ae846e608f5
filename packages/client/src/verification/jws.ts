import { VerificationError } from '../errors.ts';
import type { PublicKeys } from '../groups/administration/health.ts';
import { fromBase64, fromJson, fromUtf8, utf8 } from './bytes.ts';

/** Why a signed statement of the service does not verify. */
export type JwsFault = 'malformed' | 'wrong type' | 'wrong algorithm' | 'unknown key' | 'bad signature';

/** What a JWS is, and the keys that may have signed it. */
export interface JwsExpectation {
  /** How errors call it. */
  readonly name: string;
  /** The `typ` of its header. */
  readonly type: string;
  readonly jwks: PublicKeys;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

const fail = (message: string, reason: JwsFault): never => {
  throw new VerificationError(message, reason);
};

/** Verifies a compact JWS of the service and resolves with its payload. Rejects with a `VerificationError`. */
export async function verifyJws(
  jws: string,
  { name, type, jwks }: JwsExpectation,
): Promise<Readonly<Record<string, unknown>>> {
  const [head = '', body = '', tail = '', ...more] = jws.split('.');
  const [header, payload, signature] = [head, body, tail].map((part) => fromBase64(part, 'base64url'));
  if (!header || !payload || !signature || more.length > 0) return fail('This is no compact JWS.', 'malformed');
  const { typ, alg, kid, crit } = objectOf(fromJson(fromUtf8(header)), name);
  if (typ !== type) return fail(`This is no ${name}: its typ is not ${type}.`, 'wrong type');
  if (alg !== 'ES256' || crit !== undefined) return fail(`A ${name} is signed with ES256.`, 'wrong algorithm');
  const key = findKey(jwks, kid);
  if (key === null)
    return fail(`The key of the ${name} is not among the keys: they are of another service or time.`, 'unknown key');
  const { subtle } = globalThis.crypto;
  const publicKey = await subtle.importKey('jwk', key, ALGORITHM, false, ['verify']).catch(() => null);
  if (publicKey === null) return fail(`The key of the ${name} cannot be read.`, 'unknown key');
  if (!(await subtle.verify(ALGORITHM, publicKey, signature, utf8(`${head}.${body}`))))
    return fail(`The signature is not that of the key: the ${name} was changed or forged.`, 'bad signature');
  return objectOf(fromJson(fromUtf8(payload)), name);
}

const objectOf = (value: unknown, name: string): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : fail(`This is not a ${name}: a compact JWS is expected.`, 'malformed');

/** The members of a JWK that a public key on P-256 has. */
interface PublicJwk {
  kty: string;
  crv: string;
  x: string;
  y: string;
}

function findKey(jwks: PublicKeys, kid: unknown): PublicJwk | null {
  const keys = jwks.keys as readonly (PublicJwk & { readonly kid?: string })[];
  const found = keys.find((key) => key.kid === kid && key.kty === 'EC' && key.crv === 'P-256');
  if (kid === undefined || found === undefined) return null;
  const { kty, crv, x, y } = found;
  return { kty, crv, x, y };
}
