import type { SodCheck, SodReceipt } from '@access-admin/contract';
import { VerificationError } from '../errors.ts';
import type { NewAccess } from '../groups/sod-violations.ts';
import { fromBase64, fromJson, fromUtf8, subtleCrypto, utf8 } from './bytes.ts';
import { canonicalJson } from './canonical-json.ts';

/** What a receipt is verified with. */
export interface VerifyReceiptOptions {
  /** The public keys of the service, as `/.well-known/jwks.json` has them. */
  readonly jwks: { readonly keys: readonly object[] };
  /** The check as its read has shown it: then the receipt must be that of its result. */
  readonly check?: SodCheck | undefined;
  /** The request as it was sent: then the receipt must be that of this request. */
  readonly request?: NewAccess | undefined;
}

/** Why a receipt does not verify. */
export type ReceiptFault =
  | 'malformed'
  | 'wrong type'
  | 'wrong algorithm'
  | 'unknown key'
  | 'bad signature'
  | 'another check'
  | 'another result'
  | 'another request';

const TYPE = 'sod-receipt+json';
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

const fail = (message: string, reason: ReceiptFault): never => {
  throw new VerificationError(message, reason);
};

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : fail('This is not a receipt: a compact JWS is expected.', 'malformed');

/**
 * Verifies a receipt of a check without the service: its signature and, where they are given, that it belongs to the check and
 * to the request. Resolves with what the receipt says; rejects with a `VerificationError` whose `reason` is a `ReceiptFault`.
 */
export async function verifyReceipt(
  receipt: string,
  { jwks, check, request }: VerifyReceiptOptions,
): Promise<SodReceipt> {
  const said = await verifySignature(receipt, jwks);
  if (check !== undefined) await compareCheck(said, check);
  if (request !== undefined && (await sha256(requestOf(request))) !== said.requestSha256)
    fail('The receipt is of another request.', 'another request');
  return said;
}

async function verifySignature(receipt: string, jwks: VerifyReceiptOptions['jwks']): Promise<SodReceipt> {
  const [head = '', body = '', tail = '', ...more] = receipt.split('.');
  const [header, payload, signature] = [head, body, tail].map((part) => fromBase64(part, 'base64url'));
  if (!header || !payload || !signature || more.length > 0) return fail('This is no compact JWS.', 'malformed');
  const { typ, alg, kid, crit } = objectOf(fromJson(fromUtf8(header)));
  if (typ !== TYPE) return fail(`This is no receipt: its typ is not ${TYPE}.`, 'wrong type');
  if (alg !== 'ES256' || crit !== undefined) return fail('A receipt is signed with ES256.', 'wrong algorithm');
  const key = keyOf(jwks, kid);
  const subtle = await subtleCrypto();
  const publicKey = await subtle.importKey('jwk', key, ALGORITHM, false, ['verify']).catch(() => null);
  if (publicKey === null) return fail('The key of the receipt cannot be read.', 'unknown key');
  if (!(await subtle.verify(ALGORITHM, publicKey, signature, utf8(`${head}.${body}`))))
    return fail('The signature is not that of the key: the receipt was changed or forged.', 'bad signature');
  return objectOf(fromJson(fromUtf8(payload))) as unknown as SodReceipt;
}

/** The members of a JWK that a public key on P-256 has. */
interface PublicJwk {
  kty: string;
  crv: string;
  x: string;
  y: string;
}

function keyOf(jwks: VerifyReceiptOptions['jwks'], kid: unknown): PublicJwk {
  const keys = jwks.keys as readonly (PublicJwk & { readonly kid?: string })[];
  const found = keys.find((key) => key.kid === kid && key.kty === 'EC' && key.crv === 'P-256');
  if (kid === undefined || found === undefined)
    return fail('The key of the receipt is not among the keys: they are of another service or time.', 'unknown key');
  const { kty, crv, x, y } = found;
  return { kty, crv, x, y };
}

async function compareCheck(said: SodReceipt, { requestId, violationCheckResult }: SodCheck): Promise<void> {
  if (requestId !== said.requestId) fail('The receipt is of another check.', 'another check');
  if ((await sha256(violationCheckResult)) !== said.resultSha256)
    fail('The result of the check is not the one that the receipt is of.', 'another result');
}

/** The request in the form that receipts hash: without names and nulls, with instants in UTC. */
function requestOf({ identityId, accessRefs, at, clientMetadata }: NewAccess): object {
  const refs = accessRefs.map(({ type, id, start, end }) => ({ type, id, start: toUtc(start), end: toUtc(end) }));
  return { identityId, accessRefs: refs, at: toUtc(at), clientMetadata: clientMetadata ?? undefined };
}

const toUtc = (instant: string | null | undefined): string | undefined =>
  instant == null ? undefined : new Date(instant).toISOString();

async function sha256(value: unknown): Promise<string> {
  const digest = await (await subtleCrypto()).digest('SHA-256', utf8(canonicalJson(value)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
