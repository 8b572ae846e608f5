import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../machine/free-port.ts';
import { openFolder } from '../machine/open-folder.ts';
import { startProcess } from '../processes/start.ts';
import { becomesOpen } from './becomes-open.ts';

const PGBOUNCER = '/usr/sbin/pgbouncer';

/** Why this machine can start no PgBouncer; null where it can. */
export const whyNoPgbouncer: string | null = existsSync(PGBOUNCER) ? null : 'this machine lacks pgbouncer of Debian';

/** A PgBouncer on the loopback address. */
export interface RunningPgbouncer extends AsyncDisposable {
  /** The address of the same database by way of the pooler. */
  readonly url: string;
}

/** Starts a PgBouncer before the server of a database, with further settings as its file has them. */
export async function startPgbouncer(databaseUrl: string, settings: string): Promise<RunningPgbouncer> {
  const folder = openFolder('pgbouncer');
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  const users = join(folder.path, 'users.txt');
  const config = join(folder.path, 'pgbouncer.ini');
  const port = await freePort();
  writeFileSync(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    config,
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
${settings}
`,
  );
  // It refuses to run as root, and reads its files as the other user.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chmodSync(folder.path, 0o755);
  const command = [PGBOUNCER, ...(isRoot ? ['-u', 'nobody'] : []), config] as const;
  const running = startProcess([command[0], ...command.slice(1)], { env: {}, cwd: folder.path });
  await becomesOpen(port, running);
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => {
      await running[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
