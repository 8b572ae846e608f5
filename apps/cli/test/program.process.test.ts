import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createClient } from '@access-admin/client';
import {
  freePort,
  openFolder,
  openService,
  ROOT,
  type RunningApi,
  type Service,
  type TemporaryFolder,
} from '@access-admin/harness';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCli, VERSION } from './run-cli.ts';
import { ndjson, openFiles } from './run-here.ts';

const SAMPLE = join(ROOT, 'tooling/sample/sample.ndjson');

const HANG_MS = 60_000;

let service: Service;
let api: RunningApi;
let folder: TemporaryFolder;

beforeAll(async () => {
  service = openService();
  api = await service.startApi();
  service.startWorker();
  folder = openFolder('cli');
  const imported = await run('import', SAMPLE);
  expect(imported).toMatchObject({ code: 0 });
});

afterAll(async () => {
  folder[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

const environment = () => ({
  ACCESS_ADMIN_URL: api.baseAddress,
  ACCESS_ADMIN_CLIENT_ID: service.credentials.clientId,
  ACCESS_ADMIN_CLIENT_SECRET: service.credentials.clientSecret,
});
const run = (...args: readonly string[]) => runCli(args, { cwd: folder.path, env: environment() });
const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);

/** As many as an identity may have, of the greatest length: 8 KiB. */
const LONG_ATTRIBUTES = Object.fromEntries(Array.from({ length: 32 }, (_, at) => [`a-${at}`, 'x'.repeat(256)]));

const RULES = `policies:
  - id: t-1
    name: Vendors and accounts
    level: CRITICAL
    owner: i-0001
    left: ["erp-vendor-*"]
    right: [erp-payment-release]
`;

describe('the built program', () => {
  test.each([
    ['an unknown option, with a suggestion', ['lint', '--modle', 'x', 'r'], '(Did you mean --model?)'],
    ['an unknown command, with a suggestion', ['imprt'], '(Did you mean import?)'],
    ['an unknown format', ['profiles', '--format', 'xml'], '--format xml: this command has human, json'],
    ['a missing argument', ['predict'], "missing required argument 'identity'"],
    ['no service', ['export'], 'no --url, --client-id, --client-secret: give the option, ACCESS_ADMIN_URL'],
    [
      'an address without scheme',
      ['export', '--url', 'localhost:1', '--client-id', 'a', '--client-secret', 'b'],
      'must begin with https:// or http://',
    ],
    ['an unknown profile', ['export', '--profile', 'prod'], '--profile prod: there is no such profile'],
  ])('refuses %s', async (_, args, note) => {
    const { code, stdout, stderr } = await runCli(args, { cwd: folder.path });
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(note)]);
  });

  test('writes its version, and nothing else', async () => {
    expect(await run('--version')).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  });

  test('says that a service is not reached, and that a secret is wrong', async () => {
    const away = await run('export', '--url', `http://127.0.0.1:${await freePort()}`);
    expect([away.code, away.stderr]).toEqual([1, expect.stringMatching(/was not reached: .*ECONNREFUSED/)]);
    const wrong = await run('export', '--client-secret', 'no');
    expect([wrong.code, wrong.stdout, wrong.stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/invalid_client[\s\S]*Is this the right client, with its present secret\?/),
    ]);
  });
});

test('login saves a profile for its owner alone, after it has tried it', async () => {
  const { clientId, clientSecret } = service.credentials;
  const given = ['--url', api.baseAddress, '--client-id', clientId, '--client-secret'];
  expect((await runCli(['login', 'dev', ...given, 'wrong'], { cwd: folder.path })).code).toBe(1);
  expect((await runCli(['login', 'dev', ...given, clientSecret], { cwd: folder.path })).code).toBe(0);
  const path = join(folder.path, '.config/access-admin/config.json');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(path, 'utf8')).profiles.dev).toEqual({ url: api.baseAddress, clientId, clientSecret });
  const listed = await runCli(['profiles', '--format', 'json'], { cwd: folder.path });
  expect(JSON.parse(listed.stdout)).toEqual([{ name: 'dev', url: api.baseAddress, clientId }]);
  const used = await runCli(['clients', 'list', '--profile', 'dev', '--format', 'json'], { cwd: folder.path });
  expect(JSON.parse(used.stdout)).toMatchObject([{ id: clientId }]);
});

describe('import and export', () => {
  test('an import of an export changes nothing', async () => {
    expect((await run('export', '-o', 'all.ndjson')).code).toBe(0);
    const { code, stdout } = await run('import', 'all.ndjson', '--format', 'json');
    const { counts } = JSON.parse(stdout);
    expect([code, counts.identity]).toEqual([0, { created: 0, updated: 0, deleted: 0, unchanged: 300 }]);
    expect((await run('export')).stdout).toBe(readFileSync(join(folder.path, 'all.ndjson'), 'utf8'));
  });

  test('faults are named with file and line, and nothing is imported', async () => {
    write('one.ndjson', ndjson([{ kind: 'entitlement', id: 'new-1', name: 'New' }]));
    write(
      'two.ndjson',
      `\n${ndjson([
        { kind: 'entitlement', id: 'new-2' },
        { kind: 'role', id: 'r-new', name: 'R', entitlements: [7] },
      ])}`,
    );
    const { code, stderr } = await run('import', 'one.ndjson', 'two.ndjson');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('two.ndjson:2: name: is required\ntwo.ndjson:3: entitlements[0]: must be a string'),
    ]);
    expect((await run('export')).stdout).not.toContain('new-1');
    write('three.ndjson', '{"kind":"entitlement","id":"x","name":"X"}\n{"kind":"entitlement",\n');
    expect(await run('import', 'three.ndjson')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^three\.ndjson:2:23: not JSON/m),
    });
  });

  test('more than a request takes is split where references allow it, goes on after a failure, and --prune removes the rest', async () => {
    const tenant = JSON.parse(
      (
        await run(
          'clients',
          'create',
          'large',
          '--tenant',
          'large',
          '--scopes',
          'access-model:manage,access-model:read',
          '--format',
          'json',
        )
      ).stdout,
    );
    const asTenant = ['--client-id', tenant.id, '--client-secret', tenant.secret, '--format', 'json'];
    const identity = (id: number, role = 'r-1') => ({
      kind: 'identity',
      id: `i-${id}`,
      uid: `u-${id}`,
      identityProfile: 'ip',
      // So long that a few records are more than a request takes.
      attributes: LONG_ATTRIBUTES,
      access: [{ type: 'ROLE', id: role }],
    });
    const people = Array.from({ length: 2_200 }, (_, id) => identity(id));
    const catalogue = [
      { kind: 'role', id: 'r-1', name: 'R', entitlements: ['e-1'] },
      { kind: 'entitlement', id: 'e-1', name: 'E' },
      { kind: 'identityProfile', id: 'ip', name: 'P' },
    ];
    write('large.ndjson', ndjson([...people, identity(-1, 'r-missing'), ...catalogue]));
    const first = await run('import', 'large.ndjson', ...asTenant);
    expect([first.code, first.stderr]).toEqual([
      1,
      expect.stringContaining('large.ndjson:2201: access[0].id: there is no role r-missing'),
    ]);
    expect(first.stderr).toMatch(/records are imported: the same command goes on from there/);
    const again = await run('import', 'large.ndjson', ...asTenant);
    expect(again.stderr).toContain('going on after 1 requests of an earlier run');
    write('large.ndjson', ndjson([...people, ...catalogue]));
    const whole = await run('import', 'large.ndjson', ...asTenant);
    expect([
      whole.code,
      JSON.parse(whole.stdout).counts.identity.created + JSON.parse(whole.stdout).counts.identity.unchanged,
    ]).toEqual([0, 2_200]);
    write('small.ndjson', ndjson([identity(1), ...catalogue]));
    const refused = await run('import', 'small.ndjson', '--prune', ...asTenant);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(
        /which the files lack: more than 10 %\. Nothing was changed\. If that is right: --confirm-deletes 2199\n$/,
      ),
    ]);
    const pruned = await run('import', 'small.ndjson', '--prune', '--confirm-deletes', '2199', ...asTenant);
    expect(JSON.parse(pruned.stdout).pruned).toBe(2_199);
    expect((await run('export', ...asTenant)).stdout.trimEnd().split('\n')).toHaveLength(4);
  });
});

test('diff, plan and apply bring a rulebook into the service, unless it has changed since', async () => {
  write('rules.yaml', RULES);
  const diff = await run('diff', 'rules.yaml', '--fail-on', 'new:HIGH', '--format', 'json');
  const found = JSON.parse(diff.stdout);
  expect([diff.code, found.added, found.removed]).toEqual([3, ['t-1'], []]);
  expect(found.summary.byPolicy).toMatchObject([
    { policyId: 't-1', new: found.violations.length, file: 'rules.yaml', line: 2 },
  ]);
  expect(found.violations[0]).toMatchObject({ change: 'new', policyId: 't-1', identityId: expect.any(String) });
  const sarif = JSON.parse((await run('diff', 'rules.yaml', '--format', 'sarif')).stdout);
  expect(sarif.runs[0].results).toMatchObject([{ ruleId: 't-1', level: 'error' }]);

  expect((await run('plan', 'rules.yaml', '-o', 'plan.json')).code).toBe(0);
  const applied = await run('apply', 'plan.json');
  expect([applied.code, applied.stdout]).toEqual([
    0,
    expect.stringMatching(/^policies: 1 created, 0 changed, 0 deleted; policy-set version \d+\n$/),
  ]);
  const refused = await run('apply', 'plan.json');
  // The policies have changed since: by the first one.
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('Nothing was changed: plan again.')]);
  const same = JSON.parse((await run('diff', 'rules.yaml', '--format', 'json')).stdout);
  expect([same.added, same.changed, same.removed, same.violations]).toEqual([[], [], [], []]);

  write('rules.yaml', RULES.replace('CRITICAL', 'LOW'));
  await run('plan', 'rules.yaml', '-o', 'plan.json');
  const pruned = await run('apply', 'plan.json', '--prune');
  const ofSample = readFileSync(SAMPLE, 'utf8').match(/"kind":"sodPolicy"/g)?.length;
  expect(pruned.stdout).toContain(`policies: 0 created, 1 changed, ${ofSample} deleted`);
  const exported = (await run('export')).stdout.split('\n').filter((line) => line.includes('"sodPolicy"'));
  expect(exported.map((line) => JSON.parse(line))).toMatchObject([
    { id: 't-1', level: 'LOW', ownerRef: { id: 'i-0001' } },
  ]);
  write('none.yaml', RULES.replace('erp-payment-release', '"nothing-*"'));
  expect(await run('plan', 'none.yaml', '-o', 'other.json')).toMatchObject({
    code: 1,
    stderr: 'none.yaml:7:13: no entitlement matches nothing-*\n',
  });
});

test('predict, check and explain answer as the service does', async () => {
  write('rules.yaml', RULES);
  await run('plan', 'rules.yaml', '-o', 'plan.json');
  await run('apply', 'plan.json');
  const predicted = await run(
    'predict',
    'i-0001',
    'erp-vendor-create',
    'ROLE:r-employee',
    '--format',
    'json',
    '--fail-on',
    'any',
  );
  expect([predicted.code, JSON.parse(predicted.stdout).violationContexts]).toMatchObject([
    3,
    [{ policy: { id: 't-1' } }],
  ]);
  const checked = await run(
    'check',
    'i-0001',
    'erp-vendor-create',
    '--wait',
    '--metadata',
    'ticket=7',
    '--format',
    'json',
  );
  expect(JSON.parse(checked.stdout)).toMatchObject({
    state: 'SUCCESS',
    violationCheckResult: { clientMetadata: { ticket: '7' }, violatedPolicies: [{ id: 't-1' }] },
  });
  const explained = await run('explain', 'i-0002', '--format', 'json');
  expect(JSON.parse(explained.stdout)).toMatchObject({ identity: { id: 'i-0002' }, via: expect.any(Object) });
  const { uid } = JSON.parse(explained.stdout).identity;
  const byUid = await run('explain', uid, '--format', 'json');
  expect([byUid.stderr, JSON.parse(byUid.stdout).identity.id]).toEqual([`${uid} is the uid of i-0002\n`, 'i-0002']);
  expect((await run('predict', uid, 'erp-vendor-create')).code).toBe(0);
  expect(await run('predict', 'nobody', 'erp-vendor-create')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no such identity'),
  });
});

test('receipts and the audit log are verified without the service', async () => {
  const { requestId } = JSON.parse((await run('check', 'i-0001', 'erp-vendor-create', '--format', 'json')).stdout);
  const check = await api.client.sodViolations.waitForCheck(requestId);
  write('receipt.jws', await api.client.sodViolations.receipt(requestId));
  write('check.json', JSON.stringify(check));
  write('jwks.json', JSON.stringify(await api.client.health.keys()));
  write('head.json', JSON.stringify(await api.client.auditEvents.head()));
  const events: object[] = [];
  for await (const event of api.client.auditEvents.export()) events.push(event);
  write('audit.ndjson', ndjson(events));
  write('cut.ndjson', ndjson(events.slice(0, -1)));
  write('gap.ndjson', ndjson(events.toSpliced(1, 1)));
  const receipt = await run('verify', 'receipt', 'receipt.jws', '--jwks', 'jwks.json', '--check', 'check.json');
  expect([receipt.code, JSON.parse(receipt.stdout).requestId]).toEqual([0, requestId]);
  write(
    'check.json',
    JSON.stringify({ ...check, violationCheckResult: { ...check.violationCheckResult, violationContexts: [] } }),
  );
  expect(await run('verify', 'receipt', 'receipt.jws', '--jwks', 'jwks.json', '--check', 'check.json')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not valid'),
  });
  const head = ['--head', 'head.json', '--jwks', 'jwks.json'];
  expect(await run('verify', 'audit', 'audit.ndjson', ...head)).toMatchObject({
    code: 0,
    stdout: `${events.length} events, all as they were recorded\n`,
  });
  expect(await run('verify', 'audit', 'cut.ndjson', ...head)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('cut off'),
  });
  expect(await run('verify', 'audit', 'gap.ndjson')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('broken at sequence'),
  });
});

test('who-can and what-can list what would violate no policy, and what is held', async () => {
  const [first] = (await run('what-can', 'i-0001', '--action', 'hold')).stdout.split('\n').slice(1);
  const [type = '', id = ''] = first?.split(/\s+/) ?? [];
  const ref = `${type.toUpperCase()}:${id}`;
  expect((await run('who-can', ref, '--action', 'hold')).stdout).toMatch(/^i-0001\s*$/m);
  const could = JSON.parse((await run('who-can', ref, '--format', 'json')).stdout);
  expect(could).toContainEqual({ type: 'identity', id: 'i-0001' });
  expect(JSON.parse((await run('what-can', 'i-0001', '--limit', '3', '--format', 'json')).stdout)).toHaveLength(3);
  expect(await run('who-can', 'ROLE:none')).toMatchObject({ code: 1, stderr: 'there is no ROLE none\n' });
  expect(await run('what-can', 'nobody')).toMatchObject({ code: 1, stderr: expect.stringContaining('no identity') });
  expect(await run('who-can', 'a', '--action', 'fly')).toMatchObject({ code: 2 });
});

test('fix-plan writes its steps as tables, CSV and JSON, and refuses what no plan can keep', async () => {
  const { steps, unsolvable, summary } = JSON.parse((await run('fix-plan', '--format', 'json')).stdout);
  expect(summary).toMatchObject({ revocations: steps.length, unsolvable: unsolvable.length });
  expect(steps.length).toBeGreaterThan(0);
  const [head, ...rows] = (await run('fix-plan', '--format', 'csv')).stdout.trim().split(/\r?\n/);
  expect(head).toBe('step,identity,name,type,revoke,revoked,ends,also loses,sources');
  expect(rows.map((row) => row.split(',')[1])).toEqual(
    steps.map(({ identityId }: { readonly identityId: string }) => identityId),
  );
  // Where everybody is needed, nothing can be revoked.
  const kept = (await run('fix-plan', '--keep-holders', '10')).stdout;
  expect(kept).toMatch(/^\d+ revocations end \d+ of \d+ violations; /);
  expect(kept).toContain('LAST_HOLDER');
  for (const wrong of ['11', '-1', 'all'])
    expect(await run('fix-plan', `--keep-holders=${wrong}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('0 to 10'),
    });
});

test('person export writes all that names a person, to a file too', async () => {
  const { code, stdout } = await run('person', 'export', 'i-0001');
  const kinds = stdout
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text).kind);
  expect([code, kinds[0], kinds.at(-1)]).toEqual([0, 'identity', 'auditEvent']);
  expect(await run('person', 'export', 'i-0001', '-o', 'person.ndjson')).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(join(folder.path, 'person.ndjson'), 'utf8')).toContain('"kind":"identity"');
  expect((await run('person', 'export', 'i-nobody')).code).toBe(1);
});

test('person erase names the pseudonym of a deleted identity, and refuses one that exists or that nothing names', async () => {
  const identity = { kind: 'identity', id: 'x-leaver', uid: 'x-leaver', identityProfile: 'ip-employees' } as const;
  await api.client.accessModel.import([identity]);
  expect(await run('person', 'erase', 'x-leaver')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('exists'),
  });
  await api.client.identities.delete('x-leaver');
  const { code, stdout } = await run('person', 'erase', 'x-leaver', '--format', 'json');
  expect(code).toBe(0);
  const { id, pseudonym } = JSON.parse(stdout);
  expect([id, pseudonym]).toEqual(['x-leaver', expect.stringMatching(/^erased-[0-9a-f]{8}$/)]);
  expect((await run('person', 'erase', 'x-leaver')).stdout).toBe(`x-leaver becomes ${pseudonym} within minutes\n`);
  expect((await run('person', 'erase', 'i-nobody')).code).toBe(1);
});

test('violations, webhooks, clients, events and doctor show what the service has', async () => {
  expect((await run('violations', 'export')).stdout).toMatch(/^id,name,status,level/);
  expect(JSON.parse((await run('violations', 'summary', '--format', 'json')).stdout)).toMatchObject({
    identities: 300,
  });
  expect((await run('webhooks', 'list')).stderr).toBe('none\n');
  const made = JSON.parse(
    (await run('clients', 'create', 'reader', '--scopes', 'events:read', '--format', 'json')).stdout,
  );
  const rotated = JSON.parse(
    (await run('clients', 'rotate', made.id, '--overlap-hours', '0', '--format', 'json')).stdout,
  );
  expect(rotated.secret).not.toBe(made.secret);
  expect((await run('clients', 'delete', made.id)).code).toBe(0);
  await run('clients', 'create', 'other', '--scopes', 'events:read', '--tenant', 'acme');
  const listed = async () =>
    JSON.parse((await run('tenants', 'list', '--format', 'json')).stdout).map(
      (each: { tenant: string }) => each.tenant,
    );
  expect(await listed()).toEqual(expect.arrayContaining(['acme', 'default']));
  expect(await run('tenants', 'delete', 'acme')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes acme'),
  });
  expect(await run('tenants', 'delete', '--yes', 'default')).toMatchObject({ code: 1 });
  expect(await run('tenants', 'delete', '--yes', 'acme')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('acme is removed'),
  });
  expect(await listed()).not.toContain('acme');
  expect(await run('exceptions', 'list')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The client lacks a right'),
  });
  const doctor = await run('doctor');
  expect([doctor.code, doctor.stdout]).toEqual([
    0,
    expect.stringMatching(/ok +TLS[\s\S]*ok +clock[\s\S]*ok +client[\s\S]*0 failures/),
  ]);
  const tail = await runCli(['events', 'tail', '--after', '0', '--format', 'json'], {
    cwd: folder.path,
    env: environment(),
    stopsWhen: (stdout) => stdout.includes('oauth-client'),
  });
  expect(tail.code).toBe(0);
  expect(
    tail.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type),
  ).toContain('org.access-admin.access-model.imported.v1');
});

test('scan and diff find the same in threads as in one, in the same order', async () => {
  const entitlements = Array.from({ length: 500 }, (_, id) => ({
    kind: 'entitlement',
    id: `e-${id}`,
    name: `E ${id}`,
  }));
  const refs = (seed: number) =>
    Array.from({ length: 50 }, (_, at) => ({ type: 'ENTITLEMENT', id: `e-${(seed * 7 + at * at * 3) % 500}` }));
  // Threads are used from 32 MiB on.
  const people = Array.from({ length: 3_600 }, (_, id) => ({
    kind: 'identity',
    id: `i-${id}`,
    uid: `u-${id}`,
    attributes: LONG_ATTRIBUTES,
    access: refs(id),
  }));
  const rules = (count: number) =>
    `policies:\n${Array.from({ length: count }, (_, id) => `  - {id: p-${id}, name: P ${id}, level: LOW, left: [e-${id}], right: [e-${id * 2 + 7}]}\n`).join('')}`;
  using here = openFiles({
    'm.ndjson': ndjson([...entitlements, ...people]),
    'a/r.yaml': rules(100),
    'b/r.yaml': rules(120),
  });
  expect(statSync(join(here.path, 'm.ndjson')).size).toBeGreaterThan(32 * 1024 * 1024);
  for (const args of [
    ['scan', '--local', 'm.ndjson', 'a'],
    ['diff', '--local', 'm.ndjson', 'a', 'b'],
  ]) {
    const paths = args.map((arg) => (existsSync(join(here.path, arg)) ? `./${arg}` : arg));
    const inOne = await here.run(...paths, '--format', 'json');
    expect(JSON.parse(inOne.out).violations.length).toBeGreaterThan(400);
    const inThreads = await runCli([...args, '--format', 'json'], { cwd: here.path });
    expect(inThreads.code).toBe(inOne.code);
    // A difference of this length is not shown.
    expect(inThreads.stdout === inOne.out).toBe(true);
  }
  // A faulty line is named by its number in the file, whichever thread has read it.
  writeFileSync(
    join(here.path, 'm.ndjson'),
    ndjson([...entitlements, ...people, { kind: 'identity', id: 'x', access: 1 }]),
  );
  const faulty = await runCli(['scan', '--local', 'm.ndjson', 'a'], { cwd: here.path });
  expect(faulty).toMatchObject({ code: 1, stdout: '', stderr: 'm.ndjson:4101:1: access: must be a list\n' });
});

test('verify backup finds a whole database, and refuses another file', async () => {
  const [, path = ''] = /^sqlite:(.*)$/.exec(service.databaseUrl) ?? [];
  expect(await run('verify', 'backup', path)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is a whole database'),
  });
  write('text.db', 'not a database');
  expect(await run('verify', 'backup', 'text.db')).toMatchObject({
    code: 1,
    stderr: 'text.db: file is not a database\n',
  });
});

test('the script of the gate runs all gates, and ends with the code of the first that does not pass', async () => {
  const gate = (rules: string) => {
    write('gated.yaml', rules);
    const env = {
      ...process.env,
      ...environment(),
      GATE_RULEBOOK: 'gated.yaml',
      // The script takes the program beside it, and Node from the path.
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    };
    try {
      execFileSync(join(ROOT, 'apps/cli/gate/gate.sh'), { cwd: folder.path, env, stdio: 'pipe' });
      return 0;
    } catch (error) {
      return Object(error).status;
    }
  };
  const tests =
    'tests:\n  - name: both\n    given: {holds: [erp-payment-release, erp-vendor-create]}\n    expect: {violates: [g-1]}\n';
  const rules =
    'policies:\n  - id: g-1\n    name: Gate\n    level: LOW\n    left: [erp-vendor-create]\n    right: [erp-payment-release]\n';
  expect(gate(`${rules}\n${tests}`)).toBe(0);
  const report = readFileSync(join(folder.path, 'gate/gate.md'), 'utf8');
  expect(report).toMatch(
    /### access-admin lint[\s\S]*### access-admin test[\s\S]*### access-admin diff\n\npolicies: 1 added/,
  );
  expect(JSON.parse(readFileSync(join(folder.path, 'gate/lint.sarif'), 'utf8')).version).toBe('2.1.0');
  expect(gate(`${rules.replace('LOW', 'HIGH')}\n${tests}`)).toBe(3);
  expect(gate(rules)).toBe(1);
});

test('a plan shows each field before and after, and what a file leaves out stays as it is', async () => {
  const ref = (id: string) => ({ type: 'ENTITLEMENT', id }) as const;
  const side = (...ids: string[]) => ({ name: 'side', criteriaList: ids.map((id) => ({ ...ref(id), name: null })) });
  const person = { kind: 'identity', identityProfile: 'ip-x' } as const;
  await api.client.accessModel.import([
    { kind: 'identityProfile', id: 'ip-x', name: 'X' },
    ...['e-x1', 'e-x2', 'e-x3'].map((id) => ({ kind: 'entitlement', id, name: id }) as const),
    { ...person, id: 'x-asker', uid: 'x-asker', capabilities: ['ORG_ADMIN'] },
    { ...person, id: 'x-approver', uid: 'x-approver', capabilities: ['POLICY_ADMIN'] },
    { ...person, id: 'x-both', uid: 'x-both', displayName: 'Both', access: [ref('e-x1'), ref('e-x2')] },
    { ...person, id: 'x-next', uid: 'x-next', displayName: 'Next', access: [ref('e-x1'), ref('e-x3')] },
    {
      kind: 'sodPolicy',
      id: 'x-1',
      name: 'X',
      level: 'MEDIUM',
      description: 'Described.',
      correctionAdvice: 'Advised.',
      compensatingControls: 'Controlled.',
      tags: ['tagged'],
      ownerRef: { type: 'IDENTITY', id: 'x-asker' },
      conflictingAccessCriteria: { leftCriteria: side('e-x1'), rightCriteria: side('e-x2') },
    },
  ]);
  const connect = async (identityId: string) => {
    const scopes = ['sod-exceptions:manage'] as const;
    const { id, secret } = await api.client.oauthClients.create({ name: identityId, scopes, identityId });
    return createClient({ baseAddress: api.baseAddress, clientId: id, clientSecret: secret });
  };
  const asker = await connect('x-asker');
  const approver = await connect('x-approver');
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const end = inMs(3_600_000);
  const asked = { policyId: 'x-1', identityId: 'x-both', start: inMs(-60_000), end, justification: 'Needed.' };
  const { id } = await asker.sodExceptions.create(asked);
  const { etag } = await approver.sodExceptions.get(id).withETag();
  await approver.sodExceptions.approve(id, { ifMatch: etag });
  const filters = 'policyId eq "x-1" and status eq "Mitigated"';
  const isCovered = async () => expect((await api.client.violations.page({ filters, limit: 1 })).items).toHaveLength(1);
  await vi.waitFor(isCovered, HANG_MS);

  write('x.yaml', 'policies:\n  - {id: x-1, name: X, left: [e-x1], right: [e-x2]}\n');
  const same = await run('plan', 'x.yaml', '--detailed-exitcode', '--format', 'json');
  expect(same.code).toBe(0);
  expect(JSON.parse(same.stdout)).toMatchObject({
    add: [],
    change: [],
    exceptions: [],
    violations: { new: 0, gone: 0 },
  });

  const changed =
    'policies:\n  - {id: x-1, name: X, level: LOW, advice: null, left: [e-x1], right: [e-x3]}\n  - {id: x-2, name: New, critical: [e-x3]}\n';
  write('x.yaml', changed);
  const plan = await run('plan', 'x.yaml', '--detailed-exitcode', '-o', 'x.json', '--format', 'json');
  expect([plan.code, JSON.parse(plan.stdout)]).toMatchObject([
    2,
    {
      add: [{ policy: { id: 'x-2', level: 'HIGH' } }],
      change: [
        {
          fields: [
            { field: 'level', before: 'MEDIUM', after: 'LOW' },
            { field: 'advice', before: 'Advised.', after: null },
            { field: 'right', before: ['e-x2'], after: ['e-x3'] },
          ],
        },
      ],
      exceptions: [{ id, policyId: 'x-1', identityId: 'x-both', end }],
      violations: {
        new: 2,
        gone: 1,
        named: [
          { change: 'new', policyId: 'x-1', identityId: 'x-next' },
          { change: 'new', policyId: 'x-2', identityId: 'x-next' },
          { change: 'gone', policyId: 'x-1', identityId: 'x-both' },
        ],
      },
    },
  ]);
  const shown = await run('plan', 'x.yaml');
  expect([shown.code, shown.stdout.split('\n')]).toEqual([
    0,
    expect.arrayContaining([
      '+ x-2  New',
      '    name      "New"',
      '    critical  ["e-x3"]',
      '~ x-1  X',
      '    level   "MEDIUM" → "LOW"',
      '    advice  "Advised." → null',
      '    right   - e-x2',
      '            + e-x3',
      'exceptions that become void: 1',
      expect.stringMatching(new RegExp(`^  ${id} +x-1 +x-both +Both +${end}$`)),
      'violations: 2 begin, 1 end, 0 stay',
      expect.stringMatching(/^gone +Both +x-both +x-1 +e-x1 \+ e-x2$/),
    ]),
  ]);
  // Policies that stay are no changes: they are named apart, and as deleted only by a plan that deletes them.
  expect([shown.stdout, shown.stderr]).toEqual([
    expect.not.stringMatching(/^- /m),
    expect.stringMatching(/^policies left as they are, because the files lack them: .+ \(--prune deletes them\)$/m),
  ]);
  expect((await run('plan', 'x.yaml', '--prune')).stdout).toMatch(/^- \S+ {2}deleted by `apply --prune`$/m);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(1);
  expect((await run('plan')).code).toBe(2);

  expect((await run('apply', 'x.json')).code).toBe(0);
  expect(await api.client.sodPolicies.get('x-1')).toMatchObject({
    level: 'LOW',
    description: 'Described.',
    correctionAdvice: null,
    compensatingControls: 'Controlled.',
    tags: ['tagged'],
    ownerRef: { id: 'x-asker' },
    conflictingAccessCriteria: { leftCriteria: { name: 'side' }, rightCriteria: { name: 'side' } },
  });
  expect(await asker.sodExceptions.get(id)).toMatchObject({ state: 'VOID' });
  await api.client.accessModel.import(['x-1', 'x-2'].map((each) => ({ kind: 'sodPolicy', id: each, delete: true })));
});
