import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort, openTestService, ROOT, startApp, startProcess } from '@access-admin/harness';
import { afterAll, describe, expect, test } from 'vitest';
import { FORBIDDEN_GRANT, SMALL_COMPANY } from './small-company.ts';

const APPS = ['api', 'worker'] as const;
const STOP_MS = 10_000;
const folder = mkdtempSync(join(tmpdir(), 'access-admin-e2e-'));
const databaseUrl = `sqlite:${join(folder, 'lifecycle.db')}`;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('SIGTERM', () => {
  test('stops API and worker cleanly within 10 s', async () => {
    await using service = await openTestService();
    const api = await service.startApi();
    const worker = service.startWorker();
    await api.client.accessModel.import(SMALL_COMPANY);
    const { requestId } = await api.client.sodViolations.check(FORBIDDEN_GRANT);
    await api.client.sodViolations.waitForCheck(requestId);
    for (const running of [worker, api]) {
      const ending = await running.stop('SIGTERM');
      expect(ending).toMatchObject({ code: 0, signal: null });
      expect(ending.afterMs).toBeLessThan(STOP_MS);
      expect(running.output()).toMatch(/"msg":"stopping"}[\s\S]*"msg":"stopped"}\n$/);
    }
  });

  test('stops an API that holds an answer back', async () => {
    await using service = await openTestService();
    const api = await service.startApi();
    await api.client.accessModel.import(SMALL_COMPANY);
    const { requestId } = await api.client.sodViolations.check(FORBIDDEN_GRANT);
    const held = api.client.sodViolations.getCheck(requestId, { waitSeconds: 30 }).then(
      ({ state }) => state,
      (error) => error.name,
    );
    await expect.poll(() => api.client.health.ready()).toBe(true);
    const ending = await api.stop('SIGTERM');
    expect(ending).toMatchObject({ code: 0, signal: null });
    expect(ending.afterMs).toBeLessThan(STOP_MS);
    expect(['PENDING', 'UnavailableError', 'ConnectionError']).toContain(await held);
  });
});

describe('a wrong configuration', () => {
  test('is refused by the API with every issue listed', async () => {
    const env = {
      PORT: 'eighty',
      DATABASE_URL: 'mysql://x',
      RATE_LIMIT: 'much',
      LOG_LEVEL: 'loud',
      TENANT: 'No Tenant',
    };
    await using api = startApp('api', { env, cwd: folder });
    expect(await api.ended).toMatchObject({ code: 2 });
    for (const name of Object.keys(env)) expect(api.output()).toContain(name);
  });

  test('is refused by the worker with every issue listed', async () => {
    const env = { DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud', CHECK_LEASE_MS: '-1' };
    await using worker = startApp('worker', { env, cwd: folder });
    expect(await worker.ended).toMatchObject({ code: 2 });
    for (const name of Object.keys(env)) expect(worker.output()).toContain(name);
  });

  test('echoes no value, which might be a secret', async () => {
    const env = { DATABASE_URL: 'postgres//user:hunter2@db', PORT: 'eighty' };
    for (const app of APPS) {
      await using running = startApp(app, { env, cwd: folder });
      await running.ended;
      expect(running.output()).not.toContain('hunter2');
    }
  });
});

test('a port in use is reported in one line, and no process is left running', async () => {
  await using service = await openTestService();
  const first = await service.startApi();
  const env = { DATABASE_URL: databaseUrl, PORT: new URL(first.baseAddress).port };
  await using second = startApp('api', { env, cwd: folder });
  expect((await second.ended).code).not.toBe(0);
  expect(second.output()).toMatch(/in use/i);
  expect(second.output()).not.toMatch(/\n\s+at /);
});

test('an older Node is refused with one clear line', async (context) => {
  const node = findOlderNode();
  if (node === null) return context.skip('this machine has no Node older than 24');
  const env = { DATABASE_URL: databaseUrl, PORT: String(await freePort()) };
  for (const app of APPS) {
    await using running = startProcess([node, join(ROOT, 'apps', app, 'dist/main.js')], { env, cwd: folder });
    expect(await running.ended).toMatchObject({ code: 1, signal: null });
    expect(running.output()).toMatch(/^access-admin needs Node 24 or newer; this is Node \d+\.\d+\.\d+\..*\n$/);
  }
});

function findOlderNode(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  const major = (path: string) =>
    Number(execFileSync(path, ['-p', 'parseInt(process.versions.node)'], { encoding: 'utf8' }));
  return folders.map((name) => join(name, 'node')).find((path) => existsSync(path) && major(path) < 24) ?? null;
}
