import { execFile } from 'node:child_process';
import { chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Watchdog } from '../processes/start-watchdog.ts';
import { ENVIRONMENT } from './run-postmaster.ts';
import type { ServerFolder } from './server-folder.ts';

const INITIALIZED_MS = 120_000;

/** Creates the data directory of a server, with the superuser `postgres`. */
export async function initializeData(
  { path, native, user }: ServerFolder,
  password: string,
  watchdog: Watchdog,
): Promise<void> {
  const passwordFile = join(path, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if ('uid' in user) chownSync(passwordFile, user.uid, user.gid);
  const args = [
    `--pgdata=${join(path, 'data')}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    // The new data directory holds nothing to lose; the first checkpoint syncs it.
    '--no-sync',
    '--no-instructions',
  ];
  const options = { ...user, cwd: path, env: ENVIRONMENT, timeout: INITIALIZED_MS, killSignal: 'SIGKILL' as const };
  const running = promisify(execFile)(join(native, 'bin/initdb'), args, options);
  watchdog.watch(running.child.pid ?? null);
  await running;
  watchdog.watch(null);
  rmSync(passwordFile);
}
