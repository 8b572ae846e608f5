import { execFile } from 'node:child_process';
import { chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ENVIRONMENT } from './run-postmaster.ts';
import type { ServerFolder } from './server-folder.ts';
import type { Watch } from './watch-over.ts';

const INITIALIZED_MS = 120_000;

/** Makes the data of a server with the superuser `postgres`. */
export async function initializeData(
  { path, native, user }: ServerFolder,
  password: string,
  watch: Watch,
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
    // The first checkpoint writes what matters: nothing is in it yet.
    '--no-sync',
    '--no-instructions',
  ];
  const options = { ...user, cwd: path, env: ENVIRONMENT, timeout: INITIALIZED_MS, killSignal: 'SIGKILL' as const };
  const running = promisify(execFile)(join(native, 'bin/initdb'), args, options);
  watch.set(running.child.pid ?? null);
  await running;
  watch.set(null);
  rmSync(passwordFile);
}
