import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createClient } from '@access-admin/client';
import { openService, ROOT, type RunningApi, type RunningProcess } from '@access-admin/harness';
import { afterAll, beforeAll, expect, test } from 'vitest';

const PAGE = readFileSync(join(ROOT, 'docs/guides/tasks.md'), 'utf8');
const SECTIONS = PAGE.split(/^## /m);
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

/** The shell of a section, in which the folder of files is that of this test. */
const shellOf = (section: string) =>
  [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text.replaceAll('var/', `${folder}/`)).join('');

const sectionOf = (task: number) => SECTIONS.find((section) => section.startsWith(`${task}. `)) ?? '';

/** Runs a script in the checkout, with the Node and the database of this test. */
const run = (script: string) =>
  spawnSync('bash', ['-eu', '-c', script], {
    cwd: ROOT,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
      PORT: new URL(api.baseAddress).port,
      DATABASE_URL: service.databaseUrl,
      BASE_ADDRESS: api.baseAddress,
    },
  });

/** What the calls of each task print. */
const PRINTED: ReadonlyMap<number, readonly RegExp[]> = new Map([
  [1, [/"identity":\{"created":2,/]],
  [2, [/"sodPolicy":\{"created":2,/]],
  [3, [/"change":"new","identityId":"i-kim"/, /"id":"x-20"/, /"preexisting":true/]],
  [4, [/^HIGH x-01 Prices and refunds 1$/m, /"byPolicy":\[\{/, /"status":"Open"/]],
  [5, [/"remediation":\{"drop":\{/, /"change":"gone","identityId":"i-kim"/, /"change":"new","identityId":"i-0001"/]],
  [6, [/"state":"REQUESTED"/, /"state":"APPROVED"/, /"state":"REVOKED"/]],
  [7, [/^SUCCESS \[\]$/m, /"identity":\{"created":0,"updated":1,/]],
  [8, [/ import-access-model-v1 ALLOWED /, / patch-sod-policy-v1 ALLOWED level$/m]],
  [9, [/^\[\{"sequence":1,/m, /"detailCode":"403"/]],
  [10, []],
  [11, [/ signs for http:\S+ now; \S+ is retired/]],
  [16, [/"sodPolicy":\{"created":0,"updated":0,"deleted":69,/]],
]);

// 12, 14 and 15 are of other programs and other versions.
test('the tasks that are calls, pasted in order into one shell, do what they say', async () => {
  const tasks = [...PRINTED.keys()].map((task) => `${shellOf(sectionOf(task))}\nprintf '\\n%s\\n' '${MARK}'\n`);
  const { status, stderr, stdout } = run([shellOf(SECTIONS[0] ?? ''), ...tasks].join('\n'));
  expect([status, stderr]).toEqual([0, '']);
  const outputs = stdout.split(`${MARK}\n`);
  for (const [at, [task, patterns]] of [...PRINTED].entries())
    for (const pattern of patterns) expect(outputs[at], `task ${task}`).toMatch(pattern);

  expect(read('violations.csv')).toMatch(/^"x-01","Prices and refunds","HIGH","i-kim","Kim Lê",""$/m);
  expect(read('register.csv')).toContain('Kim Lê');
  const { clientId, clientSecret } = JSON.parse(read('bootstrap-client.json'));
  expect(clientSecret).not.toBe(service.credentials.clientSecret);
  const { baseAddress } = api;
  const rotated = createClient({ baseAddress, clientId, clientSecret });
  const left = await Array.fromAsync(rotated.accessModel.export());
  expect(left.map(({ kind }) => kind)).toEqual(['uiMetadata']);
});

test('the metrics that task 14 names exist', async () => {
  const answer = await fetch(`${api.baseAddress}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const metrics = await answer.text();
  const named = [...sectionOf(14).matchAll(/`(access_admin_\w+)/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => !metrics.includes(`# TYPE ${name?.replace(/_count$/, '')} `))).toEqual([]);
});

test('task 13 backs up while the service runs, and restores once it has stopped', async () => {
  const [backup = '', restore = ''] = shellOf(sectionOf(13)).trimEnd().split('\n');
  expect(run(backup)).toMatchObject({ status: 0, stdout: expect.stringContaining('monday.db') });
  expect(run(restore)).toMatchObject({ status: 1, stderr: expect.stringContaining('is in use') });
  await Promise.all([api.stop(), worker.stop()]);
  expect(run(restore)).toMatchObject({ status: 0, stdout: expect.stringContaining('is kept at') });
  api = await service.startApi();
});
