import { execFileSync } from 'node:child_process';
import { prepareTools, toolCommand } from './prepare.mjs';
import { root, startProcess } from './run-process.mjs';

/** Checks what has changed since the branch left main: format and lint, types, and the unit tests that the changes reach. */
export async function check(stop) {
  const node = await prepareTools(stop);
  if (node === null) return 1;
  const vitest = [node, 'node_modules/vitest/vitest.mjs', 'run', '--project', 'units', '--changed', findBase()];
  const steps = [
    ['format and lint', toolCommand('biome', 'ci', '.')],
    ['types', toolCommand('turbo', 'run', 'types', '--output-logs=errors-only')],
    ['units of what changed', { command: vitest, env: process.env }],
  ];
  let failures = 0;
  for (const [title, { command, env }] of steps) {
    const startMs = performance.now();
    const { code } = await startProcess(command[0], command.slice(1), { stop, env }).ended;
    if (stop.aborted) return code || 1;
    if (code !== 0) failures += 1;
    console.log(
      `${title}: ${code === 0 ? 'passed' : 'failed'} in ${Math.round((performance.now() - startMs) / 1000)} s`,
    );
  }
  return failures === 0 ? 0 : 1;
}

/** The commit where the branch left main; the last commit on main itself, or where there is no main. */
function findBase() {
  for (const main of ['origin/HEAD', 'main']) {
    try {
      const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
      return execFileSync('git', ['merge-base', 'HEAD', main], options).trim();
    } catch {
      // There is no such branch.
    }
  }
  return 'HEAD';
}
