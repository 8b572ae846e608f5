import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccessAdminClient, AccessModelInput } from '@access-admin/client';
import { openService, ROOT, type Service, startProcess } from '@access-admin/harness';
import { describe, expect, test } from 'vitest';
import { SMALL_COMPANY } from './small-company.ts';

const COMMAND = join(ROOT, 'apps/server/bin/access-admin.mjs');

const databaseOf = ({ folder }: Service) => join(folder, 'access-admin.db');

/** Runs `access-admin backup` or `restore`. Returns its output and exit code. */
async function runTool(tool: 'backup' | 'restore', args: readonly string[], url: string) {
  await using running = startProcess([process.execPath, COMMAND, tool, ...args], {
    env: { DATABASE_URL: url },
    cwd: ROOT,
  });
  return { code: (await running.ended).code, output: running.output() };
}

const backUp = (service: Service, ...args: readonly string[]) =>
  runTool('backup', args, `sqlite:${databaseOf(service)}`);
const restore = (service: Service, ...args: readonly string[]) =>
  runTool('restore', ['--yes', ...args], `sqlite:${databaseOf(service)}`);

test('a backup of a running service is one private file, and a restore brings its data back', async () => {
  await using service = openService();
  const api = await service.startApi();
  await api.client.accessModel.import(SMALL_COMPANY);
  const before = await Array.fromAsync(api.client.accessModel.export());
  const target = join(service.folder, 'backups', 'one.db');
  expect(await backUp(service, '--to', target)).toMatchObject({ code: 0, output: expect.stringContaining(target) });
  expect(readdirSync(join(service.folder, 'backups'))).toEqual(['one.db']);
  expect(statSync(target).mode & 0o777).toBe(0o600);
  await api.client.accessModel.import([{ kind: 'sodPolicy', id: 'p-1', delete: true }]);

  const early = await restore(service, '--from', target);
  expect(early).toMatchObject({ code: 1, output: expect.stringContaining('is in use') });
  await api.stop();
  const done = await restore(service, '--from', target);
  expect(done).toMatchObject({ code: 0, output: expect.stringContaining('is kept at') });
  expect(statSync(databaseOf(service)).mode & 0o777).toBe(0o600);

  const again = await service.startApi();
  expect(await Array.fromAsync(again.client.accessModel.export())).toEqual(before);
  await again.stop();
  // The database from before the restore is kept, and can be restored in turn.
  const kept = /is kept at (.+)\.\n/.exec(done.output)?.[1] ?? '';
  expect(await restore(service, '--from', kept)).toMatchObject({ code: 0 });
  const last = await service.startApi();
  expect(await Array.fromAsync(last.client.accessModel.export())).toHaveLength(before.length - 1);
});

/** The identities of the present violations, once the register is of the present. */
async function readViolating({ violations }: AccessAdminClient): Promise<readonly string[]> {
  const startedMs = Date.now();
  const filters = 'status in ("Open", "Mitigated")';
  const readMoment = async () => Date.parse((await violations.page({ limit: 1 })).asOf ?? '');
  await expect.poll(readMoment).toBeGreaterThanOrEqual(startedMs);
  return (await Array.fromAsync(violations.list({ filters }))).map(({ target }) => target.id).sort();
}

test('after a restore the register has the older data, and readers of later events are told to begin again', async () => {
  await using service = openService();
  const api = await service.startApi();
  const worker = service.startWorker();
  const { accessModel, events, uiMetadata } = api.client;
  const violating = (id: string): AccessModelInput => ({
    kind: 'identity',
    id,
    uid: id,
    identityProfile: 'ip-staff',
    access: ['e-vendor', 'e-pay'].map((each) => ({ type: 'ENTITLEMENT', id: each })),
  });
  await accessModel.import([...SMALL_COMPANY, violating('i-cat')]);
  expect(await readViolating(api.client)).toEqual(['i-cat']);
  // The file is of a moment at which the register lacks a change.
  await worker.stop();
  await accessModel.import([violating('i-dan')]);
  const target = join(service.folder, 'one.db');
  await backUp(service, '--to', target);
  const later = service.startWorker();
  await accessModel.import([{ kind: 'identity', id: 'i-cat', delete: true }, violating('i-fay')]);
  expect(await readViolating(api.client)).toEqual(['i-dan', 'i-fay']);
  for (let label = 0; label < 20; label++) await uiMetadata.set({ usernameLabel: `${label}` });
  const { last } = await events.page({ limit: 1_000 });
  await later.stop();
  await api.stop();
  expect(await restore(service, '--from', target)).toMatchObject({ code: 0 });

  const again = await service.startApi();
  const restored = service.startWorker();
  await expect(again.client.events.page({ after: last })).rejects.toMatchObject({ status: 410, detailCode: '410' });
  expect(await readViolating(again.client)).toEqual(['i-cat', 'i-dan']);
  const told = await Array.fromAsync(again.client.events.list({ types: ['sod.violation.*'] }));
  expect(told.map(({ type, data }) => `${type.split('.').at(-2)} ${Object(data).target.id}`)).toEqual([
    'opened i-cat',
    'opened i-dan',
  ]);
  expect(restored.output()).not.toContain('corrected the register');
});

test('a restore creates the database where there is none', async () => {
  await using service = openService();
  const api = await service.startApi();
  await api.client.accessModel.import(SMALL_COMPANY);
  const target = join(service.folder, 'one.db');
  await backUp(service, '--to', target);
  const moved = join(service.folder, 'elsewhere', 'access-admin.db');
  expect(await runTool('restore', ['--yes', '--from', target], `sqlite:${moved}`)).toMatchObject({ code: 0 });
  const there = await service.startApi({ DATABASE_URL: `sqlite:${moved}` });
  expect(await Array.fromAsync(there.client.accessModel.export())).toHaveLength(SMALL_COMPANY.length);
});

describe('nothing is changed by', () => {
  test('a backup to a file that exists, unless it is to be overwritten', async () => {
    await using service = openService();
    await (await service.startApi()).stop();
    const target = join(service.folder, 'one.db');
    writeFileSync(target, 'precious');
    expect(await backUp(service, '--to', target)).toMatchObject({ code: 1 });
    expect(readFileSync(target, 'utf8')).toBe('precious');
    expect(await backUp(service, '--to', target, '--overwrite')).toMatchObject({ code: 0 });
    expect(statSync(target).size).toBeGreaterThan(10_000);
  });

  test('a backup to the database itself, by any path', async () => {
    await using service = openService();
    await (await service.startApi()).stop();
    const link = join(service.folder, 'link.db');
    symlinkSync(databaseOf(service), link);
    const before = readFileSync(databaseOf(service));
    expect(await backUp(service, '--to', link, '--overwrite')).toMatchObject({ code: 1 });
    expect(await backUp(service, '--to', `${databaseOf(service)}-wal`, '--overwrite')).toMatchObject({ code: 1 });
    expect(readFileSync(databaseOf(service))).toEqual(before);
  });

  test('a backup of a database that does not exist', async () => {
    await using service = openService();
    const target = join(service.folder, 'one.db');
    expect(await backUp(service, '--to', target)).toMatchObject({ code: 1 });
    expect(existsSync(target)).toBe(false);
    expect(existsSync(databaseOf(service))).toBe(false);
  });

  test('a restore of a damaged file, of another database or of a later version', async () => {
    await using service = openService();
    const api = await service.startApi();
    await api.client.accessModel.import(SMALL_COMPANY);
    await api.stop();
    const whole = join(service.folder, 'whole.db');
    await backUp(service, '--to', whole);
    const before = readFileSync(databaseOf(service));
    const backup = readFileSync(whole);
    const later = Buffer.from(backup);
    later.write('0009-initial', later.indexOf('0001-initial'));
    // Every page but the first.
    const damaged = Buffer.from(backup).fill(0xff, 4096);
    const wrongs = { later, damaged, other: Buffer.from('hello'), empty: Buffer.alloc(0) };
    for (const [name, content] of Object.entries(wrongs)) {
      const source = join(service.folder, `${name}.db`);
      writeFileSync(source, content);
      expect(await restore(service, '--from', source), name).toMatchObject({ code: 1 });
    }
    expect(await restore(service, '--from', join(service.folder, 'missing.db'))).toMatchObject({ code: 1 });
    expect(readFileSync(databaseOf(service)).equals(before)).toBe(true);
  });
});

test('an unreadable database is moved aside unchanged', async () => {
  await using service = openService();
  await (await service.startApi()).stop();
  const target = join(service.folder, 'one.db');
  await backUp(service, '--to', target);
  writeFileSync(databaseOf(service), 'x'.repeat(5000));
  const { code, output } = await restore(service, '--from', target);
  expect(code).toBe(0);
  expect(readFileSync(/is kept at (.+)\.\n/.exec(output)?.[1] ?? '', 'utf8')).toBe('x'.repeat(5000));
  await service.startApi();
});

describe('an invalid call', () => {
  test.each([
    ['backup', ['--too', 'x'], 'sqlite:x.db', '--too'],
    ['backup', [], 'postgres://user:hunter2@db/access', 'pg_dump'],
    ['backup', [], 'sqlite::memory:', 'sqlite:<path'],
    ['restore', [], 'sqlite:x.db', '--from <file>'],
    ['restore', ['--from', 'x'], 'mysql://x', 'sqlite:<path'],
  ] as const)('%s %j on %s ends with 2 and says why', async (tool, args, url, reason) => {
    const { code, output } = await runTool(tool, args, url);
    expect(code).toBe(2);
    expect(output).toContain(reason);
    expect(output).not.toContain('hunter2');
  });
});

test('a restore fails if the path of the database is that of a folder', async () => {
  await using service = openService();
  await (await service.startApi()).stop();
  const target = join(service.folder, 'one.db');
  await backUp(service, '--to', target);
  const folder = join(service.folder, 'taken');
  mkdirSync(folder);
  expect(await runTool('restore', ['--yes', '--from', target], `sqlite:${folder}`)).toMatchObject({ code: 1 });
});
