import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { changedSinceMain, findBase } from './git.mjs';
import { root } from './run-process.mjs';

/** What the store is made of: a change of it is tested on PostgreSQL as well. */
const PARTS = ['packages/store/', 'packages/domain/', 'tooling/harness/', 'pnpm-lock.yaml'];
const NOT_OURS = ['node_modules', 'dist', '.turbo'];

/**
 * Why the tests on PostgreSQL can be left out; null when they must run. Before their first run that passes in a checkout, the store
 * is compared with that of main, which CI tests on both engines.
 */
export function reasonToSkipPostgres(checkout = root) {
  const passed = pathOfPassed(checkout);
  if (existsSync(passed)) {
    return readFileSync(passed, 'utf8') === fingerprint(checkout) ? 'the store is as it passed there last' : null;
  }
  const changed = changedSinceMain(checkout);
  if (changed === null || changed.some((path) => PARTS.some((part) => path.startsWith(part)))) return null;
  return `the store is that of main, ${findBase(checkout).slice(0, 8)}, which CI tests there`;
}

/** Notes that the tests of the store as it is have passed on PostgreSQL. */
export function noteStorePassed(checkout = root) {
  const passed = pathOfPassed(checkout);
  mkdirSync(dirname(passed), { recursive: true });
  writeFileSync(passed, fingerprint(checkout));
}

const pathOfPassed = (checkout) => join(checkout, '.turbo/store-passed');

function fingerprint(checkout) {
  const hash = createHash('sha256');
  const files = PARTS.flatMap((part) =>
    part.endsWith('/') ? filesBelow(join(checkout, part)) : [join(checkout, part)],
  );
  for (const path of files) hash.update(`${path}\n`).update(readFileSync(path));
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
