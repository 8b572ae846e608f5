import type { TimedAccessRef } from '../../access/model/records.ts';
import { canonicalJson } from './canonical-json.ts';
import type { AuditChange, AuditEvent, NewAuditEvent } from './event.ts';

/** Number and hash of the last event of a log; 0 and null for an empty log. */
export interface AuditHead {
  readonly sequence: number;
  readonly hash: string | null;
}

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
): string | null {
  const { hash, ...rest } = event;
  if (rest['sequence'] !== head.sequence + 1) return 'it is not there';
  if (rest['previousHash'] !== head.hash) return 'it does not continue the one before';
  return hash === sha256(canonicalJson(rest)) ? null : 'it is not what was recorded';
}
