import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestServer } from './open-test-server.ts';
import { makeServerFolder } from './server-folder.ts';
import { type PostgresServer, startPostgres } from './start-server.ts';

// The process table may list a killed process a little longer than its streams are open.
const WAIT = { timeout: 30_000 };

let folder = '';
let server: Awaited<ReturnType<typeof startPostgres>> = { unavailable: 'it is not started yet' };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'access-admin-postgres-test-'));
  // The user that runs the server must be able to enter the folder.
  chmodSync(folder, 0o755);
  vi.stubEnv('TMPDIR', folder);
  server = await startPostgres();
});

afterAll(async () => {
  if (!('unavailable' in server)) await server[Symbol.asyncDispose]();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const onServer = test.extend<{ running: PostgresServer }>({
  running: [
    async ({ skip }, use) => {
      if ('unavailable' in server) return skip(server.unavailable);
      if (server.pid() === null) await server.start();
      await use(server);
    },
    { auto: true },
  ],
});

async function query(url: string, statement: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    const results = await client.query({ text: statement, rowMode: 'array' });
    // Of several statements, the last one's.
    return [results].flat().at(-1)?.rows.flat() ?? [];
  } finally {
    await client.end();
  }
}

// A zombie counts as ended.
const isThere = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !existsSync('/proc/self/stat') || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

onServer('a server is durable, stores UTF-8 and listens on 127.0.0.1 only', async ({ running }) => {
  const settings = ['fsync', 'synchronous_commit', 'full_page_writes', 'server_encoding', 'listen_addresses'];
  const shown = await Promise.all(settings.map((setting) => query(running.url, `show ${setting}`)));
  expect(shown.flat()).toEqual(['on', 'on', 'on', 'UTF8', '127.0.0.1']);
  const wrong = new URL(running.url);
  wrong.password = 'wrong';
  await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
});

onServer('a database is empty, separate from others, and can be removed while in use', async ({ running }) => {
  const [one, other] = await Promise.all([running.createDatabase(), running.createDatabase()]);
  await query(one.url, 'create table here (id int)');
  expect(await query(other.url, `select to_regclass('here')`)).toEqual([null]);
  const user = new pg.Client({ connectionString: one.url });
  user.on('error', () => {});
  const cutOff = new Promise((resolve) => user.once('end', () => resolve('cut off')));
  await user.connect();
  await one.remove();
  expect(await cutOff).toBe('cut off');
  await expect(query(one.url, 'select 1')).rejects.toThrow('does not exist');
  await other.remove();
});

onServer.for(['fast', 'immediate', 'kill'] as const)(
  'committed data survives a stop: %s',
  async (mode, { running }) => {
    const database = await running.createDatabase();
    await query(database.url, 'create table kept (id int); insert into kept values (1), (2)');
    const before = running.pid();
    const processes = await query(running.url, 'select pid from pg_stat_activity');
    await running.stop(mode);
    expect(running.pid()).toBeNull();
    await expect.poll(() => processes.map(Number).filter(isThere), WAIT).toEqual([]);
    await expect(query(database.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
    await running.start();
    expect(running.pid()).not.toBe(before);
    expect(await query(database.url, 'select id from kept order by id')).toEqual([1, 2]);
    await database.remove();
  },
);

onServer('a server that was killed from outside starts again; a running one refuses to start', async ({ running }) => {
  const pid = running.pid();
  if (pid === null) throw new Error('It does not run.');
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => running.pid(), WAIT).toBeNull();
  await running.start();
  expect(await query(running.url, 'select 1')).toEqual([1]);
  await expect(running.start()).rejects.toThrow('running already');
});

onServer('a running statement rejects when the server is killed', async ({ running }) => {
  const asleep = expect(query(running.url, 'select pg_sleep(600)')).rejects.toThrow('Connection terminated');
  await expect
    .poll(() => query(running.url, `select 1 from pg_stat_activity where wait_event = 'PgSleep'`), WAIT)
    .toEqual([1]);
  await running.stop('kill');
  await asleep;
  await running.start();
});

onServer('disposing of a server, even twice, leaves no process and no file', async ({ running }) => {
  const folders = readdirSync(folder);
  const another = await startPostgres({ settings: { max_connections: '7' } });
  if ('unavailable' in another) throw new Error(another.unavailable);
  expect(await query(another.url, 'show max_connections')).toEqual(['7']);
  expect(another.url).not.toBe(running.url);
  const processes = await query(another.url, 'select pid from pg_stat_activity');
  await another[Symbol.asyncDispose]();
  await another[Symbol.asyncDispose]();
  expect(readdirSync(folder)).toEqual(folders);
  await expect.poll(() => processes.map(Number).filter(isThere), WAIT).toEqual([]);
});

onServer('a server that cannot start rejects with the reason and leaves no file', async () => {
  const folders = readdirSync(folder);
  await expect(startPostgres({ settings: { max_connections: 'plenty' } })).rejects.toThrow(
    '"max_connections": "plenty"',
  );
  expect(readdirSync(folder)).toEqual(folders);
});

onServer('killing the process that started a server ends the server and removes its files', async () => {
  const folders = readdirSync(folder);
  const program = `
    const { startPostgres } = await import(${JSON.stringify(new URL('start-server.ts', import.meta.url).href)});
    const server = await startPostgres();
    console.log(server.pid());`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(parent.stdout, 'data', { signal: AbortSignal.timeout(30_000) }).finally(() =>
    parent.kill('SIGKILL'),
  );
  const pid = Number(line);
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => readdirSync(folder), WAIT).toEqual(folders);
  await expect.poll(() => isThere(pid), WAIT).toBe(false);
});

onServer('TEST_POSTGRES_URL names the server to use instead', async ({ running }) => {
  vi.stubEnv('TEST_POSTGRES_URL', running.url);
  const used = await openTestServer();
  if ('unavailable' in used) throw new Error(used.unavailable);
  const database = await used.createDatabase();
  await used[Symbol.asyncDispose]();
  expect(await query(database.url, 'select 1')).toEqual([1]);
  await database.remove();
});

test('binaries that the server user cannot run are copied to a folder of that user', () => {
  const native = join(folder, 'closed/native');
  mkdirSync(join(native, 'bin'), { recursive: true });
  writeFileSync(join(native, 'bin/postgres'), '', { mode: 0o755 });
  chmodSync(join(folder, 'closed'), 0o700);
  const made = makeServerFolder(native, false);
  expect(made.native).toBe(process.getuid?.() === 0 ? join(made.path, 'native') : native);
  expect(existsSync(join(made.native, 'bin/postgres'))).toBe(true);
  rmSync(made.path, { recursive: true });
});
