import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../basics/json/canonical.ts';
import { findChainBreak, sealAuditEvent, startOfChain } from './chain.ts';
import { type AuditEvent, changesBetween, type NewAuditEvent } from './event.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const EVENT: NewAuditEvent = {
  tenant: 'acme',
  actor: { clientId: 'c-1', identityId: null },
  operation: 'patch-auth-user-v1',
  resource: { type: 'AUTH_USER', id: 'i-1' },
  time: '2026-11-21T09:30:00.000Z',
  trackingId: '0'.repeat(32),
  outcome: 'ALLOWED',
  changes: [{ field: 'capabilities', before: [], after: ['HELPDESK'] }],
};
const START = { sequence: 0, hash: null };

function chainOf(length: number): readonly AuditEvent[] {
  const events: AuditEvent[] = [];
  for (let number = 0; number < length; number += 1)
    events.push(sealAuditEvent({ ...EVENT, trackingId: String(number) }, events.at(-1) ?? START, sha256).event);
  return events;
}

const faultAt = (event: object, head: AuditEvent | typeof START) => findChainBreak({ ...event }, head, sha256);

describe('changes', () => {
  test('are the properties that differ, with their complete values', () => {
    const before = { id: 'p', name: 'Staff', list: ['a'], same: { x: 1, y: 2 } };
    const after = { id: 'p', name: null, list: ['a', 'b'], same: { y: 2, x: 1 } };
    expect(changesBetween(before, after)).toEqual([
      { field: 'name', before: 'Staff', after: null },
      { field: 'list', before: ['a'], after: ['a', 'b'] },
    ]);
  });

  test('of a created or deleted object are all its properties', () => {
    expect(changesBetween(null, { id: 'c', identityId: null })).toEqual([{ field: 'id', before: null, after: 'c' }]);
    expect(changesBetween({ id: 'c' }, null)).toEqual([{ field: 'id', before: 'c', after: null }]);
    expect(changesBetween({ id: 'c' }, { id: 'c' })).toEqual([]);
  });
});

describe('the chain', () => {
  test('begins at 1, has no gaps and is linked', () => {
    const events = chainOf(4);
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(events[0]?.previousHash).toBeNull();
    for (const [place, event] of events.entries()) {
      const { hash, ...rest } = event;
      expect(hash).toBe(sha256(canonicalJson(rest)));
      expect(faultAt(event, events[place - 1] ?? START)).toBeNull();
    }
  });

  test('hashes the canonical JSON of any changes', () => {
    const value = fc.option(fc.jsonValue().map((json) => JSON.parse(JSON.stringify(json))));
    const refs = fc.array(
      fc.record(
        { type: fc.constant('ROLE' as const), id: fc.string(), end: fc.string() },
        { requiredKeys: ['type', 'id'] },
      ),
    );
    const changes = fc.array(
      fc.record(
        { field: fc.string(), before: value, after: value, added: refs, removed: refs },
        { requiredKeys: ['field', 'before', 'after'] },
      ),
    );
    fc.assert(
      fc.property(changes, fc.string(), fc.option(fc.nat()), (changes, text, count) => {
        const event = {
          ...EVENT,
          operation: text,
          trackingId: text,
          tenant: text,
          resource: { ...EVENT.resource, id: text },
          changes,
          ...(count === null ? {} : { count }),
        };
        const sealed = sealAuditEvent(event, { sequence: 7, hash: sha256(text) }, sha256);
        const { hash, ...rest } = sealed.event;
        expect(sealed.changesText).toBe(canonicalJson(changes));
        expect(hash).toBe(sha256(canonicalJson(rest)));
      }),
    );
  });

  test('covers the count of an event of several refused requests, and is as before where there is none', () => {
    const counted = sealAuditEvent({ ...EVENT, outcome: 'DENIED', changes: [], count: 12 }, START, sha256).event;
    expect(faultAt(counted, START)).toBeNull();
    const { count, ...without } = counted;
    expect(count).toBe(12);
    for (const other of [without, { ...counted, count: 13 }]) expect(faultAt(other, START)).not.toBeNull();
    expect(chainOf(1)[0]).not.toHaveProperty('count');
  });

  test('reveals changed, missing and inserted events', () => {
    const [first, second, third] = chainOf(3);
    if (first === undefined || second === undefined || third === undefined) throw new Error('too short');
    for (const field of Object.keys(second)) {
      expect(faultAt({ ...second, [field]: 'other' }, first)).not.toBeNull();
      expect(
        faultAt(Object.fromEntries(Object.entries(second).filter(([name]) => name !== field)), first),
      ).not.toBeNull();
    }
    expect(faultAt({ ...second, more: 1 }, first)).not.toBeNull();
    expect(faultAt(third, first)).toBe('it is not there');
    const forged = sealAuditEvent(EVENT, { sequence: 1, hash: sha256('another past') }, sha256).event;
    expect(faultAt(forged, first)).toBe('it does not continue the one before');
    expect(faultAt(second, { ...first, hash: null } as never)).not.toBeNull();
  });
});

describe('the first event of an export continues', () => {
  const head = { sequence: 9, hash: 'h9', firstSequence: 4, previousHash: 'h3' };

  test('what the head says, where it is the first one that is kept, whatever its own text is', () => {
    expect(startOfChain({ sequence: 4, previousHash: 'forged' }, head)).toEqual({ sequence: 3, hash: 'h3' });
    expect(startOfChain({ sequence: 5, previousHash: 'h4' }, head)).toEqual({ sequence: 3, hash: 'h3' });
    expect(startOfChain({ sequence: 'three', previousHash: 'h2' }, head)).toEqual({ sequence: 3, hash: 'h3' });
    expect(startOfChain({ sequence: 3, previousHash: null }, head)).toEqual({ sequence: 3, hash: 'h3' });
  });

  test('the event before it, where it is archived', () => {
    expect(startOfChain({ sequence: 3, previousHash: 'h2' }, head)).toEqual({ sequence: 2, hash: 'h2' });
  });

  test('nothing, where it is event 1 or there is no head', () => {
    expect(startOfChain({ sequence: 1, previousHash: 'forged' }, head)).toEqual({ sequence: 0, hash: null });
    expect(startOfChain({ sequence: 4, previousHash: 'h3' }, null)).toEqual({ sequence: 0, hash: null });
  });
});
