import type { AuditEvent, SignedAuditHead } from '@access-admin/contract';
import { type Attestations, createAttestations } from '@access-admin/domain/attestations';
import { VerificationError } from '../errors.ts';
import type { PublicKeys } from '../groups/administration/health.ts';
import { canonicalJson } from './canonical-json.ts';
import { type JwsFault, verifyJws } from './jws.ts';
import { sha256 } from './sha256.ts';

/** The end of the log of a tenant, as the service has signed it. */
export interface AuditLogEnd {
  readonly tenant: string;
  /** 0 for an empty log. */
  readonly sequence: number;
  /** Null for an empty log. */
  readonly hash: string | null;
  /** The first event that the log had then, after those that were archived and removed; 1 where it is left out. */
  readonly firstSequence?: number | undefined;
  /** The hash of the event before the first one. */
  readonly previousHash?: string | null | undefined;
}

/** Why a signed head does not verify. */
export type AuditHeadFault = JwsFault | 'another head';

/** A head as the service returns it, or as it did before logs told where they begin. */
type SignedHead = Pick<SignedAuditHead, 'sequence' | 'hash' | 'signature'> & Partial<SignedAuditHead>;

const HEAD = { name: 'head', type: 'audit-head+json' };

/**
 * Verifies the signature of a head of the audit log, and that it says what was signed. Rejects with a `VerificationError` whose
 * `reason` is an `AuditHeadFault`.
 */
export async function verifyAuditHead(
  { sequence, hash, firstSequence = 1, previousHash = null, signature }: SignedHead,
  { jwks }: { readonly jwks: PublicKeys },
): Promise<AuditLogEnd> {
  const signed = (await verifyJws(signature, { ...HEAD, jwks })) as unknown as AuditLogEnd;
  const begins = [signed.firstSequence ?? 1, signed.previousHash ?? null];
  if (signed.sequence !== sequence || signed.hash !== hash || begins[0] !== firstSequence || begins[1] !== previousHash)
    throw new VerificationError<AuditHeadFault>('The head differs from its signed content.', 'another head');
  return signed;
}

/** What is wrong with the first event that does not continue the log. */
export type AuditLogFault =
  | 'another tenant'
  /** An event is left out, or stands elsewhere. */
  | 'missing'
  /** It does not name the hash of the event before it. */
  | 'unlinked'
  /** Its hash is not that of its content. */
  | 'changed'
  /** It was changed as an erasure does, which no later event attests. */
  | 'unattested'
  /** Its hash is not the one that a head names. */
  | 'another head'
  /** The log ends before the event that a head names. */
  | 'cut off'
  /** The log begins after the event that a head names: that is in the archive alone. */
  | 'archived';

/** How far a log is what the service has recorded. */
export interface AuditLogVerification {
  /** The last event that was verified; 0 for none. */
  readonly sequence: number;
  /** The first event that is not as it was recorded; null where there is none. */
  readonly fault: {
    readonly sequence: number;
    readonly reason: AuditLogFault;
    /** The event in its place; null where there is none. */
    readonly event: AuditEvent | null;
  } | null;
  /** How many of the events read have been changed since by the erasure of a person, as far as later events attest it. */
  readonly erased: number;
}

/** What a log is verified with. */
export interface VerifyAuditEventsOptions {
  /** Ends that `verifyAuditHead` has verified, now or earlier: no event up to them may be missing. */
  readonly heads?: readonly AuditLogEnd[] | undefined;
  /** Called with the last event verified so far, after each of the slices in which the log is verified. */
  readonly onProgress?: ((sequence: number) => void) | undefined;
}

/**
 * Verifies that all events of a log are chained by their hashes: from event 1, from the first one that a head names, or from an
 * archived one before it. The hashes of a slice are computed together by
 * the cryptography of the platform, so that a page stays responsive. Resolves with the first fault; rejects only where reading
 * the events does.
 */
export async function verifyAuditEvents(
  events: AsyncIterable<AuditEvent> | Iterable<AuditEvent>,
  { heads = [], onProgress }: VerifyAuditEventsOptions = {},
): Promise<AuditLogVerification> {
  let start = startOf(heads);
  let last = start;
  let isBegun = false;
  const attestations = createAttestations<AuditEvent>();
  const found = (fault: AuditLogVerification['fault']): AuditLogVerification => {
    const erased = attestations.count();
    // An event may be known to be broken before an earlier one is known to be erased.
    const event = attestations.first();
    if (event === null) return { sequence: last.sequence, fault, erased };
    const { sequence } = event;
    return { sequence: sequence - 1, fault: { sequence, reason: 'unattested', event }, erased };
  };
  for await (const slice of slicesOf(events)) {
    const hashes = await Promise.all(slice.map(({ text }) => (text === null ? null : sha256(text))));
    for (const [at, { event }] of slice.entries()) {
      // Files may have anything in their lines.
      if (typeof event !== 'object' || event === null)
        return found({ sequence: last.sequence + 1, reason: 'changed', event: null });
      if (!isBegun && isBefore(event, start))
        last = start = { ...start, sequence: event.sequence - 1, hash: event.previousHash };
      isBegun = true;
      const hash = hashes[at] ?? null;
      const reason = findFault(event, { last, hash, heads, attestations });
      if (reason !== null) return found({ sequence: last.sequence + 1, reason, event });
      last = event;
    }
    onProgress?.(last.sequence);
  }
  const { sequence } = last;
  for (const head of heads) {
    const reason = findEarlierFault(head, start);
    if (reason !== null) return found({ sequence: head.sequence, reason, event: null });
  }
  if (heads.some((head) => sequence < head.sequence))
    return found({ sequence: sequence + 1, reason: 'cut off', event: null });
  return found(null);
}

/** What the first event is to continue: the beginning that the latest head names. */
function startOf(heads: readonly AuditLogEnd[]): AuditLogEnd {
  const [first, ...others] = heads;
  if (first === undefined) return { tenant: '', sequence: 0, hash: null };
  const {
    tenant,
    firstSequence = 1,
    previousHash = null,
  } = others.reduce((latest, head) => (head.sequence > latest.sequence ? head : latest), first);
  return { tenant, sequence: firstSequence - 1, hash: previousHash };
}

/** Whether an export begins with event 1, or with an archived one: its hash leads to that of the head. */
const isBefore = ({ sequence, previousHash }: AuditEvent, start: AuditLogEnd): boolean =>
  sequence >= 1 && sequence <= start.sequence && (sequence === 1) === (previousHash === null);

/** Of a head whose event is before the first one: the last of these is known by its hash, the others are not. */
function findEarlierFault({ sequence, hash }: AuditLogEnd, start: AuditLogEnd): AuditLogFault | null {
  if (sequence > start.sequence || sequence === 0) return null;
  if (sequence < start.sequence) return 'archived';
  return hash === start.hash ? null : 'another head';
}

interface Expected {
  readonly last: AuditLogEnd;
  /** The hash of what the event says. */
  readonly hash: string | null;
  readonly heads: readonly AuditLogEnd[];
  readonly attestations: Attestations<AuditEvent>;
}

function findFault(event: AuditEvent, { last, hash, heads, attestations }: Expected): AuditLogFault | null {
  if (last.tenant !== '' && event.tenant !== last.tenant) return 'another tenant';
  if (event.sequence !== last.sequence + 1) return 'missing';
  if (event.previousHash !== last.hash) return 'unlinked';
  if (event.hash === hash) attestations.read(event);
  // An erased event keeps the hash that the next one names.
  else if (!attestations.expect(event, hash)) return 'changed';
  const isOther = heads.some((head) => head.sequence === event.sequence && head.hash !== event.hash);
  return isOther ? 'another head' : null;
}

interface Hashable {
  readonly event: AuditEvent;
  /** The text that its hash is of; null where there is none. */
  readonly text: string | null;
}

// A slice takes a few milliseconds. An event can have hundreds of kilobytes.
const SLICE_EVENTS = 64;
const SLICE_LENGTH = 512 * 1024;

async function* slicesOf(
  events: AsyncIterable<AuditEvent> | Iterable<AuditEvent>,
): AsyncGenerator<readonly Hashable[]> {
  let slice: Hashable[] = [];
  let length: number = 0;
  for await (const event of events) {
    const text = hashedText(event);
    slice.push({ event, text });
    length += text?.length ?? 0;
    if (slice.length < SLICE_EVENTS && length < SLICE_LENGTH) continue;
    yield slice;
    [slice, length] = [[], 0];
  }
  if (slice.length > 0) yield slice;
}

function hashedText(event: AuditEvent): string | null {
  try {
    const { hash: _, ...rest } = event;
    return canonicalJson(rest);
  } catch {
    // The service records nothing that has no canonical form.
    return null;
  }
}
