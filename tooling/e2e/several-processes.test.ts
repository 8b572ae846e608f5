import { request } from 'node:http';
import { join } from 'node:path';
import { freePort, openFolder, ROOT } from '@access-admin/harness';
import { expect, onTestFinished, test } from 'vitest';
import { fetchToken } from './fetch-token.ts';
import { startGroup } from './start-npm.ts';

const COMMAND = [process.execPath, join(ROOT, 'apps/server/bin/access-admin.mjs'), 'serve'] as const;
const SECRET = 'a secret of the tests';
const CHECK = { identityId: 'i-0001', accessRefs: [{ type: 'ENTITLEMENT', id: 'erp-vendor-create' }] };
/** In which API and worker stop. */
const STOP_MS_MAX = 12_000;
/** A connection on its way to a process that is killed is never answered. Longer than a call waits for a check. */
const ANSWER_MS_MAX = 40_000;
const ACCEPTED_MS_MAX = 15_000;

interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly msMax?: number;
}

/** A call on a connection of its own, which any of the processes may get. */
const call = (url: string, { method = 'GET', headers = {}, body, msMax = ANSWER_MS_MAX }: Call = {}) =>
  new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(msMax);
    const outgoing = request(url, { method, agent: false, signal, headers: { ...type, ...headers } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => (text += part));
      answer.on('error', reject).on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });

/** Two APIs and two workers with the sample, and their metrics on ports of their own. */
async function serveTwice() {
  const folder = openFolder('several');
  onTestFinished(() => folder[Symbol.dispose]());
  const [port, metricsPort] = await freePorts();
  const env = {
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    DATABASE_URL: 'sqlite:access-admin.db',
    BOOTSTRAP_CLIENT_ID: 'root',
    BOOTSTRAP_CLIENT_SECRET: SECRET,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'info',
  };
  const running = startGroup([...COMMAND, '--apis', '2', '--workers', '2'], { env, cwd: folder.path });
  onTestFinished(() => running[Symbol.asyncDispose]());
  /** The ids of all processes that a name has had, by the log. */
  const idsOf = (name: string) =>
    [...running.output().matchAll(/^\{.*"process":"([\w-]+)".*"pid":(\d+).*$/gm)].flatMap(([, process, id]) =>
      process === name ? [Number(id)] : [],
    );
  await running.prints('access-admin is running');
  for (const name of ['api-1', 'api-2', 'worker-1', 'worker-2'])
    await expect.poll(() => idsOf(name).length, { interval: 50 }).toBe(1);
  const base = `http://127.0.0.1:${port}`;
  const samples = async (of: 'api' | 'worker', pattern: RegExp) => {
    const { text } = await call(`http://127.0.0.1:${metricsPort + (of === 'api' ? 0 : 1)}/metrics`);
    const lines = text.split('\n').filter((line) => pattern.test(line));
    return Object.fromEntries(
      lines.map((line) => [/process="([\w-]+)"/.exec(line)?.[1] ?? line, Number(line.split(' ').at(-1))]),
    );
  };
  return { ...running, base, idsOf, samples };
}

/** A free port whose next one is free too. */
async function freePorts(): Promise<readonly [number, number]> {
  const port = await freePort();
  const metricsPort = await freePort();
  return [port, metricsPort + 1 === port ? metricsPort + 2 : metricsPort];
}

const sum = (values: Readonly<Record<string, number>>) => Object.values(values).reduce((one, other) => one + other, 0);

test('two APIs behind one port and two workers share the work, and their metrics add up to it', async () => {
  const { base, idsOf, samples, output } = await serveTwice();
  expect(new Set(['api-1', 'api-2', 'worker-1', 'worker-2'].flatMap(idsOf)).size).toBe(4);
  expect(output().match(/"msg":"database migrated"/g)).toHaveLength(1);
  const CALLS = 60;
  for (const answer of await Promise.all(Array.from({ length: CALLS }, () => call(`${base}/healthz`))))
    expect(answer.status).toBe(200);
  const served = await samples('api', /^access_admin_request_duration_seconds_count\{.*"get-health"/);
  expect([Object.keys(served).sort(), sum(served)]).toEqual([['api-1', 'api-2'], CALLS]);
  expect(Math.min(...Object.values(served))).toBeGreaterThan(0);

  const token = await fetchToken(base, { clientId: 'root', clientSecret: SECRET });
  const headers = { authorization: `Bearer ${token}` };
  const started = () => call(`${base}/sod-violations/v1/check`, { method: 'POST', headers, body: CHECK });
  const checks = await Promise.all(Array.from({ length: CALLS }, started));
  expect(checks.map(({ status }) => status)).toEqual(checks.map(() => 202));
  const succeeded = () => samples('worker', /^access_admin_job_duration_seconds_count\{.*"check".*"success"/);
  await expect.poll(async () => sum(await succeeded()), { interval: 100 }).toBe(CALLS);
  expect(Object.keys(await succeeded()).sort()).toEqual(['worker-1', 'worker-2']);
});

test('a process that is killed is started again, and no accepted check is lost', async () => {
  const { base, idsOf, prints } = await serveTwice();
  const token = await fetchToken(base, { clientId: 'root', clientSecret: SECRET });
  const headers = { authorization: `Bearer ${token}` };
  const accepted: string[] = [];
  const send = async () => {
    const check = { method: 'POST', headers, body: CHECK, msMax: ACCEPTED_MS_MAX };
    const answer = await call(`${base}/sod-violations/v1/check`, check).catch(() => null);
    if (answer?.status === 202) accepted.push(JSON.parse(answer.text).requestId);
  };
  for (let batch = 0; batch < 10; batch++) {
    const sent = Array.from({ length: 20 }, send);
    if (batch === 3) process.kill(idsOf('api-2')[0] ?? 0, 'SIGKILL');
    if (batch === 4) process.kill(idsOf('worker-1')[0] ?? 0, 'SIGKILL');
    await Promise.all(sent);
  }
  expect(accepted.length).toBeGreaterThan(100);
  await prints('access-admin: API 2 ended (SIGKILL); it is started again in 0.3 s');
  await prints('access-admin: worker 1 ended (SIGKILL); it is started again in 0.3 s');
  for (const name of ['api-2', 'worker-1'])
    await expect.poll(() => new Set(idsOf(name)).size, { interval: 50 }).toBe(2);
  for (const id of accepted) {
    const url = `${base}/sod-violations/v1/check/${id}`;
    const { text } = await call(url, { headers: { ...headers, prefer: 'wait=30' } });
    expect(JSON.parse(text)).toMatchObject({ requestId: id, state: 'SUCCESS' });
  }
});

test.each([
  ['SIGTERM', 0],
  ['SIGKILL', null],
] as const)('%s of the command ends every process in time, after the answers under way', async (signal, code) => {
  const { base, kill, ended, isGone, output } = await serveTwice();
  const token = await fetchToken(base, { clientId: 'root', clientSecret: SECRET });
  const headers = { authorization: `Bearer ${token}` };
  const exports = Array.from({ length: 8 }, () => call(`${base}/access-model/v1/export`, { headers }));
  await Promise.race(exports);
  const rest = exports.slice(1);
  kill(signal, 'leader');
  expect(await ended).toBe(code);
  await expect.poll(isGone, { interval: 50, timeout: STOP_MS_MAX }).toBe(true);
  for (const answer of await Promise.all(rest)) expect(answer.status).toBe(200);
  for (const name of ['api-1', 'api-2', 'worker-1', 'worker-2'])
    expect(output()).toMatch(new RegExp(`"process":"${name}","msg":"stopped"`));
});
