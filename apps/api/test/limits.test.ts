import { once } from 'node:events';
import { connect } from 'node:net';
import { CHECK_BACKLOG_MAX, PUBLISHED_LIMITS } from '@access-admin/contract';
import { describe, expect, test } from 'vitest';
import { criteria, items, type Limit, ref, TRIALS } from './limit-trials.ts';
import { listen } from './listen.ts';
import { shareTestApi } from './share-test-api.ts';
import { openTestApi, type TestAnswer, type TestApi, WORLD } from './test-api.ts';

const KIB = 1024;
const EXPERIMENTAL = { 'x-service-experimental': 'true' };
const USER = '/auth-users/v1/i-cleo';
const PREDICT = '/sod-violations/v1/predict';
const CHECK = '/sod-violations/v1/check';

const request = { identityId: 'i-cleo', accessRefs: [ref] };

/** Limits that have a test of their own: below, or in the named file. */
const TRIED_ELSEWHERE: Partial<Record<Limit, string>> = {
  url: 'serve.test.ts, on a real socket, and http.test.ts',
  headers: 'below',
  pageLimit: 'below',
  headersTime: 'slow-senders.process.test.ts',
  requestTime: 'slow-senders.process.test.ts',
  untakenTime: 'connections.test.ts, with a small limit',
  answerRate: 'connections.test.ts and src/server/connection-watch.test.ts, with a small limit',
  answerTime: 'connections.test.ts and src/server/connection-watch.test.ts, with a small limit',
  idleTime: 'connections.test.ts, with a small limit',
  requestWork: 'deadline.test.ts',
  pipelined: 'connections.test.ts',
  largeBodies: 'abuse/load.test.ts',
  explainedAtOnce: 'explained-slots.test.ts',
  explainedWaiting: 'src/process/semaphores.test.ts',
  explainedWait: 'src/process/semaphores.test.ts',
  countsAtOnce: 'src/process/semaphores.test.ts',
  countsWaiting: 'src/process/semaphores.test.ts',
  countWait: 'src/process/semaphores.test.ts',
  eventsLimit: 'events.test.ts',
  eventStreams: 'events.test.ts, for two tenants',
  webhookReplays: 'webhooks.test.ts',
  eventBytes: 'src/routes/events/stream.test.ts, with a small limit',
  exports: 'exports.test.ts',
  exportReads: 'exports.test.ts',
  exportSpool: 'src/exports/relay.test.ts, with a small limit',
  waitingSecrets: 'abuse/token-requests.test.ts',
  explainingBundles:
    'packages/store/test/suite/explain-suite.ts, with a small limit, and apps/worker/test/bounded-check.test.ts',
  explainingAdvice:
    'packages/store/test/suite/explain-suite.ts, with a small limit, and apps/worker/test/bounded-check.test.ts',
  predictedContexts: 'packages/domain/src/predictions/answer-json.test.ts',
  explainedContexts: 'packages/domain/src/predictions/answer-json.test.ts',
  checkContexts: 'packages/domain/test/large-check.test.ts',
  signInSample: 'packages/domain/src/administration/sign-in/dry-run.test.ts',
  checkResult: 'packages/domain/test/large-check.test.ts',
  checkWork: 'apps/worker/src/checks/conclude.test.ts',
  longChecks: 'apps/worker/src/checks/conclude.test.ts',
  largeResults: 'src/routes/checks/answer.test.ts, with a small limit',
  reportWork: 'apps/worker/test/shares.test.ts',
  reportExceptions: 'apps/worker/test/shares.test.ts',
  reportTimed: 'apps/worker/test/shares.test.ts',
  reportsAtOnce: 'apps/worker/test/shares.test.ts',
  webhookAttempts: 'packages/scheduling/src/semaphore/semaphore.test.ts, with a small limit',
  webhookLargeEvents: 'packages/scheduling/src/semaphore/semaphore.test.ts, with a small limit',
  webhookTime: 'apps/worker/src/webhooks/send.test.ts, with a short time',
  webhookAnswer: 'apps/worker/src/webhooks/send.test.ts',
  webhookRetries: 'apps/worker/src/webhooks/conclude.test.ts',
  callerId: 'external-issuer.test.ts',
  openReports: 'sod-reports.test.ts',
  keptReports: 'apps/worker/test/reports.test.ts',
  reportTime: 'apps/worker/test/reports.test.ts',
  predictBatch: 'predict-batch.test.ts',
  batchBody: 'predict-batch.test.ts',
  webhooks: 'webhooks.test.ts',
  exceptionWindow: 'sod-exceptions.test.ts',
  justification: 'sod-exceptions.test.ts',
  decisionComment: 'sod-exceptions.test.ts',
  connections: 'connections.test.ts',
  preferWait: 'below',
  causes: 'below',
  importWarnings: 'below',
  backlog: 'abuse/load.test.ts, with a small limit; the size of the real one below',
  rate: 'http.test.ts',
  pageRate: 'pages.test.ts',
  loginsOfAddress: 'sign-in.test.ts',
  loginsOfUsername: 'sign-in.test.ts',
};

async function prepare(api: TestApi) {
  await api.importRecords(WORLD);
  return api;
}

const openWorld = async () => prepare(await openTestApi());

/** The published status and code for exceeding a limit. */
function publishedRefusal(limit: Limit): readonly [number, string] {
  const [, status, code = ''] = /^(\d{3}) `([^`]+)`$/.exec(PUBLISHED_LIMITS[limit].over) ?? [];
  return [Number(status), code];
}

const codeOf = ({ json }: TestAnswer) => json?.detailCode ?? json?.error;

test('every published limit is tested at the limit and one above, with the published number', () => {
  const tried = new Set<string>([...TRIALS.map(({ limit }) => limit), ...Object.keys(TRIED_ELSEWHERE)]);
  expect([...tried].sort()).toEqual(Object.keys(PUBLISHED_LIMITS).sort());
  for (const { limit, most } of TRIALS)
    expect(PUBLISHED_LIMITS[limit].most.replaceAll(',', '').split(/[^\d]+/)).toContain(String(most));
});

describe('a request is accepted at the limit and refused as published one above it', () => {
  const world = shareTestApi(prepare);

  test.each(
    TRIALS.map(
      (one) => [PUBLISHED_LIMITS[one.limit].what, one.name, one.most, PUBLISHED_LIMITS[one.limit].over, one] as const,
    ),
  )('%s (%s): %i is accepted, one more is %s', async (_, __, most, ___, { limit, send: sending, atTheLine }) => {
    const api = world();
    const accepted = await sending(api, most);
    if (atTheLine === undefined) expect(accepted.status, accepted.text).toBeLessThan(300);
    else expect([accepted.status, codeOf(accepted)]).toEqual(atTheLine);
    const refused = await sending(api, most + 1);
    expect([refused.status, codeOf(refused)]).toEqual(publishedRefusal(limit));
  });
});

test('a page of a list has up to 250 rows and a link to the next; 251 is 400.1.3', async () => {
  const { call, importRecords } = await openTestApi();
  await importRecords(Array.from({ length: 251 }, (_, at) => ({ kind: 'identityProfile', id: `ip-${at}`, name: 'N' })));
  const get = (query: string) => call('GET', `/auth-profiles/v1${query}`, { headers: EXPERIMENTAL });
  for (const query of ['', '?limit=250']) {
    const page = await get(query);
    expect([page.status, page.json.length, page.headers.get('link')]).toEqual([
      200,
      250,
      expect.stringContaining('limit=250&offset=250'),
    ]);
  }
  expect((await get('?limit=250&offset=250')).json).toHaveLength(1);
  const over = await get('?limit=251');
  expect([over.status, codeOf(over)]).toEqual(publishedRefusal('pageLimit'));
});

test('`Prefer: wait`: 30 s are granted, more are reduced to 30 s, and the response says so', async () => {
  const { call, stopping } = await openWorld();
  const { requestId } = (await call('POST', CHECK, { body: request })).json;
  // A stopping service answers at once and names the granted wait.
  stopping.abort();
  for (const [wait, granted] of [
    [29, 29],
    [30, 30],
    [31, 30],
    [999_999_999, 30],
  ]) {
    const { headers } = await call('GET', `${CHECK}/${requestId}`, { headers: { prefer: `wait=${wait}` } });
    expect([wait, headers.get('preference-applied')]).toEqual([wait, `wait=${granted}`]);
  }
});

test('an error has the first 20 causes of a patch or an import, and all unknown access refs', async () => {
  const { call, importRecords } = await openWorld();
  const causesOf = ({ status, json }: TestAnswer) => [status, json.causes.length];
  const patch = (count: number) => call('PATCH', USER, { body: Array(count).fill({ op: 'x', path: '/capabilities' }) });
  const lines = (count: number) => importRecords(Array(count).fill({ kind: 'entitlement', id: 'e' }));
  const unknown = (count: number) =>
    call('POST', PREDICT, {
      body: { identityId: 'i-cleo', accessRefs: Array(count).fill({ type: 'ROLE', id: 'r-no' }) },
    });
  for (const refused of [patch, lines]) {
    expect(causesOf(await refused(20))).toEqual([400, 20]);
    expect(causesOf(await refused(21))).toEqual([400, 20]);
  }
  expect(causesOf(await unknown(21))).toEqual([400, 21]);
});

test('an import returns the first 100 warnings', async () => {
  const { importRecords } = await openWorld();
  const warnings = async (count: number) => {
    // Unknown items beside one existing item a side; not enforced, so that there are no other findings.
    const lost = items(count);
    const policyOf = (id: string, left: readonly object[], right: readonly object[]) => ({
      ...criteria({ criteriaList: [...left, ref] }, { criteriaList: [...right, { ...ref, id: 'e-vendor' }] }),
      id,
      state: 'NOT_ENFORCED',
    });
    const policies = [
      policyOf('p-new', lost.slice(0, 49), lost.slice(49, 98)),
      policyOf('p-newer', lost.slice(98), []),
    ];
    return (await importRecords(policies)).json.warnings.length;
  };
  expect([await warnings(99), await warnings(100), await warnings(101)]).toEqual([99, 100, 100]);
});

test('the backlog limit of checks is the published one', async () => {
  const { call, store } = await openWorld();
  const limits: number[] = [];
  const { enqueue } = store.checks;
  Object.assign(store.checks, {
    enqueue: (...[check, backlogMax]: Parameters<typeof enqueue>) => {
      limits.push(backlogMax);
      return enqueue(check, backlogMax);
    },
  });
  expect((await call('POST', CHECK, { body: request })).status).toBe(202);
  expect(limits).toEqual([CHECK_BACKLOG_MAX]);
  expect(PUBLISHED_LIMITS.backlog.most).toBe('100,000');
});

test('headers and target may have 16 KiB together; more is 431 without a body', async () => {
  const { app } = await openTestApi();
  const port = await listen(app);
  const exchange = async (bytes: number) => {
    const head = { target: '/healthz', names: 'HostConnectionX-Pad', values: 'xclose' };
    const pad = 'x'.repeat(bytes - Object.values(head).join('').length);
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => {});
    socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Pad: ${pad}\r\n\r\n`);
    await once(socket, 'close');
    return answer;
  };
  expect(await exchange(16 * KIB)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await exchange(16 * KIB + 1)).toMatch(/^HTTP\/1\.1 431 [\s\S]*\r\n\r\n$/);
});
