import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Config } from '@access-admin/api';
import { type Examination, type Finding, reasonOf } from '@access-admin/cli';
import {
  type ExaminedPostgres,
  examineKey,
  examinePostgres,
  type FoundSchema,
  findMisfit,
  type KeyCheck,
  migrationsOf,
  parseDatabaseUrl,
} from '@access-admin/store';
import { openMailServer } from '@access-admin/worker';
import { findLastBackup } from '../database/find-backup.ts';
import { BESIDE, keyCheckIn, schemaIn } from '../database/sqlite-file.ts';
import { faultsOf, readConfig } from './configuration.ts';
import type { ServerContext } from './context.ts';

const MIB = 1024 * 1024;
const ROOM_FAILURE_BYTES = 256 * MIB;
const ROOM_WARNING_BYTES = 1024 * MIB;
const HOUR_MS = 3_600_000;
const BACKUP_WARNING_HOURS = 26;
const BACKUP_FAILURE_HOURS = 7 * 24;
const MAIL_SERVER_MS = 10_000;

/** What `doctor` examines of the database of `DATABASE_URL`. Nothing is changed, and no schema is made. */
export const examinationOf = (server: ServerContext, now: () => Date): Examination => ({
  options: [['--backups <folder>', 'the folder of the backups; var/backups if left out']],
  examine: async function* ({ backups = join('var', 'backups') }) {
    const faults = faultsOf(server.env);
    for (const text of faults) yield { what: 'configuration of the processes', state: 'failure', text };
    if (faults.length > 0) return;
    const config = readConfig(server);
    yield { what: 'configuration of the processes', state: 'ok', text: 'every variable is understood' };
    const address = parseDatabaseUrl(config.databaseUrl);
    if (address === null) return;
    const keyOf = keyFinder(config, resolve(server.folder, 'var'));
    if ('sqlitePath' in address) yield* examineSqlite(resolve(server.folder, address.sqlitePath), keyOf);
    else yield* examinePostgresAt(address.postgresUrl, keyOf);
    yield await mailOf(config.mail);
    const maker = 'sqlitePath' in address ? '`access-admin backup`' : 'make one by pg_dump';
    yield backupOf(resolve(server.folder, backups), { maker, nowMs: now().getTime() });
  },
});

/** The result for the key of the secrets in a database with this check. */
type KeyFinder = (engine: 'sqlite' | 'postgres', check: KeyCheck | null) => Promise<Finding>;

const keyFinder =
  (given: Pick<Config, 'secretKey' | 'previousSecretKey'>, folder: string): KeyFinder =>
  async (engine, check) => {
    const what = 'key of secrets';
    const found = await examineKey({ engine, given, folder }, check);
    if (!found.ok) return { what, state: 'failure', text: found.failure };
    if (found.value === 'right') return { what, state: 'ok', text: 'SECRET_KEY, or var/secret-key, is the one' };
    return engine === 'sqlite'
      ? { what, state: 'ok', text: 'the first start makes one in var/secret-key' }
      : { what, state: 'warning', text: 'none: set SECRET_KEY, which webhooks, authenticator apps and mail need' };
  };

async function* examineSqlite(path: string, keyOf: KeyFinder): AsyncGenerator<Finding> {
  if (!existsSync(path)) {
    yield {
      what: 'database',
      state: 'failure',
      text: `there is none at ${path}: is this the folder, and DATABASE_URL?`,
    };
    return;
  }
  try {
    const schema = schemaIn(path);
    yield { what: 'database', state: 'ok', text: path };
    yield schemaFinding(Object.keys(migrationsOf('sqlite')), schema);
    yield settingsOf(path);
    yield await keyOf('sqlite', keyCheckIn(path));
  } catch (error) {
    yield { what: 'database', state: 'failure', text: reasonOf(error) };
  }
  yield roomOf(path);
}

async function* examinePostgresAt(url: string, keyOf: KeyFinder): AsyncGenerator<Finding> {
  try {
    const { connectionFault, looseSettings, searchFault, keyCheck, bytes, layoutFaults, shards, ...schema } =
      await examinePostgres(url);
    yield { what: 'database', state: 'ok', text: `PostgreSQL, ${sizeOf(bytes)}` };
    if (connectionFault !== null) yield { what: 'connections', state: 'failure', text: connectionFault };
    for (const text of layoutFaults) yield { what: 'layout', state: 'failure', text };
    if (layoutFaults.length === 0) yield { what: 'layout', state: 'ok', text: describeLayout(shards) };
    yield schemaFinding(Object.keys(migrationsOf('postgres')), schema);
    yield looseSettings.length === 0
      ? { what: 'commits', state: 'ok', text: 'fsync, synchronous_commit and full_page_writes are on' }
      : {
          what: 'commits',
          state: 'failure',
          text: `a power cut would lose acknowledged writes: turn ${looseSettings.join(', ')} on`,
        };
    if (searchFault !== null) yield { what: 'search', state: 'failure', text: searchFault };
    yield await keyOf('postgres', keyCheck);
    yield { what: 'disk room', state: 'warning', text: 'not seen from here: watch that of the PostgreSQL server' };
  } catch (error) {
    yield { what: 'database', state: 'failure', text: `not reached: ${reasonOf(error)}` };
  }
}

const describeLayout = (shards: ExaminedPostgres['shards']): string =>
  shards === null
    ? 'all tenants on one server'
    : `tenants distributed by Citus: ${shards.count} shards on ${shards.nodes} nodes`;

/** What to say of a database that has run these migrations, from those of this version. */
function schemaFinding(known: readonly string[], schema: FoundSchema): Finding {
  const what = 'schema';
  const { migrations: run } = schema;
  const misfit = findMisfit(known, schema);
  if (misfit !== null) return { what, state: 'failure', text: `does not fit this version: ${misfit}` };
  const missing = known.filter((name) => !run.includes(name));
  if (missing.length > 0)
    return {
      what,
      state: 'warning',
      text: `lacks ${missing.join(', ')}: \`access-admin migrate\`, or a start, adds them`,
    };
  const isLater = run.some((name) => !known.includes(name));
  return { what, state: 'ok', text: isLater ? 'of a later version, on which this one works' : 'that of this version' };
}

/** What `statfs` says of file systems that are in memory, or on another machine, where locks and syncs may not hold. */
const UNSAFE_FILE_SYSTEMS: Readonly<Record<number, string>> = {
  16914836: 'in memory',
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'SMB',
  4266872130: 'SMB',
};

/** Each process sets `synchronous = full` on its own connections; the journal and the disk are what can differ. */
function settingsOf(path: string): Finding {
  const what = 'commits';
  const kind = UNSAFE_FILE_SYSTEMS[statfsSync(path).type];
  if (kind !== undefined)
    return {
      what,
      state: 'failure',
      text: `the file system is ${kind}, which may lose what was acknowledged: move the file`,
    };
  using database = new DatabaseSync(path, { readOnly: true });
  const mode = String(database.prepare('pragma journal_mode').get()?.['journal_mode']);
  return mode === 'wal'
    ? { what, state: 'ok', text: 'write-ahead log, synchronous = full' }
    : { what, state: 'warning', text: `the journal is ${mode}: the next start makes it a write-ahead log` };
}

function roomOf(path: string): Finding {
  const what = 'disk room';
  const { bavail, bsize } = statfsSync(dirname(path));
  const free = bavail * bsize;
  const used = ['', ...BESIDE].reduce(
    (sum, suffix) => sum + (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  const text = `${sizeOf(free)} free, the database takes ${sizeOf(used)}`;
  if (free < ROOM_FAILURE_BYTES) return { what, state: 'failure', text: `${text}: writes fail soon; free some` };
  if (free < used + ROOM_WARNING_BYTES)
    return { what, state: 'warning', text: `${text}: too little for a copy of it beside; free some` };
  return { what, state: 'ok', text };
}

function backupOf(folder: string, { maker, nowMs }: { readonly maker: string; readonly nowMs: number }): Finding {
  const what = 'backup';
  const last = findLastBackup(folder);
  if (last === null)
    return {
      what,
      state: 'warning',
      text: `there is none in ${folder}: ${maker}, or --backups names another folder`,
    };
  const hours = Math.max(0, (nowMs - last.ms) / HOUR_MS);
  const text = `${last.path} is ${hours < 48 ? `${Math.round(hours)} hours` : `${Math.floor(hours / 24)} days`} old`;
  if (hours > BACKUP_FAILURE_HOURS) return { what, state: 'failure', text: `${text}: make one each day` };
  if (hours > BACKUP_WARNING_HOURS) return { what, state: 'warning', text: `${text}: make one each day` };
  return { what, state: 'ok', text };
}

/** Whether the worker could send mails; no mail is sent. */
async function mailOf(mail: Config['mail']): Promise<Finding> {
  const what = 'mail';
  if (mail === null) return { what, state: 'ok', text: 'off: SMTP_URL is not set' };
  const { host, username } = new URL(mail.smtpUrl);
  const examined = await openMailServer({ ...mail, sentWithinMs: MAIL_SERVER_MS }).verify();
  if (examined instanceof Error)
    return {
      what,
      state: 'failure',
      text: `${host} takes no mails: ${reasonOf(examined)}; see SMTP_URL, and the certificate of the server`,
    };
  if (examined.isSignedIn)
    return { what, state: 'ok', text: `${host} is reached, and accepts the sign-in of SMTP_URL` };
  if (username === '') return { what, state: 'ok', text: `${host} is reached; SMTP_URL has no sign-in` };
  return {
    what,
    state: 'warning',
    text: `${host} is reached, and offers no sign-in: mails are sent without that of SMTP_URL, which was not tried`,
  };
}

const sizeOf = (bytes: number): string =>
  bytes < 1024 * MIB ? `${(bytes / MIB).toFixed(0)} MiB` : `${(bytes / 1024 / MIB).toFixed(1)} GiB`;
