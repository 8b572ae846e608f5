import type { TimedAccessRef } from '../../access/model/records.ts';
import { canonicalJson } from '../../basics/json/canonical.ts';
import type { Attestations } from './attestations.ts';
import type { AuditChange, AuditEvent, NewAuditEvent } from './event.ts';

/** Number and hash of the last event of a log; 0 and null for an empty log. */
export interface AuditHead {
  readonly sequence: number;
  readonly hash: string | null;
}

/** The end of a log and its beginning, before which events have been archived and removed. */
export interface AuditLogHead extends AuditHead {
  /** 1 while no event has been removed; one more than `sequence` where all have been. */
  readonly firstSequence: number;
  /** The hash of the event before the first one; null while that is the first of all. */
  readonly previousHash: string | null;
}

/** The `typ` of a signed head, so that it is not accepted as an access token. */
export const AUDIT_HEAD_TYPE = 'audit-head+json';

/** The text of a head that is signed. Of a log that begins with its event 1, the beginning is left out. */
export const auditHeadText = (tenant: string, { sequence, hash, firstSequence, previousHash }: AuditLogHead): string =>
  canonicalJson({ tenant, sequence, hash, ...(firstSequence > 1 && { firstSequence, previousHash }) });

/** An event of a chain, and its changes as canonical JSON. */
export interface SealedAuditEvent {
  readonly event: AuditEvent;
  readonly changesText: string;
}

/** Adds an event to the chain after `head`. `sha256` must return lower-case hexadecimal digits. */
export function sealAuditEvent(
  event: NewAuditEvent,
  head: AuditHead,
  sha256: (text: string) => string,
): SealedAuditEvent {
  const placed = { ...event, sequence: head.sequence + 1, previousHash: head.hash };
  const changesText = `[${event.changes.map(canonicalChange).join(',')}]`;
  const text = canonicalText(placed, changesText);
  return { event: { ...placed, hash: sha256(text) }, changesText };
}

/** `canonicalJson` of a change, whose names need no sorting. */
function canonicalChange({ field, before, after, added, removed }: AuditChange): string {
  const gained = added === undefined ? '' : `"added":${canonicalRefs(added)},`;
  const lost = removed === undefined ? '' : `,"removed":${canonicalRefs(removed)}`;
  return `{${gained}"after":${canonicalJson(after)},"before":${canonicalJson(before)},"field":${canonicalJson(field)}${lost}}`;
}

/** A change may have 10,000 of them. */
const canonicalRefs = (refs: readonly TimedAccessRef[]): string =>
  `[${refs
    .map(({ end, id, start, type }) => {
      const until = end === undefined ? '' : `"end":${canonicalJson(end)},`;
      const from = start === undefined ? '' : `"start":${canonicalJson(start)},`;
      return `{${until}"id":${canonicalJson(id)},${from}"type":"${type}"}`;
    })
    .join(',')}]`;

/** `canonicalJson` of an event without its hash. Changes can have megabytes, so their text is made once. */
const canonicalText = (event: Omit<AuditEvent, 'hash'>, changesText: string): string =>
  `{"actor":${canonicalJson(event.actor)},"changes":${changesText},` +
  (event.count === undefined ? '' : `"count":${event.count},`) +
  `"operation":${canonicalJson(event.operation)},` +
  `"outcome":"${event.outcome}","previousHash":${canonicalJson(event.previousHash)},` +
  `"resource":${canonicalJson(event.resource)},"sequence":${event.sequence},"tenant":${canonicalJson(event.tenant)},` +
  `"time":${canonicalJson(event.time)},"trackingId":${canonicalJson(event.trackingId)}}`;

/** Why an event is not the successor of `head`; null when it is. `sha256` must return lower-case hexadecimal digits. */
export function findChainBreak(
  event: Readonly<Record<string, unknown>>,
  head: AuditHead,
  sha256: (text: string) => string,
  /** Where erased events are to be attested by later ones; without it, none is accepted. */
  attestations?: Attestations<object>,
): string | null {
  if (event['sequence'] !== head.sequence + 1) return 'it is not there';
  if (event['previousHash'] !== head.hash) return 'it does not continue the one before';
  const said = sha256(hashedText(event));
  if (said === event['hash']) attestations?.read(event);
  else if (attestations?.expect(event, said) !== true) return 'it is not what was recorded';
  return null;
}

/** The text of an event that its hash is of, or that an attestation is of once the event was erased. */
export const hashedText = ({ hash: _, ...rest }: { readonly hash?: unknown }): string => canonicalJson(rest);

/**
 * What the first event of an export continues. An export may begin before the head does, with archived events: their hashes lead to
 * that of the head. Without a head, a log begins with its event 1.
 */
export function startOfChain(first: Readonly<Record<string, unknown>>, head: AuditLogHead | null): AuditHead {
  const { sequence, previousHash } = first;
  if (head === null || sequence === 1) return { sequence: 0, hash: null };
  const isArchived = typeof sequence === 'number' && typeof previousHash === 'string' && sequence < head.firstSequence;
  return isArchived
    ? { sequence: sequence - 1, hash: previousHash }
    : { sequence: head.firstSequence - 1, hash: head.previousHash };
}
