import { once } from 'node:events';
import { connect } from 'node:net';
import { REQUEST_WORK_SECONDS_MAX } from '@access-admin/contract';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DeadlineExceeded } from '../src/event-loop/deadline.ts';
import { listen } from './listen.ts';
import { openTestApi, WORLD } from './test-api.ts';

const PREDICT = '/sod-violations/v1/predict';
const REQUEST = { identityId: 'i-cleo', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-pay' }] };
const WORK_MS = REQUEST_WORK_SECONDS_MAX * 1000;

/** An explanation takes a time on the clock; the first `quick` ones take none. */
async function openWorld(takesMs: number, quick = 0) {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  const { readExplanation } = api.store.sod;
  let reads = 0;
  Object.assign(api.store.sod, {
    readExplanation: (...asked: Parameters<typeof readExplanation>) => {
      if (reads++ >= quick) api.clock.nowMs += takesMs;
      return readExplanation.apply(api.store.sod, asked);
    },
  });
  return api;
}

const NAMES_THE_LIMIT = 'The work on a request may take at most 30 s';

describe('a request whose work takes longer than 30 s', () => {
  test('is refused with Retry-After; the answer names the limit, the log the deadline', async () => {
    const { call, lines, rootToken } = await openWorld(WORK_MS);
    await rootToken();
    const answer = await call('POST', `${PREDICT}?include=via`, { body: REQUEST });
    expect([answer.status, answer.json.detailCode, answer.headers.get('retry-after')]).toEqual([503, '503', '10']);
    expect(answer.json.causes[0].text).toContain(NAMES_THE_LIMIT);
    expect(lines.at(-1)?.fields).toMatchObject({ status: 503, detailCode: '503', reason: 'deadline' });
    expect(lines.filter(({ message }) => message === 'bug')).toEqual([]);
  });

  test('is answered if it ends in time', async () => {
    const { call } = await openWorld(WORK_MS - 1);
    expect((await call('POST', `${PREDICT}?include=via`, { body: REQUEST })).status).toBe(200);
  });

  test('keeps the answers of a batch that were found in time; each of the others is refused', async () => {
    const { call } = await openWorld(WORK_MS, 2);
    const headers = { 'content-type': 'application/x-ndjson' };
    const body = Array.from({ length: 5 }, () => JSON.stringify(REQUEST)).join('\n');
    const answer = await call('POST', `${PREDICT}/batch?include=via`, { headers, body });
    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ index, status }) => [index, status])).toEqual(
      [200, 200, 503, 503, 503].map((status, at) => [at, status]),
    );
    expect(lines[4].body.causes[0].text).toContain(NAMES_THE_LIMIT);
  });

  test('is refused in its turn, whatever was sent behind it', async () => {
    const { app, rootToken } = await openWorld(WORK_MS);
    const token = await rootToken();
    const body = JSON.stringify(REQUEST);
    const socket = connect(await listen(app), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const head = `POST ${PREDICT}?include=via HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}`;
    const request = `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    socket.write(`${request}${'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3)}`);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    await expect
      .poll(() => text.match(/HTTP\/1\.1 \d+/g))
      .toEqual(['503', '200', '200', '200'].map((each) => `HTTP/1.1 ${each}`));
  });
});

test('an answer that has begun is reset, and the log names the deadline', async () => {
  const api = await openTestApi();
  Object.assign(api.store.audit, {
    async *export() {
      yield { text: 'x'.repeat(100_000) };
      throw new DeadlineExceeded();
    },
  });
  const token = await api.rootToken();
  const socket = connect(await listen(api.app), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(`GET /audit-events/v1/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  const [error] = await once(socket, 'error');
  expect(error).toMatchObject({ code: 'ECONNRESET' });
  expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
  await expect
    .poll(() => api.lines.at(-1)?.fields)
    .toMatchObject({ status: 200, detailCode: '503', reason: 'deadline' });
});
