import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { freePort, openFolder, ROOT, type TemporaryFolder } from '@access-admin/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGroup, withoutNpm } from './start-npm.ts';

const BYTES_MAX = 12 * 1024 * 1024;
const PACKAGE_FOLDER = 'node_modules/access-admin';

let folder: TemporaryFolder;
let tarball = '';

// The package as a stranger gets it: packed, and installed in an empty folder.
beforeAll(() => {
  folder = openFolder('packed');
  const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const pack = ['--yes', '--prefer-offline', packageManager, 'pack', '--pack-destination', folder.path];
  run('npx', pack, join(ROOT, 'apps/server'));
  tarball = readdirSync(folder.path).find((name) => name.endsWith('.tgz')) ?? 'no tarball';
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', `./${tarball}`], folder.path);
});

afterAll(() => folder[Symbol.dispose]());

const run = (program: string, args: readonly string[], cwd: string) =>
  execFileSync(program, args, { cwd, env: withoutNpm(process.env), stdio: 'pipe' });

/** The version of the Node in a folder; null where there is none. */
function versionIn(path: string): string | null {
  const node = join(path, 'node');
  return existsSync(node) ? execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim() : null;
}

const isOld = (version: string) => Number.parseInt(version, 10) < 24;

/** The folder of a Node of the machine that is too old for the service; null where there is none. */
const OLD_NODE =
  (process.env['PATH'] ?? '').split(delimiter).find((path) => {
    const version = versionIn(path);
    return version !== null && isOld(version);
  }) ?? null;

const withNode = (path: string) => ({ PATH: [path, process.env['PATH']].join(delimiter) });

test('the packed package has what it runs, and nothing else', () => {
  expect(statSync(join(folder.path, tarball)).size).toBeLessThan(BYTES_MAX);
  const files = readdirSync(join(folder.path, PACKAGE_FOLDER), { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(
    expect.arrayContaining([
      'dist/console/dist/index.html',
      'dist/sample/sample.ndjson',
      'dist/api/dist/swagger-ui/swagger-ui.css',
    ]),
  );
  expect(files.filter((name) => /\.(ts|map)$|(^|\/)node_modules\//.test(name))).toEqual([]);
});

describe.each([
  ['the Node of this repository', dirname(process.execPath), 'SIGTERM'],
  ['an older Node of the machine', OLD_NODE, 'SIGKILL'],
] as const)('npx access-admin on %s', (_, path, signal) => {
  test(`starts with the sample, answers the call that it prints, and leaves no process after ${signal}`, async (context) => {
    if (path === null) return context.skip('this machine has no older Node on its PATH');
    const port = String(await freePort());
    const env = { ...withNode(path), PORT: port, DATABASE_URL: `sqlite:${port}.db` };
    await using running = startGroup(['npx', 'access-admin'], { env, cwd: folder.path });
    await running.prints('The answer to expect');
    const base = `http://127.0.0.1:${port}`;
    for (const page of ['/console/', '/docs', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'])
      expect([page, (await fetch(base + page)).status]).toEqual([page, 200]);
    if (spawnSync('curl', ['--version']).status === 0) {
      const call = running.output().match(/^token=.*\ncurl .*$/m)?.[0] ?? '';
      const pasted = spawnSync('sh', ['-c', call], { encoding: 'utf8', cwd: folder.path });
      expect(JSON.parse(pasted.stdout)).toMatchObject({ violationContexts: [{ policy: { id: 'sod-p2p-01' } }] });
    }
    running.kill(signal, 'leader');
    await expect.poll(running.isGone, { interval: 50 }).toBe(true);
  });
});

// As an installation for all folders is started, where the Node of the package is not on the PATH.
test('an older Node runs the command on the one that the package brings, and passes signals and exit codes on', async (context) => {
  if (OLD_NODE === null) return context.skip('this machine has no older Node on its PATH');
  const command = [join(OLD_NODE, 'node'), join(folder.path, PACKAGE_FOLDER, 'bin/access-admin.mjs')] as const;
  const refused = spawnSync(command[0], [command[1], '--no-smaple'], { encoding: 'utf8', cwd: folder.path });
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('(Did you mean --no-sample?)')]);
  const port = String(await freePort());
  const env = { PORT: port, DATABASE_URL: `sqlite:${port}.db` };
  await using running = startGroup([...command, 'serve', '--no-sample'], { env, cwd: folder.path });
  await running.prints('access-admin is running');
  running.kill('SIGTERM', 'leader');
  expect(await running.ended).toBe(0);
  await expect.poll(running.isGone, { interval: 50 }).toBe(true);
});
