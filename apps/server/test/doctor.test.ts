import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createEngineDatabase, holdTransaction, openFolder } from '@access-admin/harness';
import { openSecrets, openStore } from '@access-admin/store';
import { expect, onTestFinished, test } from 'vitest';
import { runHere } from './run-here.ts';

const HOUR_MS = 3_600_000;

async function openDatabase(engine?: 'postgres'): Promise<string> {
  const { url, remove } = await createEngineDatabase(engine, async (address) => (await openStore(address)).close());
  onTestFinished(remove);
  if (!url.startsWith('sqlite:')) return url;
  // The command warns of a file in memory.
  const folder = openFolder('doctor');
  onTestFinished(() => folder[Symbol.dispose]());
  const path = join(folder.path, 'test.db');
  copyFileSync(url.replace('sqlite:', ''), path);
  return `sqlite:${path}`;
}

async function execute(url: string, statement: string): Promise<void> {
  if (url.startsWith('postgres')) return (await holdTransaction(url, statement)).commit();
  using database = new DatabaseSync(url.replace('sqlite:', ''));
  database.exec(statement);
}

/** What `doctor` finds, by what is examined. */
async function examine(folder: string, env: Readonly<Record<string, string>>) {
  const { code, out, notes } = await runHere(['doctor', '--format', 'json'], { folder, env });
  expect(notes).toBe('');
  const { findings }: { readonly findings: readonly { what: string; state: string; text: string }[] } = JSON.parse(out);
  const found = Object.fromEntries(findings.map(({ what, state, text }) => [what, { state, text }]));
  return { code, found };
}

test('doctor examines the database without a client of the service', async () => {
  using folder = openFolder('doctor');
  const { code, found } = await examine(folder.path, { DATABASE_URL: await openDatabase() });
  expect([code, found]).toMatchObject([
    0,
    {
      service: { state: 'warning', text: expect.stringContaining('no --url, --client-id, --client-secret') },
      'configuration of the processes': { state: 'ok' },
      database: { state: 'ok' },
      schema: { state: 'ok' },
      'disk room': { text: expect.stringMatching(/free|PostgreSQL server/) },
      backup: { state: 'warning', text: expect.stringContaining('there is none') },
    },
  ]);
  // Tests may run in memory, which the command tells.
  expect(['ok', 'failure']).toContain(found['commits']?.state);
});

test.each([
  [5, 'ok', 'is 5 hours old'],
  [30, 'warning', 'is 30 hours old: make one each day'],
  [200, 'failure', 'is 8 days old: make one each day'],
])('a backup %i hours old is %s', async (hours, state, text) => {
  using folder = openFolder('doctor');
  const file = join(folder.path, 'var/backups/b.db');
  mkdirSync(join(folder.path, 'var/backups'), { recursive: true });
  writeFileSync(file, '');
  // What is being written does not count.
  writeFileSync(`${file}.7.part`, '');
  const at = new Date(Date.now() - hours * HOUR_MS);
  utimesSync(file, at, at);
  const { code, found } = await examine(folder.path, { DATABASE_URL: await openDatabase() });
  expect(found['backup']).toEqual({ state, text: `${file} ${text}` });
  expect(code).toBe(state === 'failure' ? 1 : 0);
});

test('doctor names variables that are not understood, and what it does not reach, and makes nothing', async () => {
  using folder = openFolder('doctor');
  for (const env of [{ PORT: 'x' }, { CHECK_LEASE_MS: '1' }]) {
    const wrong = await examine(folder.path, env);
    expect([wrong.code, wrong.found['configuration of the processes']]).toMatchObject([1, { state: 'failure' }]);
  }
  const missing = await examine(folder.path, { DATABASE_URL: 'sqlite:none/a.db' });
  expect([missing.code, missing.found['database']]).toMatchObject([
    1,
    { text: expect.stringContaining('there is none') },
  ]);
  expect(existsSync(join(folder.path, 'none'))).toBe(false);
  writeFileSync(join(folder.path, 'text.db'), 'no database');
  const broken = await examine(folder.path, { DATABASE_URL: 'sqlite:text.db' });
  expect([broken.code, broken.found['database']]).toMatchObject([
    1,
    { text: expect.stringContaining('not a database') },
  ]);
  const away = await examine(folder.path, { DATABASE_URL: 'postgres://127.0.0.1:1/x' });
  expect([away.code, away.found['database']]).toMatchObject([1, { text: expect.stringContaining('ECONNREFUSED') }]);
});

test.each([undefined, 'postgres'] as const)(
  'doctor (%s) does not send to migrate what migrate cannot mend',
  async (engine) => {
    using folder = openFolder('doctor');
    const url = await openDatabase(engine);
    await execute(url, 'delete from kysely_migration');
    const { code, found } = await examine(folder.path, { DATABASE_URL: url });
    expect([code, found['schema']]).toEqual([
      1,
      {
        state: 'failure',
        text: expect.stringMatching(/^does not fit this version: .*kysely_migration.* is empty: restore a backup$/),
      },
    ]);
  },
);

test.each(['sqlite', 'postgres'] as const)('doctor (%s) finds a key that is missing or wrong', async (engine) => {
  using folder = openFolder('doctor');
  const url = await openDatabase(engine === 'postgres' ? engine : undefined);
  const keyOf = async (env: Readonly<Record<string, string>> = {}) =>
    (await examine(folder.path, { DATABASE_URL: url, ...env })).found['key of secrets'];
  // Tests may run on PostgreSQL alone.
  const isFile = url.startsWith('sqlite:');
  expect((await keyOf())?.state).toBe(isFile ? 'ok' : 'warning');
  const SECRET_KEY = 'k'.repeat(32);
  const store = await openStore(url);
  const given = { secretKey: SECRET_KEY, previousSecretKey: null };
  const log = { info: () => {}, error: () => {} };
  expect(await openSecrets(store, { given, folder: folder.path, now: () => new Date(), log })).toMatchObject({
    ok: true,
  });
  await store.close();
  expect(await keyOf({ SECRET_KEY })).toMatchObject({ state: 'ok' });
  expect(await keyOf({ SECRET_KEY: 'l'.repeat(32) })).toMatchObject({
    state: 'failure',
    text: expect.stringContaining('is not the one of the secrets in the database. Set SECRET_KEY to that key'),
  });
  expect((await keyOf({ SECRET_KEY: 'l'.repeat(32), SECRET_KEY_PREVIOUS: SECRET_KEY }))?.state).toBe('ok');
  expect((await keyOf())?.state).toBe(isFile ? 'failure' : 'warning');
});

/** A server of SMTP that answers a sign-in with this line, or offers none. */
async function openMailServer(answer: string | null): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 mail.example.com ESMTP\r\n');
    socket.on('data', (bytes) => {
      const command = bytes.toString('latin1').slice(0, 4);
      if (command === 'QUIT') return socket.end('221 Bye\r\n');
      const offer = answer === null ? '250 HELP' : '250 AUTH PLAIN';
      socket.write(command === 'AUTH' ? `${answer ?? '502 No'}\r\n` : `250-mail.example.com\r\n${offer}\r\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('doctor examines the mail server, and whether it offers and accepts a sign-in', async () => {
  using folder = openFolder('doctor');
  const DATABASE_URL = await openDatabase();
  const mailOf = async (address?: string, signIn = 'user:secret@') => {
    const mail = address && { SMTP_URL: `smtp://${signIn}${address}`, MAIL_FROM: 'access@example.com' };
    return (await examine(folder.path, { DATABASE_URL, SECRET_KEY: 'k'.repeat(32), ...mail })).found['mail'];
  };
  expect(await mailOf()).toEqual({ state: 'ok', text: 'off: SMTP_URL is not set' });
  const accepting = await openMailServer('235 Accepted');
  expect(await mailOf(accepting)).toEqual({
    state: 'ok',
    text: `${accepting} is reached, and accepts the sign-in of SMTP_URL`,
  });
  expect(await mailOf(accepting, '')).toEqual({
    state: 'ok',
    text: `${accepting} is reached; SMTP_URL has no sign-in`,
  });
  const offering = await openMailServer(null);
  expect(await mailOf(offering)).toEqual({
    state: 'warning',
    text: `${offering} is reached, and offers no sign-in: mails are sent without that of SMTP_URL, which was not tried`,
  });
  const refusing = await openMailServer('535 Wrong password');
  const refused = await mailOf(refusing);
  expect(refused).toEqual({ state: 'failure', text: expect.stringMatching(/takes no mails: .*535 Wrong password/) });
  expect(refused?.text).not.toContain('secret');
  expect(await mailOf('127.0.0.1:1')).toEqual({ state: 'failure', text: expect.stringContaining('ECONNREFUSED') });
});

test('doctor counts in words that fit', async () => {
  using folder = openFolder('doctor');
  writeFileSync(join(folder.path, 'text.db'), 'no database');
  const { out } = await runHere(['doctor'], { folder: folder.path, env: { DATABASE_URL: 'sqlite:text.db' } });
  expect(out).toMatch(/\n1 failure, 2 warnings\n$/);
});

test('doctor names the settings of PostgreSQL that lose commits, and what makes its backups', async () => {
  using folder = openFolder('doctor');
  const url = await openDatabase('postgres');
  const before = await examine(folder.path, { DATABASE_URL: url });
  expect([before.code, before.found]).toMatchObject([
    0,
    {
      database: { state: 'ok' },
      schema: { state: 'ok' },
      'disk room': { state: 'warning' },
      backup: { state: 'warning', text: expect.stringContaining('pg_dump') },
    },
  ]);
  const name = new URL(url).pathname.slice(1);
  await execute(url, `alter database ${name} set synchronous_commit = off`);
  const { code, found } = await examine(folder.path, { DATABASE_URL: url });
  expect([code, found['commits']?.state]).toEqual([1, 'failure']);
  expect(found['commits']?.text).toMatch(/a power cut would lose acknowledged writes: turn .*synchronous_commit.* on/);
});
