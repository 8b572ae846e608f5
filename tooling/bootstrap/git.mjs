import { execFileSync } from 'node:child_process';
import { root } from './run-process.mjs';

/** The commit where the branch left main; on main itself what was pushed last. Null without git or main. */
export function findBase(checkout = root) {
  for (const main of ['origin/HEAD', 'main']) {
    try {
      return git(checkout, 'merge-base', 'HEAD', main);
    } catch {
      // There is no such branch.
    }
  }
  return null;
}

/** The files that have changed since the branch left main, new ones included; null where that cannot be known. */
export function changedSinceMain(checkout = root) {
  const base = findBase(checkout);
  if (base === null) return null;
  const lines = [
    git(checkout, 'diff', '--name-only', base),
    git(checkout, 'ls-files', '--others', '--exclude-standard'),
  ];
  return lines.flatMap((text) => text.split('\n')).filter((path) => path !== '');
}

const git = (checkout, ...args) =>
  execFileSync('git', args, { cwd: checkout, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
