import type { SodCheck, SodReceipt } from '@access-admin/contract';
import { VerificationError } from '../errors.ts';
import type { PublicKeys } from '../groups/administration/health.ts';
import type { NewAccess } from '../groups/sod-violations.ts';
import { canonicalJson } from './canonical-json.ts';
import { type JwsFault, verifyJws } from './jws.ts';
import { sha256 } from './sha256.ts';

/** What a receipt is verified with. */
export interface VerifyReceiptOptions {
  /** The public keys of the service, as `/.well-known/jwks.json` has them. */
  readonly jwks: PublicKeys;
  /** The check as its read has shown it: then the receipt must be that of its result. */
  readonly check?: SodCheck | undefined;
  /** The request as it was sent: then the receipt must be that of this request. */
  readonly request?: NewAccess | undefined;
}

/** Why a receipt does not verify. */
export type ReceiptFault = JwsFault | 'another check' | 'another result' | 'another request';

const TYPE = 'sod-receipt+json';

const fail = (message: string, reason: ReceiptFault): never => {
  throw new VerificationError(message, reason);
};

/**
 * Verifies a receipt of a check without the service: its signature and, where they are given, that it belongs to the check and
 * to the request. Resolves with what the receipt says; rejects with a `VerificationError` whose `reason` is a `ReceiptFault`.
 */
export async function verifyReceipt(
  receipt: string,
  { jwks, check, request }: VerifyReceiptOptions,
): Promise<SodReceipt> {
  const said = (await verifyJws(receipt, { name: 'receipt', type: TYPE, jwks })) as unknown as SodReceipt;
  if (check !== undefined) await compareCheck(said, check);
  if (request !== undefined && (await sha256(canonicalJson(requestOf(request)))) !== said.requestSha256)
    fail('The receipt is of another request.', 'another request');
  return said;
}

async function compareCheck(said: SodReceipt, { requestId, violationCheckResult }: SodCheck): Promise<void> {
  if (requestId !== said.requestId) fail('The receipt is of another check.', 'another check');
  if ((await sha256(canonicalJson(violationCheckResult))) !== said.resultSha256)
    fail('The result of the check is not the one that the receipt is of.', 'another result');
}

/** The request in the form that receipts hash: without names and nulls, with instants in UTC. */
function requestOf({ identityId, accessRefs, at, clientMetadata }: NewAccess): object {
  const refs = accessRefs.map(({ type, id, start, end }) => ({ type, id, start: toUtc(start), end: toUtc(end) }));
  return { identityId, accessRefs: refs, at: toUtc(at), clientMetadata: clientMetadata ?? undefined };
}

const toUtc = (instant: string | null | undefined): string | undefined =>
  instant == null ? undefined : new Date(instant).toISOString();
