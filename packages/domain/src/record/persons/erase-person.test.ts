import { createHash } from 'node:crypto';
import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../audit/canonical-json.ts';
import {
  createAttestations,
  ERASED_FIELD,
  ERASURE_OPERATION,
  findChainBreak,
  hashedText,
  sealAuditEvent,
} from '../audit/chain.ts';
import type { AuditChange, AuditEvent, NewAuditEvent } from '../audit/event.ts';
import { eraseAuditEvent, erasePerson } from './erase-person.ts';

const WHO = { id: 'i-cleo', pseudonym: 'erased-0a1b2c3d' };
const OTHER = { id: 'i-ada', pseudonym: 'erased-ffffffff' };
const P = WHO.pseudonym;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const EVENT: NewAuditEvent = {
  tenant: 'acme',
  actor: { clientId: 'c-1', identityId: null },
  operation: 'test',
  resource: { type: 'IDENTITY', id: 'i-cleo' },
  time: '2026-11-21T09:30:00.000Z',
  trackingId: '0'.repeat(32),
  outcome: 'ALLOWED',
  changes: [],
};

const sealed = (event: Partial<NewAuditEvent>): AuditEvent =>
  sealAuditEvent({ ...EVENT, ...event }, { sequence: 0, hash: null }, sha256).event;

test.each([
  ['an id', 'i-cleo', P],
  ['an id in a list', ['i-cleo', 'i-cleo2'], [P, 'i-cleo2']],
  ['a ref', { type: 'IDENTITY', id: 'i-cleo', name: 'Cleo' }, { type: 'IDENTITY', id: P, name: P }],
  [
    'a ref of something else',
    { type: 'ROLE', id: 'i-cleo', name: 'Role' },
    { type: 'ROLE', id: 'i-cleo', name: 'Role' },
  ],
  [
    'an auth user',
    { id: 'i-cleo', displayName: 'Cleo', before: ['HELPDESK'] },
    { id: P, displayName: P, before: ['HELPDESK'] },
  ],
  [
    'a line of a report',
    { identityId: 'i-cleo', displayName: 'Cleo', policyName: 'Pay', revoke: { type: 'ROLE', id: 'r', name: 'Role' } },
    { identityId: P, displayName: P, policyName: 'Pay', revoke: { type: 'ROLE', id: 'r', name: 'Role' } },
  ],
  ['a client', { id: 'c', name: 'Script', identityId: 'i-cleo' }, { id: 'c', name: 'Script', identityId: P }],
  [
    'an account',
    { id: 'a', source: 'hr', identityId: 'i-cleo', name: 'cleo', attributes: { city: ['Rome'], level: 3 } },
    { id: 'a', source: 'hr', identityId: P, name: P, attributes: { city: [P], level: 3 } },
  ],
  [
    'others',
    { identityId: 'i-ada', displayName: 'Ada', approverId: 'i-cleo' },
    { identityId: 'i-ada', displayName: 'Ada', approverId: P },
  ],
])('the texts of a person are replaced in %s', (_, value, expected) => {
  expect(erasePerson(value, WHO)).toEqual(expected);
});

test('an event about the person tells what was replaced, and the digest of what stood there', () => {
  const changes = [
    { field: 'id', before: null, after: 'i-cleo' },
    { field: 'displayName', before: 'Cleo', after: null },
    { field: 'identityProfile', before: 'ip', after: 'ip-2' },
    { field: 'attributes', before: { 'a/b': 'x' }, after: {} },
  ];
  const event = sealed({ changes, actor: { clientId: 'c', identityId: 'i-ada' } });
  const stood = {
    '/resource/id': 'i-cleo',
    '/changes/0/after': 'i-cleo',
    '/changes/1/before': 'Cleo',
    '/changes/3/before/a~1b': 'x',
  };
  expect(eraseAuditEvent(event, WHO, sha256)).toEqual({
    ...event,
    resource: { type: 'IDENTITY', id: P },
    changes: [
      { field: 'id', before: null, after: P },
      { field: 'displayName', before: P, after: null },
      { field: 'identityProfile', before: 'ip', after: 'ip-2' },
      { field: 'attributes', before: { 'a/b': P }, after: {} },
    ],
    erased: { fields: Object.keys(stood).toSorted(), digest: sha256(canonicalJson(stood)) },
  });
});

test('an event about several identities keeps what it tells of others', () => {
  const access = { added: [{ type: 'ROLE', id: 'r-1' }] } as const;
  const changes: readonly AuditChange[] = [
    { field: 'i-ada', before: { displayName: 'Ada' }, after: { displayName: 'Cleo' } },
    { field: 'i-cleo', before: { displayName: 'Cleo' }, after: { displayName: 'Cleo S.' }, ...access },
  ];
  const erased = eraseAuditEvent(sealed({ changes, resource: { type: 'IDENTITY', id: null } }), WHO, sha256);
  expect(erased?.changes).toEqual([
    changes[0],
    { field: P, before: { displayName: P }, after: { displayName: P }, ...access },
  ]);
});

test('an event that names no such person stays as it is', () => {
  expect(eraseAuditEvent(sealed({ resource: { type: 'ROLE', id: 'i-cleo' } }), WHO, sha256)).toBeNull();
  expect(eraseAuditEvent(sealed({ resource: { type: 'IDENTITY', id: 'i-cleo2' } }), WHO, sha256)).toBeNull();
});

test('an event from which two persons are erased tells of both', () => {
  const event = sealed({ actor: { clientId: 'c', identityId: 'i-ada' } });
  const first = eraseAuditEvent(event, WHO, sha256);
  const second = first && eraseAuditEvent(first, OTHER, sha256);
  expect(second?.erased).toEqual({
    fields: ['/actor/identityId', '/resource/id'],
    digest: sha256(canonicalJson({ '/actor/identityId': 'i-ada', '/erased': first?.erased })),
  });
});

/** A log of which some events name the person, erased one after the other, with the events that attest them. */
const erasedLogs = fc
  .array(fc.record({ names: fc.boolean(), text: fc.string() }), { minLength: 1, maxLength: 12 })
  .map((entries) => {
    const log: AuditEvent[] = [];
    const append = (event: Partial<NewAuditEvent>) =>
      log.push(sealAuditEvent({ ...EVENT, ...event }, log.at(-1) ?? { sequence: 0, hash: null }, sha256).event);
    for (const { names, text } of entries)
      append({
        resource: { type: 'IDENTITY', id: names ? 'i-cleo' : 'i-ada' },
        changes: [{ field: 'displayName', before: null, after: text }],
      });
    const after: { readonly sequence: number; readonly hash: string }[] = [];
    for (const [at, event] of log.entries()) {
      const erased = eraseAuditEvent(event, WHO, sha256);
      if (erased === null) continue;
      log[at] = erased;
      after.push({ sequence: erased.sequence, hash: sha256(hashedText(erased)) });
    }
    append({ operation: ERASURE_OPERATION, changes: [{ field: ERASED_FIELD, before: null, after }] });
    return log;
  });

/** The first event that is not as it was recorded or erased; null where there is none. */
function verify(log: readonly AuditEvent[]): number | null {
  const attestations = createAttestations();
  let last: { readonly sequence: number; readonly hash: string | null } = { sequence: 0, hash: null };
  for (const event of log) {
    if (findChainBreak({ ...event }, last, sha256, attestations) !== null)
      return attestations.first() ?? last.sequence + 1;
    last = event;
  }
  return attestations.first();
}

test('a log verifies after an erasure, and no other change of an event passes as one', () => {
  const forgeries = fc.record({
    at: fc.nat(),
    forge: fc.constantFrom<(event: AuditEvent) => AuditEvent>(
      (event) => ({ ...event, erased: { fields: [], digest: '' } }),
      (event) => ({ ...event, erased: { fields: ['/trackingId'], digest: '' }, trackingId: 'forged' }),
      (event) => ({ ...event, changes: [], erased: event.erased ?? { fields: [], digest: '' } }),
      (event) => ({ ...event, trackingId: 'forged' }),
      ({ erased: _, ...event }) => ({ ...event, outcome: 'DENIED' }),
    ),
  });
  fc.assert(
    fc.property(erasedLogs, forgeries, (log, { at, forge }) => {
      expect(verify(log)).toBeNull();
      const place = at % log.length;
      const event = log[place];
      if (event === undefined) throw new Error('There is no such event.');
      expect(verify(log.with(place, forge(event)))).not.toBeNull();
    }),
    runs(300),
  );
});
