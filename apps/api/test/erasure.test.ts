import { expect, test } from 'vitest';
import { parseHead, verifyAuditExport } from '../src/audit/verify-export.ts';
import { completeOne } from './complete-check.ts';
import { exceptionsOf } from './sod-exceptions-world.ts';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';

const PATH = '/identities/v1/i-cleo/erasure';
const CONFIRMED = { headers: { 'x-confirm-identity': 'i-cleo' } };
const AFTER_MS = 600_000;

async function openWorld(): Promise<TestApi> {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  return api;
}

/** Does what a worker does until nothing is due. */
async function eraseAll({ store }: TestApi): Promise<void> {
  for (let nowMs = Date.now(); ; nowMs += AFTER_MS) {
    const [claim] = await store.erasures.claim({ nowMs, leaseMs: 1_000, limit: 1 });
    if (claim === undefined || (await store.erasures.erase(claim, { nowMs, pause: () => {} })) === 'done') return;
  }
}

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function readLog({ call }: TestApi) {
  const jwks = (await call('GET', '/.well-known/jwks.json', { token: null })).text;
  const head = await parseHead((await call('GET', '/audit-events/v1/head')).text, jwks);
  const { text } = await call('GET', '/audit-events/v1/export');
  return { head, text };
}

test.each([
  ['no confirmation', {}, 400, '400.1.0'],
  ['that of another person', { 'x-confirm-identity': 'i-ada' }, 400, '400.1.3'],
  ['an identity that exists', { 'x-confirm-identity': 'i-cleo' }, 409, '409.1'],
])('refuses %s', async (_, headers, status, detailCode) => {
  const { call } = await openWorld();
  const refused = await call('POST', PATH, { headers });
  expect([refused.status, refused.json.detailCode]).toEqual([status, detailCode]);
});

test('an id that nothing names is not found', async () => {
  const { call } = await openWorld();
  const headers = { 'x-confirm-identity': 'i-nobody' };
  expect((await call('POST', '/identities/v1/i-nobody/erasure', { headers })).status).toBe(404);
});

test('a pseudonym is no person to erase', async () => {
  const { call } = await openWorld();
  await call('DELETE', '/identities/v1/i-cleo');
  const { pseudonym } = (await call('POST', PATH, CONFIRMED)).json;
  const again = await call('POST', `/identities/v1/${pseudonym}/erasure`, {
    headers: { 'x-confirm-identity': pseudonym },
  });
  expect([again.status, again.json.detailCode]).toEqual([409, '409.1']);
  expect(JSON.stringify(again.json)).toContain(`${pseudonym} is the pseudonym of an erased person`);
});

test('the log verifies after an erasure, names the person nowhere, and tells what was erased and by whom', async () => {
  const api = await openWorld();
  const { call } = api;
  const uid = WORLD.flatMap((record) => ('uid' in record && record.id === 'i-cleo' ? String(record.uid) : []))[0] ?? '';
  expect((await readLog(api)).text).toContain(uid);
  await call('DELETE', '/identities/v1/i-cleo');
  const begun = await call('POST', PATH, CONFIRMED);
  expect([begun.status, begun.json]).toEqual([202, { pseudonym: expect.stringMatching(/^erased-[0-9a-f]{8}$/) }]);
  const { pseudonym } = begun.json;
  await eraseAll(api);
  expect((await call('POST', PATH, CONFIRMED)).json).toEqual({ pseudonym });
  await eraseAll(api);
  const { head, text } = await readLog(api);
  for (const named of ['"i-cleo"', uid]) expect(text).not.toContain(named);
  const verified = await verifyAuditExport(piecesOf(text), head);
  const events = text
    .trimEnd()
    .split('\n')
    .map((each) => JSON.parse(each));
  const erased = events.filter((event) => event.erased !== undefined);
  expect(erased.length).toBeGreaterThan(1);
  expect(verified).toEqual({ sequence: head.sequence, fault: null, erased: erased.length });
  const told = events.filter(({ operation }) => operation === 'erase-identity-v1');
  expect(told.map(({ resource, changes }) => [resource, changes[0].field])).toEqual([
    [{ type: 'IDENTITY', id: pseudonym }, 'erasureRequested'],
    [{ type: 'IDENTITY', id: pseudonym }, 'erased'],
    [{ type: 'IDENTITY', id: pseudonym }, 'erasureRequested'],
  ]);
  // Another change of an event is found, although the event has `erased`.
  const [first] = erased;
  const forged = text.replace(JSON.stringify(first), JSON.stringify({ ...first, trackingId: 'forged' }));
  expect(await verifyAuditExport(piecesOf(forged), head)).toMatchObject({
    sequence: first.sequence,
    fault: 'it was changed, and no later event attests its erasure',
  });
  expect((await call('GET', `/identities/v1/i-cleo/personal-data`)).status).toBe(404);
});

test('an export of the person has nothing after an erasure but decisions and reservations', async () => {
  const api = await openTestApi();
  const { ada, ask, move } = await exceptionsOf(api);
  const { call } = api;
  const texts = ['cleo-uid', 'Cleo Baker', 'cleo@example.com', '+49 30 4711', 'B4712'];
  const [uid, displayName, email, phone, badge] = texts;
  const changed = await call('PATCH', '/identities/v1/i-cleo', {
    body: Object.entries({ uid, displayName, email, phone, attributes: { badge } }).map(([field, value]) => ({
      op: 'add',
      path: `/${field}`,
      value,
    })),
  });
  expect(changed.status).toBe(200);
  await move((await ask()).json.id, 'approve');
  await call('POST', '/auth-users/v1/i-cleo/sign-in-link', { token: ada });
  await give(api, ['HELPDESK']);
  await give(api, []);
  const reserved = { identityId: 'i-cleo', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-report' }] };
  await call('POST', '/sod-reservations/v1', { body: reserved });
  expect((await call('POST', '/sod-violations/v1/check', { body: reserved })).status).toBe(202);
  await completeOne(api);
  const before = (await call('GET', '/identities/v1/i-cleo/personal-data')).text;
  for (const text of texts) expect(before).toContain(text);
  await call('DELETE', '/identities/v1/i-cleo');
  const { pseudonym } = (await call('POST', PATH, CONFIRMED)).json;
  await eraseAll(api);
  const left = (await call('GET', '/identities/v1/i-cleo/personal-data')).text;
  const kinds = left
    .trimEnd()
    .split('\n')
    .map((each) => JSON.parse(each).kind);
  expect([...new Set(kinds)].toSorted()).toEqual(['exception', 'reservation']);
  const { head, text: log } = await readLog(api);
  const events = (await call('GET', '/events/v1?limit=250')).text;
  for (const text of texts) for (const all of [left, log, events]) expect(all).not.toContain(text);
  for (const all of [log, events]) expect(all).not.toContain('"i-cleo"');
  for (const all of [log, events]) expect(all).toContain(pseudonym);
  expect(await verifyAuditExport(piecesOf(log), head)).toMatchObject({ sequence: head.sequence, fault: null });
});

const give = ({ call }: TestApi, capabilities: readonly string[]) =>
  call('PATCH', '/auth-users/v1/i-cleo', { body: [{ op: 'replace', path: '/capabilities', value: capabilities }] });

test('an event of an erasure is found by its pseudonym', async () => {
  const api = await openWorld();
  const { call } = api;
  await call('DELETE', '/identities/v1/i-cleo');
  const { pseudonym } = (await call('POST', PATH, CONFIRMED)).json;
  await eraseAll(api);
  const filters = encodeURIComponent(`resourceId eq "${pseudonym}"`);
  const found = (await call('GET', `/audit-events/v1?filters=${filters}`)).json;
  expect(found.map(({ operation }: { operation: string }) => operation)).toContain('import-access-model-v1');
  expect(JSON.stringify(found)).not.toContain('i-cleo');
});
