import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@access-admin/client';
import {
  openService,
  ROOT,
  type RunningApi,
  type RunningProcess,
  startNginx,
  startProcess,
  whyNoNginx,
} from '@access-admin/harness';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, runShell, sectionBlocks, withOwn } from './pages.ts';

const PAGE = 'docs/guides/tasks.md';
const METRICS_TOKEN = 'a-token-that-the-tests-set';
const MARK = '--- the next task ---';

const service = openService();
const folder = join(service.folder, 'var');
let api: RunningApi;
let worker: RunningProcess;

beforeAll(async () => {
  api = await service.startApi({ METRICS_TOKEN });
  worker = service.startWorker();
  const sample = readFileSync(join(ROOT, 'tooling/sample/sample.ndjson'), 'utf8').trimEnd().split('\n');
  await api.client.accessModel.import(sample.map((line) => JSON.parse(line)));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bootstrap-client.json'), JSON.stringify(service.credentials, null, 2));
});

afterAll(() => service[Symbol.asyncDispose]());

const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** The shell of a task, in which the folder of files is that of this test. */
const shellOf = (task: number) =>
  sectionBlocks(PAGE, new RegExp(`^${task}\\. `))
    .join('')
    .replaceAll('var/', `${folder}/`);

/** The lines that begin each shell. */
const BEGINNING = (blocksOf(PAGE)[0]?.text ?? '').replaceAll('var/', `${folder}/`);

/** Runs a script in the checkout, with the Node and the database of this test. */
const run = (script: string, env: Readonly<Record<string, string>> = {}) =>
  runShell(script, {
    PORT: new URL(api.baseAddress).port,
    DATABASE_URL: service.databaseUrl,
    BASE_ADDRESS: api.baseAddress,
    ...env,
  });

/** What the calls of each task print. */
const PRINTED: ReadonlyMap<number, readonly RegExp[]> = new Map([
  [1, [/"authoritative":true/, /people\.csv +entitlement +access$/m, /^identities +2 +0/m]],
  [2, [/"sodPolicy":\{"created":2,/]],
  [3, [/"change":"new","identityId":"i-kim"/, /"id":"x-20"/, /"preexisting":true/]],
  [4, [/^HIGH x-01 Prices and refunds 1$/m, /"byPolicy":\[\{/, /"status":"Open"/]],
  [5, [/"remediation":\{"drop":\{/, /"change":"gone","identityId":"i-kim"/, /"change":"new","identityId":"i-0001"/]],
  [6, [/"state":"REQUESTED"/, /"state":"APPROVED"/, /"state":"REVOKED"/]],
  [7, [/^SUCCESS \[\]$/m, /"id":"i-noor",.*"id":"erp-po-create",.*"end":"2030-06-30T00:00:00/]],
  [8, [/ import-access-model-v1 ALLOWED /, / patch-sod-policy-v1 ALLOWED level$/m]],
  [9, [/^\[\{"sequence":1,/m, /"detailCode":"403"/]],
  [10, []],
  [11, [/ signs for http:\S+ now; \S+ is retired/]],
  [16, [/"tenant":"trial","created":"[^"]+","state":"ACTIVE"/, /"state":"REMOVING"/]],
]);

test('the tasks that are calls, pasted in order into one shell, do what they say', async () => {
  const tasks = [...PRINTED.keys()].map((task) => `${shellOf(task)}\nprintf '\\n%s\\n' '${MARK}'\n`);
  const { status, stderr, stdout } = run([BEGINNING, ...tasks].join('\n'));
  expect([status, stderr]).toEqual([0, '']);
  const outputs = stdout.split(`${MARK}\n`);
  for (const [at, [task, patterns]] of [...PRINTED].entries())
    for (const pattern of patterns) expect(outputs[at], `task ${task}`).toMatch(pattern);

  expect(read('violations.csv')).toMatch(/^"x-01","Prices and refunds","HIGH","i-kim","Kim Lê",""$/m);
  // The register may have been behind the import when it was saved.
  expect(read('register.csv')).toMatch(/^id,name,status,level,/);
  const violators = async () => (await Array.fromAsync(api.client.violations.list())).map(({ target }) => target.name);
  await expect.poll(violators, { timeout: 30_000 }).toContain('Kim Lê');
  const { clientId, clientSecret } = JSON.parse(read('bootstrap-client.json'));
  expect(clientSecret).not.toBe(service.credentials.clientSecret);
  const { baseAddress } = api;
  const rotated = createClient({ baseAddress, clientId, clientSecret });
  const left = async () => (await Array.fromAsync(rotated.tenants.list())).map(({ tenant }) => tenant);
  await expect.poll(left, { timeout: 30_000 }).toEqual(['default']);
});

test('task 7 grants nothing where the check finds a violation', () => {
  const conflict = [
    { kind: 'entitlement', id: 'erp-po-create', name: 'Order' },
    { kind: 'entitlement', id: 'shop-close', name: 'Close' },
    { kind: 'identityProfile', id: 'ip-7', name: '7' },
    {
      kind: 'identity',
      id: 'i-noor',
      uid: 'noor',
      identityProfile: 'ip-7',
      access: [{ type: 'ENTITLEMENT', id: 'shop-close' }],
    },
    {
      kind: 'sodPolicy',
      id: 'x-07',
      name: 'Orders and the till',
      conflictingAccessCriteria: {
        leftCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'erp-po-create' }] },
        rightCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'shop-close' }] },
      },
    },
  ];
  writeFileSync(join(folder, 'conflict.ndjson'), conflict.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const again = shellOf(7).replaceAll('REQ-7', 'REQ-8');
  const { status, stdout } = run(`${BEGINNING}\nimport < ${folder}/conflict.ndjson\necho\n${again}`);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^SUCCESS \[ 'Orders and the till' \]\n$/m);
  expect(stdout).not.toContain('"id":"i-noor"');
});

test('task 12: nginx serves the service by TLS, and the service takes the address of a caller from it', async (context) => {
  if (whyNoNginx !== null) return context.skip(whyNoNginx);
  const start = /Start with `([^`]+) npm start`/.exec(readFileSync(join(ROOT, PAGE), 'utf8'))?.[1] ?? '';
  const behind = await service.startApi(Object.fromEntries(new URLSearchParams(start.replaceAll(' ', '&'))));
  const [server = ''] = sectionBlocks(PAGE, /^12\. /, 'nginx');
  const { host } = new URL(start.match(/BASE_ADDRESS=(\S+)/)?.[1] ?? '');
  await using nginx = await startNginx(host, withOwn(server, { 'http://127.0.0.1:8080': behind.baseAddress }));
  // What the name of the host and a known authority do elsewhere.
  const home = { CURL_HOME: folder, PORT: new URL(behind.baseAddress).port };
  writeFileSync(
    join(folder, '.curlrc'),
    `connect-to = ${host}:443:127.0.0.1:${nginx.port}\ncacert = ${nginx.certificate}\n`,
  );
  const [, base = ''] = /Then set `(base=\S+)`/.exec(readFileSync(join(ROOT, PAGE), 'utf8')) ?? [];
  const begin = `${BEGINNING}\n${base}\n${BEGINNING.trimEnd().split('\n').at(-1)}\n`;
  const curl = (script: string) => {
    const { status, stderr, stdout } = run(begin + script, home);
    expect([status, stderr], script).toEqual([0, '']);
    return stdout;
  };

  expect(curl('curl -s -D - -o /dev/null "$base/healthz"')).toMatch(
    /^HTTP\/1\.1 200[\s\S]*^strict-transport-security: /im,
  );
  expect(curl(`curl -s -o /dev/null -w '%{http_code}' "$base/metrics"`)).toBe('403');
  // Larger than nginx takes by default, and larger than the service takes.
  const line = `${JSON.stringify({ kind: 'entitlement', id: 'behind-nginx', name: 'n' })}\n`;
  writeFileSync(join(folder, 'large.ndjson'), line + '\n'.repeat(3 * 2 ** 20));
  expect(curl(`import < ${folder}/large.ndjson`)).toContain('"entitlement":{"created":1,');
  writeFileSync(join(folder, 'large.ndjson'), '\n'.repeat(2 ** 24 + 1));
  expect(curl(`import < ${folder}/large.ndjson`)).toContain('"detailCode":"413"');

  // 127.0.0.2 is no trusted proxy: it cannot say that it is another address.
  const failed = `curl -s -o /dev/null -w '%{http_code}' --interface 127.0.0.2 "$base/login" -H "Origin: $base" -H 'X-Forwarded-For: 203.0.113.9'`;
  curl(`${failed} --data-urlencode username=nobody --data-urlencode 'password=not that of anybody'`);
  const refused = curl(`call "$token" '/audit-events/v1?limit=250&filters=operation%20eq%20%22sign-in%22'`);
  expect(refused).toContain('"clientId":"address:127.0.0.2"');

  const token = curl('echo "$token"').trim();
  const address = base.replace('base=', '');
  await using stream = startProcess(
    ['curl', '-sN', `${address}/events/v1`, '-H', `Authorization: Bearer ${token}`, '-H', 'Accept: text/event-stream'],
    { env: { CURL_HOME: folder }, cwd: folder },
  );
  await expect.poll(stream.output).toContain('access-model.imported');
  const { client } = behind;
  await client.uiMetadata.set({ usernameLabel: 'Badge' });
  await expect.poll(stream.output).toContain('ui-metadata.changed');
  await behind.stop();
});

test('task 14: what is scraped as it says has the metrics that it names', async () => {
  const [config = ''] = sectionBlocks(PAGE, /^14\. /, 'yaml');
  const target = /targets: \['([^']+)'\]/.exec(config)?.[1] ?? '';
  const scraped = withOwn(`http://${target}/metrics`, { '127.0.0.1:8080': new URL(api.baseAddress).host });
  const credentials = /authorization: \{ credentials: (\S+) \}/.exec(config)?.[1] ?? '';
  const authorization = `Bearer ${withOwn(credentials, { 'the-value-of-METRICS_TOKEN': METRICS_TOKEN })}`;
  const metrics = await (await fetch(scraped, { headers: { authorization } })).text();
  const section = readFileSync(join(ROOT, PAGE), 'utf8')
    .split(/^## /m)
    .find((text) => text.startsWith('14. '));
  const named = [...(section ?? '').matchAll(/`(access_admin_\w+)/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => !metrics.includes(`# TYPE ${name?.replace(/_count$/, '')} `))).toEqual([]);
});

test('tasks 13 and 15 back up while the service runs, and 13 restores once it has stopped', async () => {
  const [backup = '', restore = ''] = shellOf(13).trimEnd().split('\n');
  expect(run(backup)).toMatchObject({ status: 0, stdout: expect.stringContaining('monday.db') });
  // The pull and the setup are those of a clone: campaign G2 builds and runs both versions.
  const [before = '', ...upgrade] = shellOf(15).trimEnd().split('\n');
  const command = withOwn(before, { 'npx access-admin': join(ROOT, 'node_modules/.bin/access-admin') });
  expect(run(`cd ${service.folder}\n${command}`)).toMatchObject({ status: 0, stdout: expect.stringContaining('.db') });
  expect(upgrade.map((line) => line.replace(/ *#.*/, ''))).toEqual(['git pull', 'npm run setup']);
  expect(run(restore)).toMatchObject({ status: 1, stderr: expect.stringContaining('is in use') });
  await Promise.all([api.stop(), worker.stop()]);
  expect(run(restore)).toMatchObject({ status: 0, stdout: expect.stringContaining('is kept at') });
  api = await service.startApi();
});
