import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryFolder } from '../machine/memory-folder.ts';

/** The user that a server runs as; empty for the current user. */
export type User = { readonly uid: number; readonly gid: number } | Readonly<Record<string, never>>;

/** A folder owned by the user that runs the server, and binaries that this user can run. */
export interface ServerFolder {
  readonly path: string;
  readonly native: string;
  readonly user: User;
}

/**
 * Makes the folder, in memory if that is requested and has room. PostgreSQL refuses to run as root: as root, the folder
 * and the binaries are made accessible to another user.
 */
export function makeServerFolder(native: string, inMemory: boolean): ServerFolder {
  const user = findUser();
  const memory = inMemory ? memoryFolder() : null;
  const path = makeFolder(user, [...(memory === null ? [] : [memory]), tmpdir(), '/tmp']);
  if (canRun(join(native, 'bin/postgres'), user)) return { path, native, user };
  const copy = join(path, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return { path, native: copy, user };
}

function findUser(): User {
  if (process.getuid?.() !== 0) return {};
  try {
    return idsOf('postgres');
  } catch {
    return idsOf('nobody');
  }
}

function idsOf(name: string): User {
  const id = (option: string) =>
    Number(execFileSync('id', [option, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  return { uid: id('-u'), gid: id('-g') };
}

function makeFolder(user: User, parents: readonly string[]): string {
  for (const parent of parents) {
    const path = mkdtempSync(join(parent, 'access-admin-postgres-'));
    if ('uid' in user) chownSync(path, user.uid, user.gid);
    if (canRun(path, user)) return path;
    rmSync(path, { recursive: true });
  }
  throw new Error(`The user that runs PostgreSQL can enter none of ${parents.join(', ')}.`);
}

function canRun(path: string, user: User): boolean {
  return !('uid' in user) || spawnSync('test', ['-x', path], { ...user, cwd: '/' }).status === 0;
}
