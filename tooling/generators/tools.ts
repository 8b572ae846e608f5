import { spawnSync } from 'node:child_process';
import { startProcess } from '@access-admin/harness';

interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Why a tool cannot run in a folder, such as `go: go.mod requires go >= 1.26`; null where it can. */
export function whyNot(command: readonly [string, ...string[]], cwd: string): string | null {
  const [tool, ...args] = command;
  const { status, error, stderr } = spawnSync(tool, args, { cwd, encoding: 'utf8' });
  if (status === 0) return null;
  return `this machine cannot run ${command.join(' ')}: ${error?.message ?? stderr.trim()}`;
}

/** Why Python cannot make a virtual environment in a folder; null where it can. */
export const whyNoPython = (cwd: string): string | null =>
  whyNot(['python3', '-c', 'import ensurepip, sys; assert sys.version_info >= (3, 11), sys.version'], cwd);

/**
 * Runs a tool with the environment of this process, whose settings and caches are those of the machine. Returns its output, both
 * streams together.
 */
export async function run(command: readonly [string, ...string[]], { cwd, env = {} }: Place): Promise<string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  await using running = startProcess(command, {
    cwd,
    env: { ...Object.fromEntries(inherited), NO_COLOR: '1', ...env },
  });
  const { code } = await running.ended;
  if (code !== 0) throw new Error(`${command.join(' ')} failed with ${code}:\n${running.output()}`);
  return running.output();
}
