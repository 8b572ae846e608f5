import { createHash } from 'node:crypto';
import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../basics/json/canonical.ts';
import { createAttestations, ERASED_FIELD, ERASURE_OPERATION } from '../audit/attestations.ts';
import { findChainBreak, hashedText, sealAuditEvent } from '../audit/chain.ts';
import type { AuditChange, AuditEvent, NewAuditEvent } from '../audit/event.ts';
import { eraseAuditEvent, erasePerson, eraseProperty } from './erase-person.ts';

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
  ['ids in a list', { identityIds: ['i-cleo', 'i-cleo2'] }, { identityIds: [P, 'i-cleo2'] }],
  ['a ref without a type', { ownerRef: { id: 'i-cleo', name: 'Cleo' } }, { ownerRef: { id: P, name: P } }],
  ['metadata of a caller', { clientMetadata: { asked: 'i-cleo', by: 'x' } }, { clientMetadata: { asked: P, by: 'x' } }],
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
    'a violation, whose name ends with that of its target',
    { id: 'v', name: 'Pay: Cleo Berg', target: { type: 'IDENTITY', id: 'i-cleo', name: 'Cleo Berg' } },
    { id: 'v', name: `Pay: ${P}`, target: { type: 'IDENTITY', id: P, name: P } },
  ],
  [
    'the violation of another, whose owner the person is',
    {
      name: 'Pay: Ada',
      target: { type: 'IDENTITY', id: 'i-ada', name: 'Ada' },
      owner: { type: 'IDENTITY', id: 'i-cleo', name: 'Cleo' },
    },
    {
      name: 'Pay: Ada',
      target: { type: 'IDENTITY', id: 'i-ada', name: 'Ada' },
      owner: { type: 'IDENTITY', id: P, name: P },
    },
  ],
  [
    'others',
    { identityId: 'i-ada', displayName: 'Ada', approverId: 'i-cleo' },
    { identityId: 'i-ada', displayName: 'Ada', approverId: P },
  ],
])('the texts of a person are replaced in %s', (_, value, expected) => {
  expect(erasePerson(value, WHO)).toEqual(expected);
});

test.each([
  ['a word', { type: 'i-cleo', level: 'i-cleo', tags: ['i-cleo'] }],
  ['the id of something without a type', { id: 'i-cleo', name: 'Pay', attributes: { a: 'b' } }],
  ['the id of something else', { policyId: 'i-cleo', policy: { id: 'i-cleo', name: 'Pay' }, clientId: 'i-cleo' }],
  ['the id of an account', { id: 'i-cleo', source: 'hr', displayName: 'Cleo', identityId: 'i-ada' }],
  ['an attribute of another', { id: 'i-ada', type: 'IDENTITY', attributes: { department: 'i-cleo' } }],
  ['a text of a person', { identityId: 'i-ada', justification: 'i-cleo', decisions: [{ comment: 'i-cleo' }] }],
])('a text that equals the id stays where it is %s', (_, value) => {
  expect(erasePerson(value, WHO)).toEqual(value);
});

test('of a property, the value is replaced where its name says that it is the id of a person', () => {
  expect(eraseProperty('ownerId', 'i-cleo', WHO)).toBe(P);
  expect(eraseProperty('clientMetadata', { asked: 'i-cleo' }, WHO)).toEqual({ asked: P });
  expect(eraseProperty('policyId', 'i-cleo', WHO)).toBe('i-cleo');
  expect(erasePerson('i-cleo', WHO)).toBe('i-cleo');
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
  const changes = [
    { field: 'id', before: null, after: 'i-cleo' },
    { field: 'level', before: 'i-cleo', after: 'HIGH' },
    { field: 'name', before: null, after: 'Pay' },
  ];
  expect(eraseAuditEvent(sealed({ resource: { type: 'SOD_POLICY', id: 'i-cleo' }, changes }), WHO, sha256)).toBeNull();
});

test('of an event that attests erasures, only who asked is erased; of a refused request for one, also the person', () => {
  const actor = { clientId: 'c', identityId: 'i-cleo' };
  const resource = { type: 'IDENTITY', id: 'i-cleo' } as const;
  const changes = [
    { field: ERASED_FIELD, before: null, after: [{ sequence: 1, hash: 'i-cleo', identityId: 'i-cleo' }] },
  ];
  const attestation = sealed({ operation: ERASURE_OPERATION, actor, resource, changes });
  expect(eraseAuditEvent(attestation, WHO, sha256)).toMatchObject({
    actor: { ...actor, identityId: P },
    resource,
    changes,
    erased: { fields: ['/actor/identityId'] },
  });
  const refusal = sealed({ operation: ERASURE_OPERATION, outcome: 'DENIED', actor, resource });
  expect(eraseAuditEvent(refusal, WHO, sha256)).toMatchObject({ resource: { ...resource, id: P } });
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

const START: { readonly sequence: number; readonly hash: string | null } = { sequence: 0, hash: null };

/** A log from which persons can be erased, as the store erases them. */
function openLog() {
  const log: AuditEvent[] = [];
  const append = (event: Partial<NewAuditEvent>) =>
    log.push(sealAuditEvent({ ...EVENT, ...event }, log.at(-1) ?? START, sha256).event);
  return {
    log,
    append,
    erase: (who: typeof WHO, by: string | null) => {
      const after: object[] = [];
      for (const [at, event] of log.entries()) {
        const erased = eraseAuditEvent(event, who, sha256);
        if (erased === null) continue;
        log[at] = erased;
        after.push({ sequence: erased.sequence, hash: sha256(hashedText(erased)) });
      }
      append({
        operation: ERASURE_OPERATION,
        actor: { clientId: 'c', identityId: by },
        resource: { type: 'IDENTITY', id: who.pseudonym },
        changes: [{ field: ERASED_FIELD, before: null, after }],
      });
    },
  };
}

/** The first event that is not as it was recorded or erased, null where there is none, and how many were erased. */
function verify(log: readonly AuditEvent[]): { readonly broken: number | null; readonly erased: number } {
  const attestations = createAttestations<object>();
  const unattested = () => Object(attestations.first()).sequence ?? null;
  let last = START;
  for (const event of log) {
    if (findChainBreak({ ...event }, last, sha256, attestations) !== null)
      return { broken: unattested() ?? last.sequence + 1, erased: attestations.count() };
    last = event;
  }
  return { broken: unattested(), erased: attestations.count() };
}

const PERSONS = [WHO, OTHER, { id: 'i-eve', pseudonym: 'erased-0000eeee' }] as const;

/** Logs with events by and about three persons. Some of the persons are erased, and the erasure of one may be in the name of another. */
const erasedLogs = fc
  .record({
    entries: fc.array(fc.record({ by: fc.nat(3), about: fc.nat(3), text: fc.string() }), {
      minLength: 1,
      maxLength: 12,
    }),
    erasures: fc.array(fc.record({ who: fc.nat(2), by: fc.nat(3) }), { minLength: 1, maxLength: 5 }),
  })
  .map(({ entries, erasures }) => {
    const { log, append, erase } = openLog();
    const idOf = (number: number) => PERSONS[number]?.id ?? null;
    for (const { by, about, text } of entries)
      append({
        actor: { clientId: 'c', identityId: idOf(by) },
        resource: { type: 'IDENTITY', id: idOf(about) ?? 'i-bob' },
        changes: [{ field: 'displayName', before: null, after: text }],
      });
    for (const { who, by } of erasures) erase(PERSONS[who] ?? WHO, idOf(by));
    return log;
  });

test('a log verifies after erasures, and a change of an event passes as one only where later events attest it', () => {
  const forgeries = fc.record({
    at: fc.nat(),
    forge: fc.constantFrom<(event: AuditEvent) => AuditEvent>(
      (event) => ({ ...event, erased: { fields: [], digest: '' } }),
      (event) => ({ ...event, erased: { fields: ['/trackingId'], digest: '0'.repeat(64) }, trackingId: P }),
      (event) => ({ ...event, changes: [], erased: event.erased ?? { fields: [], digest: '' } }),
      (event) => ({ ...event, trackingId: 'forged' }),
      (event) => ({ ...event, erased: { ...event.erased, fields: ['/resource/id'], digest: '0'.repeat(64) } }),
      ({ erased: _, ...event }) => ({ ...event, outcome: 'DENIED' }),
    ),
  });
  fc.assert(
    fc.property(erasedLogs, forgeries, (log, { at, forge }) => {
      expect(verify(log)).toEqual({ broken: null, erased: log.filter(({ erased }) => erased !== undefined).length });
      const place = at % log.length;
      const event = log[place];
      if (event === undefined) throw new Error('There is no such event.');
      expect(verify(log.with(place, forge(event))).broken).not.toBeNull();
    }),
    runs(300),
  );
});

test('an erasure in the name of a person that was erased, and that of this one, still attest', () => {
  const { log, append, erase } = openLog();
  append({});
  erase(WHO, 'i-ada');
  erase(OTHER, 'i-eve');
  erase(PERSONS[2], null);
  expect(log.map(({ erased }) => erased?.fields)).toEqual([
    ['/resource/id'],
    ['/actor/identityId'],
    ['/actor/identityId'],
    undefined,
  ]);
  expect(verify(log)).toEqual({ broken: null, erased: 3 });
  expect(verify(log.slice(0, 3)).broken).toBe(1);
});

test.each<[string, (event: AuditEvent) => object]>([
  ['changes nothing', (event) => ({ ...event, erased: { ...event.erased, fields: [] } })],
  ['has no list of what it changes', (event) => ({ ...event, erased: { ...event.erased, fields: '/resource/id' } })],
  ['points to nothing', (event) => ({ ...event, erased: { ...event.erased, fields: ['/changes/0/after/x'] } })],
  ['has no pointer', (event) => ({ ...event, erased: { ...event.erased, fields: [null] } })],
  ['has another pseudonym', (event) => ({ ...event, resource: { type: 'IDENTITY', id: 'erased-99999999' } })],
  ['has no pseudonym', (event) => ({ ...event, resource: { type: 'IDENTITY', id: 'i-ada' } })],
  [
    'has one where no person stands',
    (event) => ({ ...event, trackingId: P, erased: { ...event.erased, fields: ['/trackingId'] } }),
  ],
  ['has no digest', (event) => ({ ...event, erased: { fields: ['/resource/id'], digest: 'x' } })],
  ['says more', (event) => ({ ...event, erased: { ...event.erased, why: 'x' } })],
  ['says nothing', (event) => ({ ...event, erased: null })],
])('a change that %s is no erasure, although a later event attests it', (_, forge) => {
  const { log, append, erase } = openLog();
  append({});
  erase(WHO, null);
  const [first] = log;
  if (first === undefined) throw new Error('There is no such event.');
  const attested = (event: object) => {
    const after = [{ sequence: 1, hash: sha256(hashedText(event)) }];
    const attestation = {
      ...EVENT,
      operation: ERASURE_OPERATION,
      resource: { type: 'IDENTITY', id: P } as const,
      changes: [{ field: ERASED_FIELD, before: null, after }],
    };
    return [event, sealAuditEvent(attestation, first, sha256).event] as readonly AuditEvent[];
  };
  expect(verify(attested({ ...first, operation: 'rewritten' })).broken).toBeNull();
  expect(verify(attested(forge(first))).broken).toBe(1);
});

test('an event before the erased one attests nothing', () => {
  const { log, append, erase } = openLog();
  append({});
  erase(WHO, null);
  const [changed, attestation] = log;
  if (changed === undefined || attestation === undefined) throw new Error('There is no such event.');
  const attestations = createAttestations<object>();
  const actor = { clientId: 'c', identityId: P };
  const erased = { fields: ['/actor/identityId'], digest: '0'.repeat(64) };
  expect(attestations.expect({ ...attestation, actor, erased, sequence: 0 }, 'x')).toBe(true);
  expect(attestations.expect(changed, sha256(hashedText(changed)))).toBe(true);
  const after = [{ sequence: 0, hash: 'x' }];
  attestations.read({ ...attestation, changes: [{ field: ERASED_FIELD, before: null, after }] });
  expect(attestations.first()).toBe(changed);
});

test.each([
  ['changes', { changes: null }],
  ['a change', { changes: [null, 'x', 7] }],
  ['the list', { changes: [{ field: ERASED_FIELD, before: null, after: null }] }],
  ['an item', { changes: [{ field: ERASED_FIELD, before: null, after: [null, 'x', [], {}] }] }],
  ['the resource', { resource: null, changes: [] }],
])('an attestation of another form in %s attests nothing', (_, other) => {
  const attestations = createAttestations<object>();
  attestations.read({ ...EVENT, operation: ERASURE_OPERATION, sequence: 1, ...other });
  expect([attestations.first(), attestations.count()]).toEqual([null, 0]);
});
