import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@access-admin/client';
import { freePort, ROOT } from '@access-admin/harness';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FORBIDDEN_GRANT, SMALL_COMPANY } from './small-company.ts';
import { startGroup, startNpm } from './start-npm.ts';

/** What `npm start` runs once all is installed and built. */
const SERVE = [process.execPath, join(ROOT, 'apps/server/bin/access-admin.mjs'), 'serve'] as const;
const SECRET = 's3cret of 40 characters or so, unlike any id';
let folder = '';
let port = 0;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'access-admin-start-'));
  port = await freePort();
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('prints a predict call that shows a violation when pasted into a shell', async (context) => {
  await using run = startByNpm();
  await run.prints('The answer to expect');
  const call = run.output().match(/^token=.*\ncurl .*$/m)?.[0] ?? '';
  expect(call).not.toBe('');
  if (spawnSync('curl', ['--version']).status !== 0) return context.skip('this machine has no curl');
  expect(run.output()).not.toContain(SECRET);
  const env = { ...process.env, BOOTSTRAP_CLIENT_SECRET: SECRET };
  const pasted = spawnSync('sh', ['-c', call], { encoding: 'utf8', env });
  expect(JSON.parse(pasted.stdout)).toMatchObject({
    violationContexts: [{ policy: { id: 'sod-p2p-01' }, preexisting: false }],
  });
});

describe('with generated credentials', () => {
  const FOLDER = join(ROOT, 'var');
  const list = () => (existsSync(FOLDER) ? readdirSync(FOLDER) : []).filter((name) => name.startsWith('bootstrap-'));
  let before: readonly string[] = [];
  const generated = () => list().filter((name) => !before.includes(name));

  beforeEach(() => {
    before = list();
  });
  afterEach(() => {
    for (const name of generated()) rmSync(join(FOLDER, name));
  });

  test('finds the client of each database, and calls read the secret from its file', async (context) => {
    if (spawnSync('curl', ['--version']).status !== 0) return context.skip('this machine has no curl');
    const clients = [];
    for (const [database, isFirst] of [
      ['one', true],
      ['two', true],
      ['one', false],
    ] as const) {
      const known = generated();
      const none = { BOOTSTRAP_CLIENT_ID: '', BOOTSTRAP_CLIENT_SECRET: '' };
      await using run = start({ ...none, DATABASE_URL: `sqlite:${join(folder, database)}.db` });
      await run.prints('The answer to expect');
      expect(generated().filter((name) => !known.includes(name))).toHaveLength(isFirst ? 1 : 0);
      const [, file = ''] = /^ {2}Secret +in (.+)$/m.exec(run.output()) ?? [];
      const { clientId, clientSecret } = JSON.parse(readFileSync(file, 'utf8'));
      expect(run.output()).toContain(`Client         ${clientId}\n`);
      // The API shows it once, when it creates the client.
      expect(run.output().split(clientSecret)).toHaveLength(isFirst ? 2 : 1);
      const call = run.output().match(/^token=.*\ncurl .*$/m)?.[0] ?? '';
      const pasted = spawnSync('sh', ['-c', call], { encoding: 'utf8', cwd: folder });
      expect(JSON.parse(pasted.stdout)).toMatchObject({ violationContexts: [{ policy: { id: 'sod-p2p-01' } }] });
      clients.push(clientId);
    }
    expect([new Set(clients).size, clients[2]]).toEqual([2, clients[0]]);
  });
});

test('loads the sample into an empty store only', async () => {
  const load = 'sample loaded';
  {
    await using first = start({ SAMPLE: 'off' });
    await first.prints('is running');
    expect(first.output()).not.toContain(load);
    expect(first.output()).toMatch(/^The store is empty\..*\n\n {2}npx access-admin invite <username>/m);
    expect(first.output()).toContain('to try it with the sample');
    const identities = await clientOf().accessModel.import([{ kind: 'entitlement', id: 'e-own', name: 'Our own' }]);
    expect(identities.counts.entitlement.created).toBe(1);
  }
  await using second = start();
  await second.prints('is running');
  expect(second.output()).not.toContain(load);
  expect(second.output()).toMatch(/^A token for calls of the service\..*\n\ntoken=/m);
  expect(second.output()).not.toMatch(/sample|The store is empty/);
  expect(linkIn(second.output())).toBeNull();
});

test('prints a new link for the administrator of the sample until that person has signed in', async () => {
  let used = '';
  {
    await using first = start();
    await first.prints('The answer to expect');
    expect(first.output().split('The answer to expect')[1]).toMatch(/ {2}Console +\S+\/console\/\n {2}Sign in /);
    used = linkIn(first.output()) ?? '';
    const page = await fetch(used);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('astrid.nygard')]);
  }
  {
    await using second = start();
    await second.prints('The answer to expect');
    const link = linkIn(second.output()) ?? '';
    expect(link).not.toBe(used);
    const password = 'a long enough sentence';
    const body = new URLSearchParams({ password, repeated: password });
    const headers = { origin: new URL(link).origin };
    const signedIn = await fetch(link, { method: 'POST', body, headers, redirect: 'manual' });
    expect([signedIn.status, signedIn.headers.getSetCookie().join()]).toEqual([
      303,
      expect.stringContaining('session='),
    ]);
  }
  await using third = start();
  await third.prints('The answer to expect');
  expect(linkIn(third.output())).toBeNull();
});

test.each([
  ['SIGTERM to npm', 'SIGTERM', 'leader'],
  ['SIGKILL of npm', 'SIGKILL', 'leader'],
  ['Ctrl-C', 'SIGINT', 'everybody'],
] as const)('%s leaves nothing behind', async (_, signal, target) => {
  await using run = startByNpm({ SAMPLE: 'off' });
  await run.prints('is running');
  run.kill(signal, target);
  const answers = () => clientOf().health.ready({ timeoutMs: 1000 });
  await expect.poll(answers, { interval: 100 }).toBe(false);
  await expect.poll(run.isGone, { interval: 100 }).toBe(true);
});

describe('a process of the service that ends', () => {
  const WORKER = 'worker/dist/main.js';
  const API = 'api/dist/main.js';
  const killOnly = (ids: readonly string[]) => {
    expect(ids).toHaveLength(1);
    for (const id of ids) process.kill(Number(id), 'SIGKILL');
  };

  test('is started again: the worker beside an API that stays, and the API', async () => {
    await using run = start({ SAMPLE: 'off' });
    await run.prints('is running');
    const api = run.find(API);
    const { accessModel, sodViolations } = clientOf();
    await accessModel.import(SMALL_COMPANY);
    killOnly(run.find(WORKER));
    await run.prints('the worker ended (SIGKILL); it is started again');
    const { requestId } = await sodViolations.check(FORBIDDEN_GRANT);
    expect((await sodViolations.waitForCheck(requestId)).state).toBe('SUCCESS');
    expect(run.find(API)).toEqual(api);
    killOnly(api);
    await run.prints('the API ended (SIGKILL); it is started again');
    await expect
      .poll(() =>
        clientOf()
          .health.ready()
          .catch(() => false),
      )
      .toBe(true);
    run.kill('SIGTERM', 'leader');
    await expect.poll(run.isGone, { interval: 100 }).toBe(true);
  });

  test('is not started any more once the service is stopped, and the pause before a start grows', async () => {
    await using run = start({ SAMPLE: 'off' });
    await run.prints('is running');
    for (const pause of ['0.3 s', '0.6 s', '1.2 s', '2.4 s']) {
      await expect.poll(() => run.find(WORKER).length, { interval: 20 }).toBe(1);
      killOnly(run.find(WORKER));
      await run.prints(`the worker ended (SIGKILL); it is started again in ${pause}`);
    }
    run.kill('SIGTERM', 'leader');
    await expect.poll(run.isGone, { interval: 100 }).toBe(true);
    expect(run.output().match(/is started again/g)).toHaveLength(4);
  });

  test('for a wrong configuration is not started again: the service ends with its exit code', async () => {
    await using run = start({ SAMPLE: 'off', CHECK_LEASE_MS: 'soon' });
    expect(await run.ended).toBe(2);
    expect(run.output().match(/CHECK_LEASE_MS must be/g)).toHaveLength(1);
    expect(run.output()).not.toContain('started again');
    await expect.poll(run.isGone, { interval: 50 }).toBe(true);
  });

  test('before the API is ready is not started again', async () => {
    await using run = start({ DATABASE_URL: 'sqlite:/' });
    expect(await run.ended).toBe(1);
    expect(run.output().match(/The store cannot be opened/g)).toHaveLength(1);
    expect(run.output()).not.toContain('started again');
  });

  test('ends with npm start, also when that is killed', async () => {
    await using run = startByNpm({ SAMPLE: 'off' });
    await run.prints('is running');
    killOnly(run.find('tooling/bootstrap.mjs start').filter((id) => !run.find('sh -c').includes(id)));
    await expect.poll(run.isGone, { interval: 100 }).toBe(true);
  });
});

test('the API reports a wrong configuration, and npm start ends with its exit code', async () => {
  await using run = startByNpm({ LOG_LEVEL: 'loud' });
  expect(await run.ended).toBe(2);
  expect(run.output()).toContain('LOG_LEVEL');
});

/** The link that signs a person in; null when none is printed. */
const linkIn = (output: string): string | null => /^ {2}Sign in +(\S+) \(once/m.exec(output)?.[1] ?? null;

const clientOf = () =>
  createClient({ baseAddress: `http://127.0.0.1:${port}`, clientId: 'start', clientSecret: SECRET, retries: 0 });

const envWith = (env: Readonly<Record<string, string>>) => ({
  PORT: String(port),
  DATABASE_URL: `sqlite:${join(folder, 'start.db')}`,
  BOOTSTRAP_CLIENT_ID: 'start',
  BOOTSTRAP_CLIENT_SECRET: SECRET,
  ...env,
});

/** For what npm and the build have a part in. */
const startByNpm = (env: Readonly<Record<string, string>> = {}) => startNpm(envWith(env));

const start = (env: Readonly<Record<string, string>> = {}) => startGroup(SERVE, { env: envWith(env), cwd: ROOT });
