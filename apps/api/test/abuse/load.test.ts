import { once } from 'node:events';
import { connect } from 'node:net';
import { IMPORT_BODY_BYTES_MAX, LARGE_BODIES_BYTES_MAX, SMALL_BODY_BYTES_MAX } from '@access-admin/contract';
import { concludeWithError } from '@access-admin/domain';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../listen.ts';
import { openTestApi, type TestApi, WORLD } from '../test-api.ts';

const PREDICT = '/sod-violations/v1/predict';
const CHECK = '/sod-violations/v1/check';
const MEGABYTE = 1_000_000;

async function openWorld() {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  return api;
}

/** The check queue of a store, with a smaller backlog limit. */
function limitBacklog({ store }: TestApi, backlogMax: number): void {
  const { enqueue } = store.checks;
  Object.assign(store.checks, { enqueue: (check: Parameters<typeof enqueue>[0]) => enqueue(check, backlogMax) });
}

const claim = ({ store, clock }: TestApi, limit: number) =>
  store.checks.claim({ nowMs: clock.nowMs, leaseMs: 1000, limit });

describe('1 MB of refs', () => {
  test.each([
    ['that are many', () => Array(MEGABYTE / 25).fill({ type: 'ENTITLEMENT', id: 'e-report' })],
    ['that is one with a long id', () => [{ type: 'ENTITLEMENT', id: 'x'.repeat(MEGABYTE) }]],
    ['that are numbers', () => Array(MEGABYTE / 2).fill(1)],
  ])('predict and check refuse %s with 413 and store nothing', async (_, refs) => {
    const api = await openWorld();
    const body = JSON.stringify({ identityId: 'i-cleo', accessRefs: refs() });
    expect(body.length).toBeGreaterThan(MEGABYTE - 100);
    for (const path of [PREDICT, CHECK]) {
      const answer = await api.call('POST', path, { body });
      expect([path, answer.status, answer.json.detailCode]).toEqual([path, 413, '413']);
    }
    expect((await api.store.checks.measureBacklog()).depth).toBe(0);
  });

  test.each([
    ['unknown ids, as long as the body allows', 500, (at: number) => `${at}-`.padEnd(480, 'x'), '400.1.404'],
    ['more refs than are accepted, as many as the body allows', 8000, () => '', '400.1.4'],
  ])('after a reduction to %s the answer is short and repeats no long value', async (_, count, idOf, code) => {
    const { call } = await openWorld();
    const accessRefs = Array.from({ length: count }, (_, at) => ({ type: 'ROLE', id: idOf(at) }));
    const body = JSON.stringify({ identityId: 'i-cleo', accessRefs });
    expect(body.length).toBeGreaterThan(190_000);
    const answer = await call('POST', CHECK, { body });
    expect([answer.status, answer.json.detailCode]).toEqual([400, code]);
    expect(answer.text).not.toContain('xxxxx');
    expect(answer.text.length).toBeLessThan(150_000);
  });

  test('10,000 assignments of one identity are stored without repetition, and predictions use them', async () => {
    const { call, importRecords } = await openWorld();
    const access = Array(10_000).fill({ type: 'ROLE', id: 'r-buyer' });
    const held = { kind: 'identity', id: 'i-many', uid: 'm', identityProfile: 'ip-emp', access };
    expect((await importRecords([held])).status).toBe(200);
    const exported = (await call('GET', '/access-model/v1/export')).text.split('\n');
    const [line = ''] = exported.filter((text) => text.includes('"i-many"'));
    expect(JSON.parse(line).access).toEqual([{ type: 'ROLE', id: 'r-buyer' }]);
    const body = { identityId: 'i-many', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-pay' }] };
    expect((await call('POST', PREDICT, { body })).json.violationContexts).toHaveLength(1);
  });

  test('bodies of tens of kilobytes that arrive at once are parsed one per turn of the event loop', async () => {
    const { call } = await openWorld();
    const ref = { type: 'ENTITLEMENT', id: 'e-report', start: '2026-01-01T00:00:00Z', end: '2027-01-01T00:00:00Z' };
    const body = JSON.stringify({ identityId: 'i-cleo', accessRefs: Array(500).fill(ref) });
    expect(body.length).toBeGreaterThan(45_000);
    expect(body.length).toBeLessThan(SMALL_BODY_BYTES_MAX);
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const answers = await Promise.all(Array.from({ length: 100 }, () => call('POST', PREDICT, { body })));
    isOver = true;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(turns).toBeGreaterThan(100);
  });

  test('500 refs to a few items get the same answer as each item once', async () => {
    const { call } = await openWorld();
    const few = ['e-pay', 'e-report'].map((id) => ({ type: 'ENTITLEMENT', id }));
    const many = Array.from({ length: 500 }, (_, at) => few[at % 2]);
    const predict = async (accessRefs: unknown) =>
      (await call('POST', PREDICT, { body: { identityId: 'i-cleo', accessRefs } })).text;
    expect(await predict(many)).toBe(await predict(few));
  });
});

describe('a flood for the same identity', () => {
  test('of predictions gets the same answer every time', async () => {
    const { call } = await openWorld();
    const body = { identityId: 'i-cleo', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-pay' }] };
    const answers = await Promise.all(Array.from({ length: 300 }, () => call('POST', PREDICT, { body })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test('of checks is accepted completely, each with its own id, and each is claimed once', async () => {
    const api = await openWorld();
    const body = { identityId: 'i-cleo', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-pay' }] };
    const answers = await Promise.all(Array.from({ length: 200 }, () => api.call('POST', CHECK, { body })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const ids = answers.map(({ json }) => json.requestId as string);
    const claimed = [...(await claim(api, 150)), ...(await claim(api, 150))].map(({ requestId }) => requestId);
    expect(claimed.sort()).toEqual([...new Set(ids)].sort());
    expect(claimed).toHaveLength(200);
  });

  test('of patches loses no patch and fails no concurrent prediction', async () => {
    const { call } = await openWorld();
    const wanted = ['CERT_ADMIN', 'HELPDESK', 'REPORT_ADMIN', 'ROLE_ADMIN', 'SOURCE_ADMIN', 'POLICY_ADMIN'];
    const patches = wanted.map((value) => ({ body: [{ op: 'add', path: '/capabilities/-', value }] }));
    const body = { identityId: 'i-cleo', accessRefs: [] };
    const [patched, predicted] = await Promise.all([
      Promise.all(patches.map((patch) => call('PATCH', '/auth-users/v1/i-cleo', patch))),
      Promise.all(Array.from({ length: 50 }, () => call('POST', PREDICT, { body }))),
    ]);
    expect(patched.map(({ status }) => status)).toEqual(wanted.map(() => 200));
    expect(predicted.filter(({ status }) => status !== 200)).toEqual([]);
    const { capabilities } = (await call('GET', '/auth-users/v1/i-cleo')).json;
    expect([...capabilities].sort()).toEqual([...wanted].sort());
  });

  test('of patches that all add the same capability is 200 once, and then 400.1.3', async () => {
    const { call } = await openWorld();
    const body = [{ op: 'add', path: '/capabilities/-', value: 'CERT_ADMIN' }];
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('PATCH', '/auth-users/v1/i-cleo', { body })),
    );
    const codes = answers.map(({ status, json }) => (status === 200 ? 'done' : json.detailCode)).sort();
    expect(codes).toEqual([...Array(19).fill('400.1.3'), 'done']);
  });
});

describe('one tenant cannot starve others', () => {
  async function openTwoTenants() {
    const api = await openWorld();
    const other = await api.clientToken({ tenant: 'other' });
    await api.importRecords(WORLD, other);
    const body = { identityId: 'i-cleo', accessRefs: [] };
    const check = (token?: string) => api.call('POST', CHECK, token === undefined ? { body } : { body, token });
    return { api, other, check };
  }

  test('with a full backlog gets 429 with Retry-After for checks; other tenants get 202', async () => {
    const { api, other, check } = await openTwoTenants();
    limitBacklog(api, 3);
    const statuses = [];
    for (let at = 0; at < 5; at++) statuses.push((await check()).status);
    expect(statuses).toEqual([202, 202, 202, 429, 429]);
    const refused = await check();
    expect([refused.json.detailCode, refused.headers.get('retry-after')]).toEqual(['429', '5']);
    expect((await check(other)).status).toBe(202);
    const predicted = await api.call('POST', PREDICT, { body: { identityId: 'i-cleo', accessRefs: [] } });
    expect(predicted.status).toBe(200);
    const [first] = await claim(api, 1);
    if (first === undefined) throw new Error('nothing to claim');
    const { result } = concludeWithError({ clientMetadata: null }, '');
    const completed = new Date(api.clock.nowMs).toISOString();
    await api.store.checks.complete([{ ...first, completed, state: 'SUCCESS', result }]);
    expect((await check(first.tenant === 'other' ? other : undefined)).status).toBe(202);
  });

  test('with a long queue does not delay a later check of another tenant', async () => {
    const { api, other, check } = await openTwoTenants();
    await Promise.all(Array.from({ length: 250 }, () => check()));
    const { requestId } = (await check(other)).json;
    const next = await claim(api, 100);
    expect(next.map((claimed) => claimed.requestId)).toContain(requestId);
  });

  test('with a flood of waits for results causes a few reads for each commit, not one for each wait', async () => {
    const { api, other, check } = await openTwoTenants();
    const { checks } = api.store;
    const { requestId } = (await check()).json;
    const { find } = checks;
    let reads = 0;
    Object.assign(checks, {
      find: (...place: Parameters<typeof find>) => {
        reads += 1;
        return find(...place);
      },
    });
    const headers = { prefer: 'wait=30' };
    const waiting = Array.from({ length: 200 }, () => api.call('GET', `${CHECK}/${requestId}`, { headers }));
    await expect.poll(() => reads).toBeGreaterThanOrEqual(200);
    for (let at = 0; at < 10; at++) expect((await check(other)).status).toBe(202);
    expect(reads).toBeLessThan(250);
    const claimed = await claim(api, 100);
    const { result } = concludeWithError({ clientMetadata: null }, '');
    const completed = new Date(api.clock.nowMs).toISOString();
    await checks.complete(claimed.map((one) => ({ ...one, completed, state: 'SUCCESS' as const, result })));
    const states = (await Promise.all(waiting)).map(({ json }) => json.state);
    expect(new Set(states)).toEqual(new Set(['SUCCESS']));
    expect(reads).toBeLessThan(250);
  });

  test('with a flood of requests gets 429 for the flooding client only', async () => {
    const api = await openTestApi({ rateLimit: { requests: 5, windowSeconds: 10 } });
    const flooding = await api.clientToken();
    const beside = await api.clientToken();
    const other = await api.clientToken({ tenant: 'other' });
    const get = async (token: string) => (await api.call('GET', '/oauth-clients/v1', { token })).status;
    const flood = await Promise.all(Array.from({ length: 50 }, () => get(flooding)));
    expect(flood.filter((status) => status === 200)).toHaveLength(5);
    expect(flood.filter((status) => status === 429)).toHaveLength(45);
    expect([await get(beside), await get(other), await get(flooding)]).toEqual([200, 200, 429]);
  });
});

describe('large bodies that arrive at the same time', () => {
  /** A busy machine takes seconds for 64 MiB. */
  const PATIENT = { timeout: 20_000 };
  /** Sends an import of blank lines without its last bytes; resolves with the response. */
  async function send(port: number, token: string, { leavesOut, length }: { leavesOut: number; length: number }) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    const head = [
      'POST /access-model/v1/import HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/x-ndjson',
      `Content-Length: ${length}`,
    ];
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const isTaken = socket.write(`${' '.repeat(99)}\n`.repeat(length / 100).slice(leavesOut)) || once(socket, 'drain');
    await isTaken;
    return { socket, text: () => text };
  }
  /** Too large for one packet. */
  const MEDIUM = { leavesOut: 0, length: 1_000_000 };
  const LARGEST = { leavesOut: 0, length: IMPORT_BODY_BYTES_MAX - (IMPORT_BODY_BYTES_MAX % 100) };
  const REFUSED =
    /^HTTP\/1\.1 503 .*retry-after: 1\r\n.*"Too many large bodies are being processed: try again later\."/is;

  test('share 64 MiB: a tenant that has its part is refused with Retry-After, and no other one', async () => {
    const api = await openTestApi();
    const port = await listen(api.app);
    const token = await api.rootToken();
    const other = await api.clientToken({ tenant: 'other' });
    const count = LARGE_BODIES_BYTES_MAX / 2 / IMPORT_BODY_BYTES_MAX;
    const sendSlowly = () => send(port, token, { ...LARGEST, leavesOut: 100 });
    const slow = await Promise.all(Array.from({ length: count }, sendSlowly));
    /** A slow body is refused if its last bytes arrive while a smaller one holds the room. */
    const sendRefusedAgain = async () => {
      const refused = [...slow.keys()].filter((at) => slow[at]?.text() !== '');
      for (const at of refused) slow[at] = await sendSlowly();
      return refused.length > 0;
    };
    // The bytes that the slow senders have sent must have arrived.
    await expect
      .poll(async () => {
        if (await sendRefusedAgain()) return 'sent again';
        const { text } = await send(port, token, MEDIUM);
        await expect.poll(text, PATIENT).not.toBe('');
        return text();
      }, PATIENT)
      .toMatch(REFUSED);
    const small = await send(port, token, { leavesOut: 0, length: 1_000 });
    await expect.poll(small.text, PATIENT).toMatch(/^HTTP\/1\.1 200 /);
    const beside = await send(port, other, LARGEST);
    await expect.poll(beside.text, PATIENT).toMatch(/^HTTP\/1\.1 200 /);
    expect(slow.map(({ text }) => text())).toEqual(slow.map(() => ''));
    for (const { socket } of slow) socket.destroy();
    const freed = async () => {
      const { text } = await send(port, token, MEDIUM);
      await expect.poll(text, PATIENT).not.toBe('');
      return text();
    };
    await expect.poll(freed, PATIENT).toMatch(/^HTTP\/1\.1 200 /);
  });
});
