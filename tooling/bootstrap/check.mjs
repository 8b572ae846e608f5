import { changedSinceMain, findBase } from './git.mjs';
import { prepareTools, toolCommand } from './prepare.mjs';
import { startProcess } from './run-process.mjs';

/**
 * Checks what has changed since the branch left main: format and lint, the types of the changed packages and of those that
 * depend on them, and of the changed packages the unit tests that import a changed file.
 */
export async function check(stop) {
  const node = await prepareTools(stop);
  if (node === null) return 1;
  const folders = (changedSinceMain() ?? []).map((path) => `${path.split('/').slice(0, 2).join('/')}/`);
  const changed = [...new Set(folders)].filter((folder) => /^(apps|packages|tooling)\//.test(folder));
  const tests = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'units',
    '--passWithNoTests',
    '--changed',
    findBase() ?? 'HEAD',
  ];
  const steps = [
    ['format, lint and types', toolCommand('turbo', 'run', 'lint', 'types', '--continue', '--output-logs=errors-only')],
    ...(changed.length > 0
      ? [['units of what changed', { command: [node, ...tests, ...changed], env: process.env }]]
      : []),
  ];
  const codes = await Promise.all(
    steps.map(async ([title, { command, env }]) => {
      const startMs = performance.now();
      const { code } = await startProcess(command[0], command.slice(1), { stop, env }).ended;
      const seconds = Math.round((performance.now() - startMs) / 1000);
      if (!stop.aborted) console.log(`${title}: ${code === 0 ? 'passed' : 'failed'} in ${seconds} s`);
      return code;
    }),
  );
  return codes.find((code) => code !== 0) ?? 0;
}
