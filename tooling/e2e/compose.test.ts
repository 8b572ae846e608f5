import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { freePort, openFolder, openTestService, ROOT, startProcess } from '@access-admin/harness';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const readText = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const { services } = parse(readText('compose.yaml'), { merge: true });

/** Docker Compose as a plugin or as a program; undefined without it. */
const COMPOSE = [['docker', 'compose'], ['docker-compose']].find(
  ([program = '', ...args]) => spawnSync(program, [...args, 'version']).status === 0,
);

test('Docker Compose accepts compose.yaml with the example of .env once it is filled in, and not before', (context) => {
  if (COMPOSE === undefined) return context.skip('this machine has no Docker Compose on its PATH');
  const [program = '', ...args] = COMPOSE;
  using folder = openFolder('compose');
  const example = readText('deploy/compose/env.example');
  const check = (text: string) => {
    writeFileSync(join(folder.path, 'env'), text);
    const options = ['--file', join(ROOT, 'compose.yaml'), '--env-file', join(folder.path, 'env')];
    return spawnSync(program, [...args, ...options, 'config', '--quiet'], { encoding: 'utf8' });
  };
  expect(check(example).stderr).toMatch(/(POSTGRES_PASSWORD|SECRET_KEY).*set it in [.]env/);
  expect(check(example.replaceAll(/=$/gm, '=0123456789'))).toMatchObject({ status: 0, stderr: '' });
});

test('every container has a read-only root, and ours have no capabilities', () => {
  const kept = Object.entries<{ read_only?: boolean; cap_drop?: string[]; cap_add?: string[] }>(services).map(
    ([name, { read_only, cap_drop, cap_add = [] }]) => [name, read_only, cap_drop, cap_add],
  );
  expect(kept).toEqual([
    // Its entry point changes to the user of the database.
    ['postgres', true, undefined, []],
    ['api-1', true, ['ALL'], []],
    ['api-2', true, ['ALL'], []],
    ['worker', true, ['ALL'], []],
    ['proxy', true, ['ALL'], ['NET_BIND_SERVICE']],
  ]);
});

test('each variable without a default is in the example of .env', () => {
  const needed = [...readText('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  const example = [...readText('deploy/compose/env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  expect(needed.length).toBeGreaterThan(0);
  expect(example).toEqual(expect.arrayContaining(needed));
});

const hasCaddy = spawnSync('caddy', ['version']).status === 0;

test('behind the proxy, requests have TLS and the address of their caller, and survive the end of an API process', async (context) => {
  if (!hasCaddy) return context.skip('this machine has no caddy on its PATH');
  const port = await freePort();
  const base = `https://localhost:${port}`;
  await using service = await openTestService();
  const env = { BASE_ADDRESS: base, TRUSTED_PROXIES: '127.0.0.1' };
  const apis = [await service.startApi(env), await service.startApi(env)] as const;
  using folder = openFolder('proxy');
  const APIS = apis.map(({ baseAddress }) => new URL(baseAddress).host).join(' ');
  const config = adapt({ SITE: new URL(base).host, APIS });
  // Ports and folders of this machine; all else is the file's.
  config.admin = { disabled: true };
  config.storage = { module: 'file_system', root: folder.path };
  config.apps.http.http_port = await freePort();
  const file = join(folder.path, 'caddy.json');
  writeFileSync(file, JSON.stringify(config));
  await using proxy = startProcess(['caddy', 'run', '--config', file], {
    env: { HOME: folder.path },
    cwd: folder.path,
  });
  await expect.poll(proxy.output, { timeout: 60_000 }).toContain('certificate obtained successfully');
  const agent = new Agent({ ca: readFileSync(join(folder.path, 'pki/authorities/local/root.crt')) });
  const call = (path: string, options: object, body = '') => send(base + path, { agent, ...options }, body);

  expect(await call('/readyz', {})).toBe(200);
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: base, 'X-Forwarded-For': '192.0.2.1' };
  const attempt = { method: 'POST', headers, localAddress: '127.0.0.5' };
  expect(await call('/login', attempt, 'username=nobody&password=wrong')).toBe(401);
  const filters = 'operation eq "sign-in"';
  const [event] = await Array.fromAsync(apis[0].client.auditEvents.list({ filters }));
  expect(event?.actor).toEqual({ clientId: 'address:127.0.0.5', identityId: null });

  await apis[0].stop('SIGKILL');
  expect(await Promise.all(Array.from({ length: 10 }, () => call('/healthz', {})))).toEqual(Array(10).fill(200));
});

/** The Caddyfile as JSON, with these variables. */
function adapt(env: Readonly<Record<string, string>>) {
  const args = ['adapt', '--adapter', 'caddyfile', '--config', join(ROOT, 'deploy/compose/Caddyfile')];
  const { stdout, stderr, status } = spawnSync('caddy', args, { encoding: 'utf8', env: { ...process.env, ...env } });
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('"warn"')]);
  return JSON.parse(stdout);
}

/** The status of the answer. */
const send = (url: string, options: object, body: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const outgoing = request(url, options, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
