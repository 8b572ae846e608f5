import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { PUBLISHED_LIMITS } from '@access-admin/contract';
import { Hono } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ApiEnv } from '../src/env.ts';
import { withContext } from '../src/middleware/context.ts';
import { CONNECTION_LIMITS } from '../src/server/serve.ts';
import type { Services } from '../src/services.ts';
import { streamJson } from '../src/streaming/stream-json.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';
import { listen } from './listen.ts';
import { openTestApi, WORLD } from './test-api.ts';

const LARGE = 'x'.repeat(64 * 2 ** 20);
/** Bytes read per tenth of a second: the whole response takes four seconds. */
const LARGE_STEP = 1.6 * 2 ** 20;
const PIECE = 'x'.repeat(65_536);
/** Checks so often that a test need not wait for them. */
const QUICK = { checkEveryMs: 100 };

/** Answers four paths: at once, on an event, with a large body, and with an endless body. */
function createEndlessApp(late = new EventEmitter()): Hono<ApiEnv> {
  const services = {
    config: { baseAddress: 'http://127.0.0.1', logLevel: 'info' },
    system: { elapsed: () => 0, newTrackingId: () => 'request-1' },
    log: { request: () => {}, error: () => {} },
    metrics: { observe: () => {}, countAbortedUpload: () => {} },
    tracing: null,
    stopping: new AbortController().signal,
    scheduler: { yield: async () => {} },
    jobs: { pauseOf: () => () => {}, yieldIfDue: () => undefined },
    turnOfLoop: () => 0,
  };
  const app = new Hono<ApiEnv>()
    .get('/', (c) => c.body('here'))
    .get('/late', (c) => once(late, 'answer').then(() => c.body('at last')))
    .get('/large', (c) => streamJson(c, LARGE, { connection: 'close' }))
    .get('/endless', (c) => streamJson(c, { pieces: endlessPieces() }));
  app.fetch = withContext(app.fetch, services as unknown as Services);
  return app;
}

async function* endlessPieces(): AsyncGenerator<string> {
  for (;;) yield PIECE;
}

function watch() {
  const measureBacklog = async () => ({ depth: 0, oldest: null });
  const queue = { measureBacklog, countCorrected: async () => 0 };
  const measureStorage = async () => ({ databaseBytes: 0, disk: null });
  const store = {
    checks: queue,
    reports: queue,
    register: queue,
    webhooks: queue,
    measureStorage,
  };
  const metrics = createMetrics({ store, stdout: { lostCount: () => 0 }, now: Date.now });
  const warnings: object[] = [];
  const counted = async (name: string) =>
    Number(new RegExp(`^access_admin_${name} (\\d+)$`, 'm').exec((await metrics.render()).text)?.[1]);
  return { metrics, warnings, counted, log: { warn: (fields: object) => warnings.push(fields) } };
}

/** Connects and sends; reads the response unless the socket is paused. */
function send(port: number, text: string): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(text);
  return socket;
}

const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));
const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe('a connection', () => {
  test('is closed when its response is not read', async () => {
    const { metrics, log, counted } = watch();
    const port = await listen(createEndlessApp(), { metrics, log, limits: { ...QUICK, stalledChecksMax: 1 } });
    const socket = send(port, GET('/endless'));
    await once(socket, 'data');
    socket.pause();
    await expect.poll(() => counted('cut_connections_total')).toBe(1);
    await expect.poll(() => counted('open_connections')).toBe(0);
  });

  test('is reset when it reads its response too slowly, and a log line says so', async () => {
    const { metrics, log, warnings, counted } = watch();
    const limits = { ...QUICK, rateChecks: 1, rateBytesMin: 2 ** 40 };
    const port = await listen(createEndlessApp(), { metrics, log, limits });
    const socket = send(port, GET('/endless'));
    socket.on('data', () => socket.pause());
    const resuming = setInterval(() => socket.resume(), 50);
    await closed(socket);
    clearInterval(resuming);
    expect(await counted('cut_connections_total')).toBe(1);
    expect(warnings).toEqual([{ reason: 'slow', answers: 1, trackingIds: ['request-1'] }]);
  });

  test('is reset when a response takes too long altogether, however fast it is read', async () => {
    const { metrics, log, warnings } = watch();
    const port = await listen(createEndlessApp(), { metrics, log, limits: { ...QUICK, answerChecksMax: 1 } });
    await closed(send(port, GET('/endless')).resume());
    expect(warnings).toEqual([{ reason: 'overdue', answers: 1, trackingIds: ['request-1'] }]);
  });

  test('is not closed while it reads a long response', async () => {
    const { metrics, log, counted } = watch();
    const port = await listen(createEndlessApp(), {
      metrics,
      log,
      limits: { ...QUICK, stalledChecksMax: 1, idleChecksMax: 1 },
    });
    const idle = send(port, '');
    const busy = send(port, GET('/endless')).resume();
    await closed(idle);
    expect([busy.destroyed, await counted('cut_connections_total')]).toEqual([false, 1]);
  });

  test('is not closed while it waits for its response', async () => {
    const { metrics, log, counted } = watch();
    const late = new EventEmitter();
    const port = await listen(createEndlessApp(late), { metrics, log, limits: { ...QUICK, idleChecksMax: 1 } });
    const idle = send(port, '');
    const waiting = send(port, GET('/late'));
    await closed(idle);
    const later = send(port, '');
    await closed(later);
    expect([waiting.destroyed, await counted('cut_connections_total')]).toEqual([false, 2]);
    late.emit('answer');
    expect(String((await once(waiting, 'data'))[0])).toContain('at last');
  });

  test('is not closed while it slowly reads a response of one large piece', async () => {
    const { metrics, log, counted } = watch();
    const port = await listen(createEndlessApp(), { metrics, log, limits: { stalledChecksMax: 1 } });
    const socket = send(port, GET('/large'));
    let taken = 0;
    socket.on('data', (chunk) => {
      taken += chunk.length;
      if (taken % LARGE_STEP < chunk.length) socket.pause();
    });
    const resuming = setInterval(() => socket.resume(), 100);
    await closed(socket);
    clearInterval(resuming);
    expect([taken > LARGE.length, await counted('cut_connections_total')]).toEqual([true, 0]);
  });

  test('is closed when it sends only empty lines, which HTTP ignores', async () => {
    const { metrics, log, counted } = watch();
    const port = await listen(createEndlessApp(), { metrics, log, limits: { ...QUICK, idleChecksMax: 1 } });
    const socket = send(port, GET('/')).resume();
    await once(socket, 'data');
    const sending = setInterval(() => socket.write('\r\n'), 50);
    await closed(socket);
    clearInterval(sending);
    expect(await counted('cut_connections_total')).toBe(1);
  });
});

describe('requests that are sent ahead of the answer to an earlier one', () => {
  test('are answered up to 256; with one more the connection is reset', async () => {
    const { metrics, log, counted } = watch();
    const late = new EventEmitter();
    const port = await listen(createEndlessApp(late), { metrics, log });
    const patient = send(port, GET('/late').repeat(256) + GET('/').repeat(300));
    const greedy = send(port, GET('/late').repeat(258));
    await closed(greedy);
    expect([patient.destroyed, await counted('cut_connections_total')]).toEqual([false, 1]);
    let text = '';
    patient.on('data', (chunk) => {
      text += chunk;
    });
    late.emit('answer');
    await expect.poll(() => text.match(/HTTP\/1\.1 200/g)?.length).toBe(556);
  });
});

test('the limits of a process are the published ones', () => {
  const published = (limit: 'connections' | 'untakenTime' | 'answerTime' | 'idleTime') =>
    Number.parseInt(PUBLISHED_LIMITS[limit].most.replaceAll(',', ''), 10);
  const { checkEveryMs, connectionsMax, stalledChecksMax, answerChecksMax, idleChecksMax } = CONNECTION_LIMITS;
  const secondsOf = (checks: number) => (checks * checkEveryMs) / 1000;
  expect(connectionsMax).toBe(published('connections'));
  expect(secondsOf(stalledChecksMax)).toBe(published('untakenTime'));
  expect(secondsOf(answerChecksMax)).toBe(published('answerTime'));
  // Node closes an idle connection at the published time: the look that comes after it finds those that Node spares.
  expect(secondsOf(idleChecksMax)).toBe(published('idleTime') + 1);
});

describe('connections above the limit', () => {
  test('are closed without reading, counted, and logged in one line', async () => {
    const { metrics, log, warnings, counted } = watch();
    const port = await listen(createEndlessApp(), { metrics, log, limits: { ...QUICK, connectionsMax: 2 } });
    const held = [send(port, GET('/')), send(port, GET('/'))];
    for (const socket of held) await once(socket, 'data');
    const refused = [send(port, GET('/')).resume(), send(port, GET('/')).resume(), send(port, GET('/')).resume()];
    await Promise.all(refused.map(closed));
    expect(refused.map((socket) => socket.bytesRead)).toEqual([0, 0, 0]);
    expect([await counted('refused_connections_total'), await counted('open_connections')]).toEqual([3, 2]);
    await expect.poll(() => warnings).toEqual([{ refused: 3, connectionsMax: 2 }]);
    held[0]?.destroy();
    await expect.poll(() => counted('open_connections')).toBe(1);
    expect(String((await once(send(port, GET('/')), 'data'))[0])).toContain('here');
  });
});

describe('an aborted upload', () => {
  test.each([
    ['predict', '/sod-violations/v1/predict', 'application/json'],
    ['an import', '/access-model/v1/import', 'application/x-ndjson'],
    ['a request for a token', '/oauth/token', 'application/x-www-form-urlencoded'],
  ])('is counted and not logged: %s', async (_, path, type) => {
    const { app, metrics, lines, importRecords, rootToken } = await openTestApi();
    await importRecords(WORLD);
    const port = await listen(app);
    const token = await rootToken();
    const before = lines.length;
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}`;
    const reading = new Promise<Socket>((resolve) => {
      const socket = send(port, `${head}\r\nExpect: 100-continue\r\nContent-Length: 5000\r\n\r\n`);
      socket.once('data', () => socket.write('{"identityId', () => resolve(socket)));
    });
    (await reading).resetAndDestroy();
    const counted = async () => /^access_admin_aborted_uploads_total (\d+)$/m.exec((await metrics.render()).text)?.[1];
    await expect.poll(counted).toBe('1');
    expect(lines.slice(before)).toEqual([]);
  });
});
