import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { EXPLAINED_AT_ONCE_MAX } from '@access-admin/contract';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from './listen.ts';
import { openTestApi, WORLD } from './test-api.ts';

const PREDICT = '/sod-violations/v1/predict';
const REQUEST = { identityId: 'i-cleo', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-pay' }] };
const SLOTS = EXPLAINED_AT_ONCE_MAX / 2;

/** Two tenants, and explanations that are read only when the test lets them. */
async function openWorld() {
  const api = await openTestApi();
  const other = await api.clientToken({ tenant: 'other' });
  await api.importRecords(WORLD);
  await api.importRecords(WORLD, other);
  const { readExplanation } = api.store.sod;
  const reading = new Map<string, number>();
  const gate = Promise.withResolvers<void>();
  Object.assign(api.store.sod, {
    readExplanation: async (...asked: Parameters<typeof readExplanation>) => {
      const [tenant] = asked;
      reading.set(tenant, (reading.get(tenant) ?? 0) + 1);
      if (tenant === 'default') await gate.promise;
      return readExplanation.apply(api.store.sod, asked);
    },
  });
  const explain = (token?: string) =>
    api.call('POST', `${PREDICT}?include=via`, { body: REQUEST, ...(token === undefined ? {} : { token }) });
  return { ...api, other, explain, reading, open: () => gate.resolve() };
}

const statusesOf = (answers: readonly { readonly status: number }[]) => [
  ...new Set(answers.map(({ status }) => status)),
];

/** More than a step of work: windows over many policies. */
const MANY = [
  ...Array.from({ length: 40 }, (_, at) => ({ kind: 'entitlement', id: `e-${at}`, name: `E ${at}` })),
  ...Array.from({ length: 400 }, (_, at) => ({
    kind: 'sodPolicy',
    id: `p-many-${at}`,
    name: `P ${at}`,
    conflictingAccessCriteria: {
      leftCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: `e-${at % 20}` }] },
      rightCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: `e-${20 + (at % 19)}` }] },
    },
  })),
];
const LONG = {
  identityId: 'i-cleo',
  accessRefs: Array.from({ length: 40 }, (_, at) => ({
    type: 'ENTITLEMENT',
    id: `e-${at}`,
    end: `2027-01-${10 + (at % 20)}T00:00:00Z`,
  })),
};

test('a long prediction without include waits for a slot too, alone and in a batch', async () => {
  const { call, explain, importRecords, reading, open } = await openWorld();
  await importRecords(MANY);
  const flood = Array.from({ length: SLOTS }, () => explain());
  await expect.poll(() => reading.get('default')).toBe(SLOTS);
  let answered = 0;
  const headers = { 'content-type': 'application/x-ndjson' };
  const long = [
    call('POST', PREDICT, { body: LONG }),
    call('POST', `${PREDICT}/batch`, { body: JSON.stringify(LONG), headers }),
  ].map(async (answer) => {
    const { status, text } = await answer;
    answered += 1;
    return [status, text.match(/"policy":/g)?.length];
  });
  for (let at = 0; at < 5; at++) expect((await call('POST', PREDICT, { body: REQUEST })).status).toBe(200);
  expect(answered).toBe(0);
  open();
  expect(await Promise.all(long)).toEqual([
    [200, 400],
    [200, 400],
  ]);
  expect(statusesOf(await Promise.all(flood))).toEqual([200]);
});

test('a query without include asks for no slot: long predictions with one do not wait for each other', async () => {
  const { call, explain, importRecords, reading, open } = await openWorld();
  await importRecords(MANY);
  const target = `${PREDICT}?trace=1`;
  const long = Array.from({ length: 2 * SLOTS }, () => call('POST', target, { body: LONG }));
  expect(statusesOf(await Promise.all(long))).toEqual([200]);
  const flood = Array.from({ length: SLOTS }, () => explain());
  await expect.poll(() => reading.get('default')).toBe(SLOTS);
  expect((await call('POST', target, { body: REQUEST })).status).toBe(200);
  open();
  expect(statusesOf(await Promise.all(flood))).toEqual([200]);
});

describe('predictions with include', () => {
  test('of one tenant wait for its slots; another tenant gets one at once, and plain predictions need none', async () => {
    const { call, explain, other, reading, open } = await openWorld();
    const flood = Array.from({ length: 40 }, () => explain());
    await expect.poll(() => reading.get('default')).toBe(SLOTS);
    expect((await explain(other)).status).toBe(200);
    expect((await call('POST', PREDICT, { body: REQUEST })).status).toBe(200);
    expect(reading.get('default')).toBe(SLOTS);
    open();
    expect(statusesOf(await Promise.all(flood))).toEqual([200]);
    expect(reading.get('default')).toBe(40);
  });

  test('give their slots back when their callers leave', async () => {
    const { app, metrics, rootToken, explain, reading, open } = await openWorld();
    const token = await rootToken();
    const port = await listen(app);
    const body = JSON.stringify(REQUEST);
    const sockets = Array.from({ length: 2 * SLOTS }, () => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      onTestFinished(() => void socket.destroy());
      const head = `POST ${PREDICT}?include=via HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}`;
      socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      return socket;
    });
    await expect.poll(() => reading.get('default')).toBe(SLOTS);
    for (const socket of sockets) socket.resetAndDestroy();
    const waiting = /^access_admin_semaphore_waiting\{semaphore="explaining"\} (\d+)$/m;
    await expect.poll(async () => waiting.exec((await metrics.render()).text)?.[1]).toBe('0');
    open();
    expect((await explain()).status).toBe(200);
    // Those that waited for a slot have never begun.
    expect(reading.get('default')).toBe(SLOTS + 1);
  });

  test('of a batch take one slot together', async () => {
    const { call, explain, reading, open } = await openWorld();
    const headers = { 'content-type': 'application/x-ndjson' };
    const body = Array.from({ length: 20 }, () => JSON.stringify(REQUEST)).join('\n');
    const batch = call('POST', `${PREDICT}/batch?include=via`, { headers, body });
    await expect.poll(() => reading.get('default')).toBe(1);
    const single = explain();
    await expect.poll(() => reading.get('default')).toBe(2);
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    expect(reading.get('default')).toBe(2);
    open();
    expect([(await single).status, (await batch).text.match(/"status":200/g)?.length]).toEqual([200, 20]);
  });
});
