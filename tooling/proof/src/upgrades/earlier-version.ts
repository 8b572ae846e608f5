import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@access-admin/harness';

/** Not below `node_modules`, where Node reads no TypeScript, and on the disk of pnpm's store, which the files are linked from. */
const VERSIONS = join(ROOT, 'var/versions');
const APPS = ['--filter', '@access-admin/api...', '--filter', '@access-admin/worker...'];
const ARCHIVE_BYTES_MAX = 2 ** 30;
const run = promisify(execFile);

/** A committed version, and the root folder of its built checkout. */
export interface EarlierVersion {
  readonly name: string;
  readonly checkout: string;
}

/** Builds API and worker of a ref, or by default of the version that is upgraded from; the reason if this clone cannot know it. Throws for an unknown ref. */
export async function buildEarlierVersion(
  ref: string | null,
): Promise<EarlierVersion | { readonly unavailable: string }> {
  if (git('rev-parse', '--git-dir') === null)
    return { unavailable: 'this is no clone, so there is no earlier version' };
  const isShallow = git('rev-parse', '--is-shallow-repository') === 'true';
  if (ref === null && isShallow)
    return { unavailable: 'the history of this clone is cut off: git fetch --unshallow --tags' };
  const name = ref ?? findEarlier();
  const commit = git('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  if (commit === null) throw new Error(`this clone has no ${name}`);
  building ??= build(commit);
  const checkout = await building;
  return { name: name === commit ? commit.slice(0, 8) : `${name} (${commit.slice(0, 8)})`, checkout };
}

/**
 * The last release before this commit. As long as there is none the initial migration changes in place, and the earliest
 * version that can be upgraded from is the one that changed the schema last.
 */
const findEarlier = (): string =>
  git('describe', '--tags', '--abbrev=0', '--match', 'access-admin@*', 'HEAD^') ??
  git('log', '-1', '--format=%H', '--', 'packages/store/src/schema') ??
  'commit of the schema';

/** The output of a git command; null if it fails or prints nothing. */
function git(...args: readonly string[]): string | null {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim() || null;
  } catch {
    return null;
  }
}

/** A campaign and its control use one build, which either of them begins. */
let building: Promise<string> | null = null;

/** Builds a commit in a folder of its own. The last one is kept for the next run. */
async function build(commit: string): Promise<string> {
  const checkout = join(VERSIONS, commit);
  if (existsSync(checkout)) return checkout;
  rmSync(VERSIONS, { recursive: true, force: true });
  const unfinished = `${checkout}.part`;
  mkdirSync(unfinished, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: ARCHIVE_BYTES_MAX });
  execFileSync('tar', ['-x', '-C', unfinished], { input: archive });
  const { packageManager } = JSON.parse(readFileSync(join(unfinished, 'package.json'), 'utf8'));
  const pnpm = (...args: readonly string[]) =>
    // The process also runs the campaign beside this one: it must not stand still meanwhile.
    run('npx', ['--yes', '--prefer-offline', packageManager, ...args], {
      cwd: unfinished,
      env: { ...process.env, CI: 'true' },
    });
  await pnpm('install', '--frozen-lockfile', '--prefer-offline', ...APPS);
  await pnpm(...APPS, 'run', 'build');
  // Under its name it is complete, whatever has ended this process.
  renameSync(unfinished, checkout);
  return checkout;
}
