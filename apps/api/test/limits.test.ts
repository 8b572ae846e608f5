import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
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

/** Limits that have a test of their own: its file, and its title or that of its group. */
const TRIED_ELSEWHERE: Partial<Record<Limit, readonly [file: string, title: string]>> = {
  url: ['apps/api/test/http.test.ts', 'to a request target over 2 KiB are 414 without a body'],
  pageUrl: ['apps/api/test/http.test.ts', 'to a page may have a target of up to 8 KiB'],
  headers: ['apps/api/test/limits.test.ts', 'headers and target may have 48 KiB together; more is 431 without a body'],
  pageLimit: [
    'apps/api/test/limits.test.ts',
    'a page of a list has up to 250 rows and a link to the next; 251 is 400.1.3',
  ],
  headersTime: [
    'apps/api/test/slow-senders.process.test.ts',
    'senders who never end headers, or a body, are answered with 408 and cut off',
  ],
  requestTime: [
    'apps/api/test/slow-senders.process.test.ts',
    'senders who never end headers, or a body, are answered with 408 and cut off',
  ],
  untakenTime: [
    'apps/api/src/server/connection-watch.test.ts',
    'is reset when the client takes nothing for more than 15 s',
  ],
  answerRate: [
    'apps/api/src/server/connection-watch.test.ts',
    'is reset when less than 64 KiB a second are taken over 30 s',
  ],
  answerTime: ['apps/api/src/server/connection-watch.test.ts', 'each response of a connection has its own ten minutes'],
  idleTime: ['apps/api/test/connections.test.ts', 'the limits of a process are the published ones'],
  requestWork: ['apps/api/test/deadline.test.ts', 'a request whose work takes longer than 30 s'],
  pipelined: ['apps/api/test/connections.test.ts', 'are answered up to 256; with one more the connection is reset'],
  largeBodies: [
    'apps/api/test/abuse/load.test.ts',
    'share 64 MiB: a tenant that has its part is refused with Retry-After, and no other one',
  ],
  explainedAtOnce: [
    'apps/api/test/explained-slots.test.ts',
    'of one tenant wait for its slots; another tenant gets one at once, and plain predictions need none',
  ],
  explainedWaiting: [
    'apps/api/src/process/semaphores.test.ts',
    'explained predictions: a tenant has half of the places and of those that wait, and waits 20 s at most',
  ],
  explainedWait: [
    'apps/api/src/process/semaphores.test.ts',
    'explained predictions: a tenant has half of the places and of those that wait, and waits 20 s at most',
  ],
  countsAtOnce: [
    'apps/api/src/process/semaphores.test.ts',
    'counts of lists: a tenant has one at a time and half of those that wait, and waits 10 s at most',
  ],
  countsWaiting: [
    'apps/api/src/process/semaphores.test.ts',
    'counts of lists: a tenant has one at a time and half of those that wait, and waits 10 s at most',
  ],
  countWait: [
    'apps/api/src/process/semaphores.test.ts',
    'counts of lists: a tenant has one at a time and half of those that wait, and waits 10 s at most',
  ],
  eventStreams: [
    'apps/api/test/events.test.ts',
    'finds room that other tenants leave: 429 for more of a tenant than that, 503 where others take all',
  ],
  webhookReplays: ['apps/api/test/webhooks.test.ts', 'are tested, listed by state and type, sent again and replayed'],
  eventBytes: [
    'apps/api/src/routes/events/stream.test.ts',
    'a reader that takes nothing holds the memory of its tenant, and none of others',
  ],
  exports: [
    'apps/api/test/exports.test.ts',
    'take half of the slots, wait for each other, and leave other tenants theirs',
  ],
  waitingSecrets: [
    'apps/api/test/abuse/token-requests.test.ts',
    'when five hundred secrets wait to be verified, further token requests get 503 with Retry-After and one log line',
  ],
  explainingBundles: [
    'packages/store/test/suite/explain-suite.ts',
    'is bounded: bundles are refused beyond their bound, and advice is read as far as it is permitted',
  ],
  explainingAdvice: [
    'packages/store/test/suite/explain-suite.ts',
    'is bounded: bundles are refused beyond their bound, and advice is read as far as it is permitted',
  ],
  predictedContexts: ['packages/domain/src/predictions/answer-json.test.ts', 'with %j it shows %i violations'],
  explainedContexts: ['packages/domain/src/predictions/answer-json.test.ts', 'with %j it shows %i violations'],
  checkContexts: [
    'packages/domain/test/large-check.test.ts',
    'a result shows at most 10,000 contexts: %i more are omitted',
  ],
  signInSample: ['packages/domain/src/administration/sign-in/dry-run.test.ts', 'the sample has 100 identities at most'],
  checkResult: [
    'packages/domain/test/large-check.test.ts',
    'a check of a few hundred bytes whose reasons would take hundreds of megabytes has a result of 16 MiB',
  ],
  checkWork: [
    'apps/worker/src/checks/conclude.test.ts',
    'a check that exceeds its time ends at once with an error of its own, and its work is ended',
  ],
  longChecks: [
    'apps/worker/src/checks/conclude.test.ts',
    'few checks with include are under way at a time, and others need not wait for them',
  ],
  largeResults: [
    'apps/api/src/routes/checks/answer.test.ts',
    'results for which there is no memory wait for it, and another tenant has memory meanwhile',
  ],
  reportWork: ['apps/worker/test/shares.test.ts', 'ends a report in ERROR at its first attempt, which names the bound'],
  reportExceptions: ['apps/worker/test/shares.test.ts', 'of exceptions ends a report in ERROR at its first attempt'],
  fixPlanIds: ['apps/api/test/fix-plans.test.ts', 'names 500 policies and 500 identities at most'],
  fixPlanViolations: [
    'apps/worker/test/fix-plans.test.ts',
    'a plan about more violations than it may be about ends in ERROR',
  ],
  reportsAtOnce: ['apps/worker/test/shares.test.ts', 'as many of different tenants are under way as there is room for'],
  webhookAttempts: [
    'packages/scheduling/src/semaphore/semaphore.test.ts',
    'lets a tenant hold up to a bound, if it is to, and one that holds nothing exceed it by one acquisition',
  ],
  webhookLargeEvents: [
    'packages/scheduling/src/semaphore/semaphore.test.ts',
    'lets a tenant hold up to a bound, if it is to, and one that holds nothing exceed it by one acquisition',
  ],
  webhookTime: ['apps/worker/src/webhooks/send.test.ts', 'ends in time: a receiver that hangs, or drips its answer'],
  webhookAnswer: ['apps/worker/src/webhooks/send.test.ts', 'reads at most 64 KiB of an answer, and its status counts'],
  webhookRetries: [
    'apps/worker/src/webhooks/conclude.test.ts',
    'is repeated after anything else, and fails for good after the tenth',
  ],
  callerId: [
    'apps/api/test/external-issuer.test.ts',
    'the ids in a token of an external issuer have at most 256 characters',
  ],
  scimCount: ['apps/api/test/scim.test.ts', 'a page has at most 1,000 resources, and counts the others'],
  loads: ['apps/api/test/loads.test.ts', 'a source has one load at a time, and an open one can be cancelled'],
  loadParts: ['apps/api/test/loads.test.ts', 'a part has a number from 1 to 1000, not %s'],
  loadTime: [
    'packages/store/test/suite/load-suite.ts',
    'that is open can be cancelled, and ends after 24 hours; one that has ended takes nothing',
  ],
  loadFaults: [
    'packages/domain/src/access/sources/load.test.ts',
    'summaries of pieces add up, and name the first 100 faults',
  ],
  keptLoads: [
    'packages/store/test/suite/load-suite.ts',
    'leaves no parts when it has ended, and of those that have ended the latest 100 are kept',
  ],
  openReports: ['apps/api/test/sod-reports.test.ts', 'a tenant may have 20 unfinished reports; one more is 429'],
  keptReports: [
    'apps/worker/test/reports.test.ts',
    'drops finished reports after a week, and all but the latest fifty of a tenant',
  ],
  reportTime: [
    'apps/worker/test/reports.test.ts',
    'drops finished reports after a week, and all but the latest fifty of a tenant',
  ],
  predictBatch: ['apps/api/test/predict-batch.test.ts', 'accepts at most 1,000 requests, besides blank lines'],
  batchBody: ['apps/api/test/predict-batch.test.ts', 'accepts at most 1,000 requests, besides blank lines'],
  webhooks: ['apps/api/test/webhooks.test.ts', 'are at most 50 a tenant'],
  reservationHours: ['apps/api/test/reservations.test.ts', 'of %j is refused, and nothing is stored'],
  reservationReference: ['apps/api/test/reservations.test.ts', 'takes the longest life, reference and list'],
  liveReservationsOfIdentity: ['apps/api/test/reservations.test.ts', 'is one of at most 100 live ones of an identity'],
  liveReservations: [
    'packages/store/test/suite/reservation-suite.ts',
    'a tenant has at most 100,000 live reservations',
  ],
  keptReservations: [
    'apps/api/test/reservations.test.ts',
    'expires by the clock, also between a look and its settling; a worker tells it once and removes it after 90 days',
  ],
  reservedContexts: [
    'packages/domain/src/predictions/reserved-json.test.ts',
    'the first violations are kept, as far as their number and their bytes allow, and the others are counted',
  ],
  exceptionWindow: [
    'apps/api/test/sod-exceptions.test.ts',
    'may have a window of exactly 366 days, in the present or the future',
  ],
  justification: [
    'apps/api/test/sod-exceptions.test.ts',
    'may have a justification of 4,000 characters and a body of 64 KiB',
  ],
  decisionComment: ['apps/api/test/sod-exceptions.test.ts', 'with an empty object or a comment as body'],
  connections: ['apps/api/test/connections.test.ts', 'are closed without reading, counted, and logged in one line'],
  requestId: ['apps/api/test/authzen.test.ts', 'is answered with its X-Request-ID, beside the tracking id'],
  preferWait: [
    'apps/api/test/limits.test.ts',
    '`Prefer: wait`: 30 s are granted, more are reduced to 30 s, and the response says so',
  ],
  causes: [
    'apps/api/test/limits.test.ts',
    'an error has the first 20 causes of a patch or an import, and all unknown access refs',
  ],
  importWarnings: ['apps/api/test/limits.test.ts', 'an import returns the first 100 warnings'],
  backlog: ['apps/api/test/limits.test.ts', 'the backlog limit of checks is the published one'],
  rate: [
    'apps/api/test/http.test.ts',
    'refuses the requests of a client above it with Retry-After, and of no other client',
  ],
  pageRate: ['apps/api/test/pages.test.ts', 'is refused beyond the rate of an address, with a page'],
  loginsOfAddress: [
    'apps/api/test/sign-in.test.ts',
    'is refused beyond 10 attempts a minute with one username, in any spelling, and 100 from one address',
  ],
  loginsOfUsername: [
    'apps/api/test/sign-in.test.ts',
    'is refused beyond 10 attempts a minute with one username, in any spelling, and 100 from one address',
  ],
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

const codeOf = ({ json }: TestAnswer) => json?.detailCode ?? json?.error ?? json?.status;

test('every published limit is tested at the limit and one above, with the published number', () => {
  const tried = new Set<string>([...TRIALS.map(({ limit }) => limit), ...Object.keys(TRIED_ELSEWHERE)]);
  expect([...tried].sort()).toEqual(Object.keys(PUBLISHED_LIMITS).sort());
  for (const { limit, most } of TRIALS)
    expect(PUBLISHED_LIMITS[limit].most.replaceAll(',', '').split(/[^\d]+/)).toContain(String(most));
});

test.each(Object.entries(TRIED_ELSEWHERE).map(([limit, [file, title]]) => [limit, file, title]))(
  'the limit %s has a test in %s: %s',
  (_, file, title) => {
    const text = readFileSync(join(import.meta.dirname, '../../..', file), 'utf8');
    // A title is the first argument of its call, on the same line or on a line of its own.
    expect(
      ["'", '`'].filter(
        (quote) => text.includes(`(${quote}${title}${quote}, `) || text.includes(`    ${quote}${title}${quote},\n`),
      ),
    ).toHaveLength(1);
  },
);

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

test('headers and target may have 48 KiB together; more is 431 without a body', async () => {
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
  expect(await exchange(48 * KIB)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await exchange(48 * KIB + 1)).toMatch(/^HTTP\/1\.1 431 [\s\S]*\r\n\r\n$/);
});
