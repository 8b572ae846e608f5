import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@access-admin/client';
import { createTestDatabase, freePort, openFolder, openRowReader, openService, ROOT } from '@access-admin/harness';
import { expect, onTestFinished, test } from 'vitest';
import { blocksOf, runShell, sectionBlocks, withOwn } from './pages.ts';
import { SMALL_COMPANY } from './small-company.ts';

const RUNNING = 'docs/operations/running.md';
const SEVERAL = 'docs/operations/several-machines.md';
const UPGRADING = 'docs/operations/upgrading.md';
const AUDIT_LOG = 'docs/reference/audit-log.md';

/** The first lines of the page that several pages take `base` and `token` from. */
const [FIRST_CALLS = ''] = sectionBlocks('docs/start/first-steps.md', 'A first prediction');

/** Waits in a script until an API is ready. */
const untilReady = (port: number) =>
  `curl -sf --retry 60 --retry-delay 1 --retry-all-errors http://127.0.0.1:${port}/readyz > /dev/null\n`;

/** A folder of this test, and an API on a fresh file. */
async function start() {
  const service = openService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  const api = await service.startApi();
  await api.client.accessModel.import(SMALL_COMPANY);
  const token = async (client: Readonly<Record<string, string>> = {}) => {
    const { clientId, clientSecret } = service.credentials;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, ...client };
    const answer = await fetch(`${api.baseAddress}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    return String(Object(await answer.json()).access_token);
  };
  return { service, api, token };
}

/** Runs a script that must succeed in a folder, and returns what it prints. */
function succeed(script: string, env: Readonly<Record<string, string>>, cwd?: string): string {
  const { status, stderr, stdout } = runShell(script, env, cwd);
  expect([status, stderr], script).toEqual([0, expect.any(String)]);
  return stdout;
}

test('two APIs and two workers on PostgreSQL, as the page about more than one machine starts them', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.remove);
  const ports = [await freePort(), await freePort()] as const;
  const own = (text: string) => text.replaceAll('8080', String(ports[0])).replaceAll('8081', String(ports[1]));
  const [startAll = '', call = ''] = blocksOf(SEVERAL).map(({ text }) => own(text));
  const isSetUp = (line: string) => /^(npm run setup|createdb )/.test(line);
  const lines = startAll.split('\n');
  expect(lines.filter(isSetUp)).toHaveLength(2);
  // The checkout is set up, and the database is that of this test.
  const begin = lines.filter((line) => !isSetUp(line)).join('\n');
  const url = /^export DATABASE_URL=(.*)$/m.exec(begin)?.[1] ?? '';
  const [, stop = ''] = /`(kill [^`]+)` stops them/.exec(readFileSync(join(ROOT, SEVERAL), 'utf8')) ?? [];
  const ready = ports.map(untilReady).join('');
  const webhook = `curl -s ${own('http://127.0.0.1:8081')}/webhooks/v1 -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{ "name": "w", "url": "https://example.com/", "types": ["ui-metadata.*"] }'\n`;
  // Their log is not what the script prints.
  const script = `${withOwn(begin, { [url]: `"${database.url}"`, ' &\n': ' > /dev/null &\n' })}${ready}${call}\n${webhook}${stop}\nwait\n`;
  const printed = succeed(script, {});
  expect(printed).toContain('"sodPolicy":{"created":66,');
  // Without a key of secrets the answer is 409.
  expect(printed).toMatch(/"secret":"whsec_/);
});

test('backups and a restore of SQLite, as the page about running says', async () => {
  const { service, api } = await start();
  const folder = openFolder('backups');
  onTestFinished(() => folder[Symbol.dispose]());
  mkdirSync(join(folder.path, 'mnt'));
  const own = (text: string) =>
    withOwn(text, {
      'npx access-admin': join(ROOT, 'node_modules/.bin/access-admin'),
      '/mnt/backups': join(folder.path, 'mnt'),
    });
  const env = { DATABASE_URL: service.databaseUrl };
  const blocks = own(sectionBlocks(RUNNING, 'SQLite: backup').join(''));
  const backup = withOwn(blocks, { '/var/lib/prometheus/node-exporter': join(folder.path, 'mnt') });
  succeed(backup, env, folder.path);
  const [replacing = ''] = backup.split('\n').filter((line) => line.includes('--overwrite'));
  succeed(replacing, env, folder.path);
  expect(
    ['mnt/monday.db', 'mnt/latest.db', 'mnt/access-admin.prom', 'var/backups'].filter(
      (name) => !existsSync(join(folder.path, name)),
    ),
  ).toEqual([]);

  await api.client.uiMetadata.set({ usernameLabel: 'Badge' });
  await api.stop();
  const restore = own(sectionBlocks(RUNNING, 'SQLite: restore').join('')).trimEnd();
  // Without a terminal it needs `--yes`, as the page says.
  expect(runShell(restore, env, folder.path)).toMatchObject({ status: 2 });
  succeed(`${restore} --yes`, env, folder.path);
  const again = await service.startApi();
  expect(await again.client.uiMetadata.get()).not.toMatchObject({ usernameLabel: 'Badge' });
  expect((await Array.fromAsync(again.client.accessModel.export())).length).toBeGreaterThan(0);
});

test('a tenant moves in parts, as the page about running says', async () => {
  const left = await start();
  const right = await start();
  const folder = openFolder('moving');
  onTestFinished(() => folder[Symbol.dispose]());
  const env = {
    OLD: left.api.baseAddress,
    NEW: right.api.baseAddress,
    old_token: await left.token(),
    new_token: await right.token(),
  };
  const [exporting = '', importing = ''] = sectionBlocks(RUNNING, 'Moving a tenant from SQLite to PostgreSQL');
  // Small parts, so that there are several.
  succeed(withOwn(exporting, { '15M': '300' }) + importing, env, folder.path);
  expect(existsSync(join(folder.path, 'part-ab'))).toBe(true);
  const moved = `curl -sf "$NEW/access-model/v1/export" -H "Authorization: Bearer $new_token"`;
  expect(succeed(moved, env)).toBe(readFileSync(join(folder.path, 'export.ndjson'), 'utf8'));
});

test('a client gets a new scope, and the bootstrap client another secret, as the pages say', async () => {
  const { api, service, token } = await start();
  const { id, secret } = await api.client.oauthClients.create({ name: 'reader', scopes: ['sod-policies:read'] });
  const env = {
    BASE: api.baseAddress,
    BASE_ADDRESS: api.baseAddress,
    DATABASE_URL: service.databaseUrl,
    BOOTSTRAP_CLIENT_ID: service.credentials.clientId,
    client: id,
    token: await token(),
  };
  succeed(sectionBlocks(UPGRADING, 'New scopes').join(''), env);
  const reader = createClient({ baseAddress: api.baseAddress, clientId: id, clientSecret: secret });
  expect((await reader.auditEvents.page({ limit: 1 })).items).toHaveLength(1);

  const [rotate = '', reset = ''] = sectionBlocks(RUNNING, 'The bootstrap client');
  const rotated = JSON.parse(succeed(rotate, env)).secret;
  expect(await token({ client_secret: rotated })).not.toBe('undefined');
  const { BOOTSTRAP_CLIENT_ID: _, ...without } = env;
  const printed = succeed(reset, without);
  expect(await token({ client_secret: rotated })).toBe('undefined');
  const renewed = /[A-Za-z0-9_-]{32,}/.exec(printed)?.[0] ?? '';
  expect(await token({ client_secret: renewed })).not.toBe('undefined');
});

test('a log is read and verified as the page about the audit log says', async () => {
  const { api, service } = await start();
  const folder = openFolder('audit');
  onTestFinished(() => folder[Symbol.dispose]());
  mkdirSync(join(folder.path, 'var'));
  writeFileSync(join(folder.path, 'var/bootstrap-client.json'), JSON.stringify(service.credentials, null, 2));
  const env = { PORT: new URL(api.baseAddress).port };
  const [, listed = ''] =
    /^- `resource.type` is one of ([^;]*);/m.exec(readFileSync(join(ROOT, AUDIT_LOG), 'utf8')) ?? [];
  const { components } = Object(await (await fetch(`${api.baseAddress}/openapi.json`)).json());
  const { type } = components.schemas.AuditEvent.properties.resource.properties;
  expect([...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(type.enum);
  const reading = sectionBlocks(AUDIT_LOG, 'Reading it').join('');
  expect(succeed(`${FIRST_CALLS}\n${reading}`, env, folder.path)).toMatch(/\[\]\s*$/);
  const verifying = withOwn(sectionBlocks(AUDIT_LOG, 'Verifying it').join(''), {
    'node_modules/.bin/node apps': `${process.execPath} ${ROOT}apps`,
  });
  expect(succeed(`${FIRST_CALLS}\n${verifying}`, env, folder.path)).toContain('all as they were recorded');
  const log = join(folder.path, 'log.ndjson');
  writeFileSync(log, readFileSync(log, 'utf8').replace('"outcome":"ALLOWED"', '"outcome":"DENIED"'));
  const [command = ''] = verifying.match(/^.*audit-verify.*$/m) ?? [];
  expect(runShell(command, env, folder.path)).toMatchObject({ status: 1 });
});

test('the calls of the guides about sign-in, look-ups and single records are answered as they say', async () => {
  const { api, token } = await start();
  const sample = readFileSync(join(ROOT, 'tooling/sample/sample.ndjson'), 'utf8');
  await api.client.accessModel.import(sample);
  await api.client.accessModel.import([
    { kind: 'identityProfile', id: 'ip-staff', name: 'Staff' },
    { kind: 'identity', id: 'i-guide', uid: 'guide', identityProfile: 'ip-staff', displayName: 'Uma Straße' },
  ]);
  const own = await token();
  const env = { base: api.baseAddress, token: own, BASE: api.baseAddress, TOKEN: own };
  const answer = (page: string, heading: string) => JSON.parse(succeed(sectionBlocks(page, heading).join(''), env));
  expect(answer('docs/guides/sign-in.md', 'The decision')).toMatchObject({ decision: 'ALLOW' });
  expect(answer('docs/guides/sign-in.md', 'Guard-rails')).toMatchObject({ newlySecondFactor: expect.any(Number) });
  expect(answer('docs/reference/look-ups.md', '')).toMatchObject([{ id: 'i-guide', displayName: 'Uma Straße' }]);
  const { assignments, access } = answer('docs/reference/look-ups.md', 'One record');
  expect(JSON.stringify(assignments ?? access)).toContain('r-payments');
});

test('PostgreSQL is set up, tuned and watched by the statements of its page', async () => {
  const server = await createTestDatabase();
  onTestFinished(server.remove);
  const name = `page_${randomUUID().replaceAll('-', '')}`;
  const page = 'docs/operations/postgresql.md';
  const runAll = async (url: string, statements: string) => {
    await using reader = await openRowReader(url);
    for (const statement of statements.split(/;\n/).filter((text) => text.trim() !== '')) await reader.read(statement);
  };
  const [create = ''] = sectionBlocks(page, 'Setting it up', 'sql');
  await runAll(server.url, withOwn(create, { access_admin: name }));
  onTestFinished(() => runAll(server.url, `drop database ${name} with (force);\ndrop role ${name};\n`));
  const [exported = ''] = sectionBlocks(page, 'Setting it up');
  const shown = /'(.*)'/.exec(exported)?.[1] ?? '';
  // The server of the tests has no TLS.
  const databaseUrl = withOwn(shown, {
    access_admin: name,
    'db.example.com:5432': new URL(server.url).host,
    '?sslmode=verify-full': '',
  });
  await using service = openService({ databaseUrl });
  const { client } = await service.startApi();
  await client.accessModel.import(SMALL_COMPANY);
  await runAll(databaseUrl, sectionBlocks(page, 'Vacuum', 'sql').join(''));
  await runAll(databaseUrl, sectionBlocks(page, 'What to watch', 'sql').join(''));
});

test('a dump of PostgreSQL is restored into a new database, as the page about running says', async (context) => {
  const database = await createTestDatabase();
  onTestFinished(database.remove);
  const service = openService({ databaseUrl: database.url });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const api = await service.startApi();
  await api.client.accessModel.import(SMALL_COMPANY);
  const probe = runShell('pg_dump --schema-only --file=/dev/null "$DATABASE_URL"', { DATABASE_URL: database.url });
  if (probe.status !== 0)
    return context.skip(`pg_dump of this machine cannot dump the server of the tests: ${probe.stderr.trim()}`);
  const before = await Array.fromAsync(api.client.accessModel.export());
  const folder = openFolder('dump');
  onTestFinished(() => folder[Symbol.dispose]());
  const restored = await createTestDatabase();
  onTestFinished(restored.remove);
  const { hostname, port, username, password, pathname } = new URL(restored.url);
  const [dump = '', restore = ''] = sectionBlocks(RUNNING, 'PostgreSQL: backup and restore');
  const name = pathname.slice(1);
  const script = dump + withOwn(restore, { 'createdb access_admin_restored\n': '', access_admin_restored: name });
  succeed(
    script,
    { DATABASE_URL: database.url, PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password },
    folder.path,
  );
  await using moved = openService({ databaseUrl: restored.url });
  const { client } = await moved.startApi();
  expect(await Array.fromAsync(client.accessModel.export())).toEqual(before);
});
