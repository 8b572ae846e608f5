import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  type AuditEvent,
  type AuditLogEnd,
  VerificationError,
  verifyAuditEvents,
  verifyAuditHead,
} from '../src/index.ts';
import { canonicalJson } from '../src/verification/canonical-json.ts';

const EVENT = {
  time: '2026-11-21T09:30:00.000Z',
  tenant: 'acme',
  actor: { clientId: 'c-1', identityId: null },
  operation: 'patch-sod-policy-v1',
  resource: { type: 'SOD_POLICY', id: 'p-1' },
  outcome: 'ALLOWED',
  trackingId: '0'.repeat(32),
} as const;

const seal = (event: Omit<AuditEvent, 'hash'>): AuditEvent => ({
  ...event,
  hash: createHash('sha256').update(canonicalJson(event)).digest('hex'),
});

/** A log of so many events, longer than one slice. */
function logOf(length: number): readonly AuditEvent[] {
  const events: AuditEvent[] = [];
  for (let sequence = 1; sequence <= length; sequence += 1) {
    const changes = [{ field: 'name', before: `Policy ${sequence}`, after: { text: 'ä €', number: 1e21 } }];
    events.push(seal({ ...EVENT, changes, sequence, previousHash: events.at(-1)?.hash ?? null }));
  }
  return events;
}

const LENGTH = 200;
const LOG = logOf(LENGTH);
const eventAt = (sequence: number): AuditEvent => LOG[sequence - 1] ?? LOG[0] ?? ({} as AuditEvent);
const replaced = (event: AuditEvent) => LOG.map((each) => (each.sequence === event.sequence ? event : each));
const HEAD: AuditLogEnd = { tenant: 'acme', sequence: LENGTH, hash: eventAt(LENGTH).hash };

test('a log as it was recorded holds to its end', async () => {
  const told: number[] = [];
  const onProgress = (sequence: number) => told.push(sequence);
  expect(await verifyAuditEvents(LOG, { heads: [HEAD], onProgress })).toEqual({
    sequence: LENGTH,
    fault: null,
    erased: 0,
  });
  expect(told.length).toBeGreaterThan(2);
  expect(told.at(-1)).toBe(LENGTH);
  expect(await verifyAuditEvents([])).toEqual({ sequence: 0, fault: null, erased: 0 });
});

const AT = 130;
const altered = { ...eventAt(AT), actor: { clientId: 'c-2', identityId: null } };
const { hash: _, ...unsealed } = altered;
const resealed = seal(unsealed);

test.each([
  ['an event was changed', replaced(altered), AT, 'changed'],
  ['an event was changed and sealed again', replaced(resealed), AT + 1, 'unlinked'],
  ['a hash was changed', replaced({ ...eventAt(AT), hash: eventAt(1).hash }), AT, 'changed'],
  ['an event was removed', LOG.filter(({ sequence }) => sequence !== AT), AT, 'missing'],
  ['an event was inserted', LOG.toSpliced(AT, 0, eventAt(AT)), AT + 1, 'missing'],
  ['two events changed places', LOG.toSpliced(AT - 1, 2, eventAt(AT + 1), eventAt(AT)), AT, 'missing'],
  ['an event is of another tenant', replaced({ ...eventAt(AT), tenant: 'other' }), AT, 'another tenant'],
  ['an event has a property more', replaced({ ...eventAt(AT), more: 1 } as AuditEvent), AT, 'changed'],
  ['an event has half of a character', replaced({ ...eventAt(AT), trackingId: '\ud83d' }), AT, 'changed'],
])('the first fault is found where %s', async (_, log, sequence, reason) => {
  const event = log[sequence - 1];
  expect(await verifyAuditEvents(log, { heads: [HEAD] })).toEqual({
    sequence: sequence - 1,
    fault: { sequence, reason, event },
    erased: 0,
  });
});

test('a log that was rewritten or cut off does not go with its head', async () => {
  expect(await verifyAuditEvents(LOG.slice(0, AT), { heads: [HEAD] })).toEqual({
    sequence: AT,
    fault: { sequence: AT + 1, reason: 'cut off', event: null },
    erased: 0,
  });
  const other = { ...HEAD, sequence: AT, hash: eventAt(1).hash };
  const { fault } = await verifyAuditEvents(LOG, { heads: [HEAD, other] });
  expect(fault).toMatchObject({ sequence: AT, reason: 'another head' });
  expect((await verifyAuditEvents(LOG, { heads: [{ ...HEAD, tenant: 'other' }] })).fault?.reason).toBe(
    'another tenant',
  );
  // An earlier head goes with the log that has grown since.
  const earlier = { ...HEAD, sequence: AT, hash: eventAt(AT).hash };
  expect(await verifyAuditEvents(LOG, { heads: [HEAD, earlier] })).toEqual({
    sequence: LENGTH,
    fault: null,
    erased: 0,
  });
});

test('a head is signed by the service, and says what was signed', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k' }] };
  const signed = (type: string, end: object) => {
    const parts = [{ alg: 'ES256', typ: type, kid: 'k' }, end];
    const content = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return { sequence: HEAD.sequence, hash: HEAD.hash, signature: `${content}.${signature.toString('base64url')}` };
  };
  const head = signed('audit-head+json', HEAD);
  expect(await verifyAuditHead(head, { jwks })).toEqual(HEAD);
  const faultOf = (given: typeof head) => verifyAuditHead(given, { jwks }).catch((error: VerificationError) => error);
  for (const [given, reason] of [
    [{ ...head, sequence: 1 }, 'another head'],
    [{ ...head, hash: null }, 'another head'],
    [signed('sod-receipt+json', HEAD), 'wrong type'],
    [{ ...head, signature: `${head.signature.slice(0, -4)}AAAA` }, 'bad signature'],
  ] as const) {
    const error = await faultOf(given);
    expect(error).toBeInstanceOf(VerificationError);
    expect(error).toMatchObject({ reason });
  }
});

const FIRST = 120;
const START = { firstSequence: FIRST, previousHash: eventAt(FIRST - 1).hash };

test.each([
  ['from the first event that the head names', FIRST],
  ['from an archived event on', 100],
  ['from event 1 on', 1],
])('a log of which events were archived holds %s', async (_, first) => {
  const heads = [{ ...HEAD, ...START }];
  const log = LOG.slice(first - 1);
  expect(await verifyAuditEvents(log, { heads })).toEqual({ sequence: LENGTH, fault: null, erased: 0 });
  const changed = log.with(0, { ...eventAt(first), trackingId: 'x' });
  expect(await verifyAuditEvents(changed, { heads })).toMatchObject({ fault: { sequence: first, reason: 'changed' } });
});

test.each([
  ['begins after what the head names', LOG.slice(FIRST), { ...HEAD, ...START }, FIRST, 'missing'],
  ['has another beginning', LOG.slice(FIRST - 1), { ...HEAD, ...START, previousHash: HEAD.hash }, FIRST, 'unlinked'],
  ['was archived, as no head tells', LOG.slice(FIRST - 1), HEAD, 1, 'missing'],
] as const)('the first fault is found where a log %s', async (_, log, head, sequence, reason) => {
  expect(await verifyAuditEvents(log, { heads: [head] })).toMatchObject({ fault: { sequence, reason } });
});

test('an end that was kept is compared while its event, or the one after it, is in the log', async () => {
  const of = (sequence: number, hash = eventAt(sequence).hash) =>
    verifyAuditEvents(LOG.slice(FIRST - 1), {
      heads: [
        { tenant: 'acme', sequence, hash },
        { ...HEAD, ...START },
      ],
    });
  expect(await of(FIRST)).toEqual({ sequence: LENGTH, fault: null, erased: 0 });
  expect(await of(FIRST - 1)).toEqual({ sequence: LENGTH, fault: null, erased: 0 });
  expect(await of(FIRST - 1, HEAD.hash ?? '')).toMatchObject({
    fault: { sequence: FIRST - 1, reason: 'another head' },
  });
  expect(await of(FIRST - 2)).toMatchObject({ fault: { sequence: FIRST - 2, reason: 'archived' } });
});

test('a log of which all was archived holds to the end that the head names', async () => {
  const head = { ...HEAD, firstSequence: LENGTH + 1, previousHash: HEAD.hash };
  expect(await verifyAuditEvents([], { heads: [head] })).toEqual({ sequence: LENGTH, fault: null, erased: 0 });
  expect(await verifyAuditEvents(LOG.slice(150), { heads: [head] })).toEqual({
    sequence: LENGTH,
    fault: null,
    erased: 0,
  });
});

const SAID = 'a hash of what was recorded';

/** The log with an entry that was changed, and with a last entry that attests the present content of that one, or something else. */
function erasedLog({
  attested = true,
  operation = 'erase-identity-v1',
  outcome = 'ALLOWED' as const,
  before = 0,
  pseudonym = 'erased-00000000',
} = {}) {
  const recorded = eventAt(AT);
  const { hash: _, ...said } = { ...recorded, actor: { clientId: 'c-1', identityId: 'erased-00000000' } };
  const erasure = { fields: ['/actor/identityId'], digest: 'd'.repeat(64) };
  const erased = { ...recorded, actor: said.actor, erased: erasure };
  const now = createHash('sha256')
    .update(canonicalJson({ ...said, erased: erasure }))
    .digest('hex');
  const log = replaced(erased);
  const after = [{ sequence: AT - before, hash: attested ? now : SAID }];
  const last = seal({
    ...EVENT,
    operation,
    outcome,
    resource: { type: 'IDENTITY', id: pseudonym },
    changes: [{ field: 'erased', before: null, after }],
    sequence: LENGTH + 1,
    previousHash: HEAD.hash,
  });
  return { log, last, erased };
}

test('an erased entry holds where a later one attests what it says since, whatever is signed before or after', async () => {
  const { log, last } = erasedLog();
  const whole = [...log, last];
  const later = { tenant: 'acme', sequence: LENGTH + 1, hash: last.hash };
  const ofErased = { tenant: 'acme', sequence: AT, hash: eventAt(AT).hash };
  expect(await verifyAuditEvents(whole, { heads: [HEAD, later, ofErased] })).toEqual({
    sequence: LENGTH + 1,
    fault: null,
    erased: 1,
  });
});

test.each([
  ['is not attested', erasedLog().log],
  ['is attested with another hash', [...erasedLog({ attested: false }).log, erasedLog({ attested: false }).last]],
  ['is attested by another operation', [...erasedLog().log, erasedLog({ operation: 'patch-identity-v1' }).last]],
  ['is attested with another pseudonym', [...erasedLog().log, erasedLog({ pseudonym: 'erased-11111111' }).last]],
  ['is attested by another place', [...erasedLog().log, erasedLog({ before: 1 }).last]],
  ['is changed again', [...erasedLog().log.with(AT - 1, { ...erasedLog().erased, trackingId: 'x' }), erasedLog().last]],
  [
    'is attested by an entry that was changed',
    [...erasedLog().log, { ...erasedLog().last, erased: erasedLog().erased.erased }],
  ],
] as const)('a forged erasure is found where it %s', async (_, log) => {
  const { sequence, fault } = await verifyAuditEvents(log as readonly AuditEvent[]);
  expect(sequence).toBe(AT - 1);
  expect(fault).toMatchObject({ sequence: AT, reason: 'unattested' });
});

test('an entry that was changed without an erasure is found, although a later one attests it', async () => {
  const { log, last } = erasedLog();
  const { erased: _, ...unmarked } = log[AT - 1] ?? eventAt(AT);
  expect(await verifyAuditEvents([...log.with(AT - 1, unmarked), last])).toMatchObject({
    fault: { sequence: AT, reason: 'changed' },
  });
});

test.each([
  ['no object', null],
  ['a text', 'x'],
  ['an event without changes', { ...eventAt(AT), changes: null }],
  ['an event of other changes', { ...eventAt(AT), changes: [null] }],
  ['an erasure of no form', { ...eventAt(AT), erased: null, trackingId: 'x' }],
  ['an erasure from nowhere', { ...eventAt(AT), erased: { fields: ['/actor/clientId'], digest: 'd'.repeat(64) } }],
])('a line with %s is found in its place', async (_, line) => {
  const { sequence, fault } = await verifyAuditEvents(LOG.with(AT - 1, line as AuditEvent));
  expect([sequence, fault?.sequence, fault?.reason]).toEqual([AT - 1, AT, 'changed']);
});

test('an attestation that is sealed with entries of any form attests nothing', async () => {
  const changes = [
    null,
    7,
    { field: 'erased', before: null, after: [null, 'x', {}] },
  ] as unknown as AuditEvent['changes'];
  const last = { ...EVENT, operation: 'erase-identity-v1', changes, sequence: LENGTH + 1, previousHash: HEAD.hash };
  expect(await verifyAuditEvents([...LOG, seal(last)])).toEqual({ sequence: LENGTH + 1, fault: null, erased: 0 });
});
