import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { changedSinceMain } from './git.mjs';
import { root } from './run-process.mjs';

/** What the store is made of: a change of it is tested on PostgreSQL as well. */
const FOLDERS = ['packages/store', 'packages/domain', 'tooling/harness'];
const PASSED = join(root, '.turbo/store-passed');
const NOT_OURS = ['node_modules', 'dist', '.turbo'];

/** Whether the store is another one than at the last passed run; before the first run, than on main, which CI tests on both engines. */
export function isStoreChanged() {
  if (existsSync(PASSED)) return readFileSync(PASSED, 'utf8') !== fingerprint();
  return changedSinceMain()?.some((path) => FOLDERS.some((folder) => path.startsWith(`${folder}/`))) ?? true;
}

/** Notes that the tests of the store as it is have passed on PostgreSQL. */
export function noteStorePassed() {
  mkdirSync(dirname(PASSED), { recursive: true });
  writeFileSync(PASSED, fingerprint());
}

function fingerprint() {
  const hash = createHash('sha256');
  const files = FOLDERS.flatMap((folder) => filesBelow(join(root, folder)));
  for (const path of [...files, join(root, 'pnpm-lock.yaml')]) hash.update(`${path}\n`).update(readFileSync(path));
  return hash.digest('hex');
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.includes(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}
