import { createHash } from 'node:crypto';
import { decodeUtf8, parseStrictJson } from '@access-admin/contract';
import {
  AUDIT_HEAD_TYPE,
  type AuditLogHead,
  auditHeadText,
  canonicalJson,
  createAttestations,
  findChainBreak,
  isObject,
  startOfChain,
} from '@access-admin/domain';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import { SIGNING_ALGORITHM } from '../auth/signing-keys.ts';

/** The end of a tenant's log, and its beginning. */
export interface TenantHead extends AuditLogHead {
  readonly tenant: string;
}

/** The last verified sequence; on failure, the first sequence that is broken. */
export interface Verified {
  readonly sequence: number;
  readonly fault: string | null;
  /** How many events were changed since by the erasure of a person. */
  readonly erased: number;
}

/**
 * Verifies the events of an export, one a line, and that none is missing up to `head` where it is known. Without a head, the
 * export must begin with event 1.
 */
export async function verifyAuditExport(pieces: AsyncIterable<Uint8Array>, head: TenantHead | null): Promise<Verified> {
  let last = startOfChain({}, head);
  let isBegun = false;
  let tenant = head?.tenant ?? null;
  const attestations = createAttestations<Readonly<Record<string, unknown>>>();
  const found = (sequence: number, fault: string | null): Verified => {
    const erased = attestations.count();
    // An event may be known to be broken before an earlier one is known to be erased.
    const unattested = attestations.first();
    return unattested === null
      ? { sequence, fault, erased }
      : { sequence: Number(unattested['sequence']), fault: UNATTESTED, erased };
  };
  const broken = (fault: string): Verified => found(last.sequence + 1, fault);
  for await (const line of linesOf(pieces)) {
    const text = decodeUtf8(line);
    const event = text.ok ? parseStrictJson(text.value) : text;
    if (!event.ok || !isObject(event.value)) return broken('it is no event in JSON');
    tenant ??= String(event.value['tenant']);
    if (event.value['tenant'] !== tenant) return broken('it is of another tenant');
    if (!isBegun) last = startOfChain(event.value, head);
    isBegun = true;
    const fault = findChainBreak(event.value, last, sha256, attestations);
    if (fault !== null) return broken(fault);
    if (head !== null && event.value['sequence'] === head.sequence && event.value['hash'] !== head.hash)
      return broken('it is not the one that the head names');
    last = { sequence: last.sequence + 1, hash: String(event.value['hash']) };
  }
  if (head !== null && last.sequence < head.sequence) return broken(`the log goes on to ${head.sequence}`);
  return found(last.sequence, null);
}

const UNATTESTED = 'it was changed, and no later event attests its erasure';

/**
 * Parses a response of `GET /audit-events/v1/head`. Rejects one that contradicts itself or is not signed by one of the keys.
 * Without keys its signature is not checked: anyone can write such a head.
 */
export async function parseHead(text: string, jwks: string | null): Promise<TenantHead> {
  const { sequence, hash, firstSequence = 1, previousHash = null, signature } = readObject(text, 'the head');
  const { payload } =
    jwks === null ? decode(String(signature)) : await verify(String(signature), readObject(jwks, 'the key set'));
  const signed = readObject(new TextDecoder().decode(payload), 'the signed content of the head');
  const head = { tenant: signed['tenant'], sequence, hash, firstSequence, previousHash } as TenantHead;
  if (auditHeadText(head.tenant, head) !== canonicalJson(signed))
    throw new Error('The head differs from its signed content.');
  return head;
}

function readObject(text: string, what: string): Readonly<Record<string, unknown>> {
  const json = parseStrictJson(text);
  if (json.ok && isObject(json.value)) return json.value;
  throw new Error(`There is no JSON object in ${what}. Save the response of the service again.`);
}

async function verify(signature: string, jwks: Readonly<Record<string, unknown>>) {
  try {
    const keys = createLocalJWKSet(jwks as unknown as JSONWebKeySet);
    const verified = await compactVerify(signature, keys, { algorithms: [SIGNING_ALGORITHM] });
    if (verified.protectedHeader.typ === AUDIT_HEAD_TYPE) return verified;
  } catch (cause) {
    throw new Error(
      'The head is not signed with one of these keys: it is forged, or the keys are of another service or time.',
      { cause },
    );
  }
  throw new Error(NO_HEAD);
}

function decode(signature: string): { readonly payload: Uint8Array } {
  if (typeOf(signature) !== AUDIT_HEAD_TYPE) throw new Error(NO_HEAD);
  return { payload: Buffer.from(signature.split('.')[1] ?? '', 'base64url') };
}

function typeOf(signature: string): string | undefined {
  try {
    return decodeProtectedHeader(signature).typ;
  } catch {
    return undefined;
  }
}

const NO_HEAD = 'The signature is not that of a head.';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const NEWLINE = 0x0a;

/** The bytes of each line. Lines are decoded one by one, so that invalid UTF-8 is located. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // An event can have megabytes: the pieces of a line are joined once.
  let begun: Uint8Array[] = [];
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...begun, piece.subarray(start, end)]);
      begun = [];
      start = end + 1;
    }
    if (start < piece.length) begun.push(piece.subarray(start));
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}
