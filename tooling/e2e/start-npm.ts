import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { ROOT } from '@access-admin/harness';
import { expect } from 'vitest';

/** Only ends what hangs, on a busy machine too. */
const READY_MS = 200_000;

/** Runs `npm start`. */
export const startNpm = (env: Readonly<Record<string, string>>) => startGroup(['npm', 'start'], { env, cwd: ROOT });

/** How a command is run. */
export interface GroupOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Runs a command in a process group of its own, as a terminal does: a test lists the group to find processes that are left. */
export function startGroup([program, ...args]: readonly [string, ...string[]], { env, cwd }: GroupOptions) {
  const child = spawn(program, args, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...withoutNpm(process.env), ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const kill = (signal: NodeJS.Signals, target: 'leader' | 'everybody') => {
    const { pid } = child;
    if (pid === undefined) throw new Error(`${program} did not start`);
    process.kill(target === 'leader' ? pid : -pid, signal);
  };
  const isGone = () => child.pid === undefined || !isGroupRunning(child.pid);
  return {
    ended,
    kill,
    isGone,
    /** The ids of the processes in the group whose command line contains a text. */
    find: (text: string) =>
      processesOfGroup(child.pid ?? 0).flatMap((id) => (commandLineOf(id).includes(text) ? [id] : [])),
    output: () => output,
    prints: (text: string) => expect.poll(() => output, { timeout: READY_MS, interval: 50 }).toContain(text),
    async [Symbol.asyncDispose]() {
      if (isGone()) return;
      kill('SIGTERM', 'everybody');
      await expect.poll(isGone, { interval: 50 }).toBe(true);
    },
  };
}

const SHARED_WITH_NPM = ['npm_config_cache', 'npm_config_registry', 'npm_config_userconfig'];
/** An environment without what the npm that runs the tests has set: it would configure the npm that is started. Only the registry is kept. */
export const withoutNpm = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('npm_') || SHARED_WITH_NPM.includes(name.toLowerCase())),
  );

// A zombie does not count.
function processesOfGroup(group: number): readonly string[] {
  const rows = existsSync('/proc/self/stat')
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(rowFromProc)
    : rowsFromPs();
  return rows.flatMap(([id = '', itsGroup, state = 'Z']) =>
    Number(itsGroup) === group && !state.startsWith('Z') ? [id] : [],
  );
}

const isGroupRunning = (group: number) => processesOfGroup(group).length > 0;

function rowFromProc(id: string): readonly (string | undefined)[] {
  const [state, , group] = statOf(id);
  return [id, group, state];
}

function rowsFromPs(): readonly (readonly string[])[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,pgid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return rows.map((row) => row.trim().split(/\s+/));
}

function commandLineOf(id: string): string {
  try {
    if (!existsSync('/proc/self/stat')) return execFileSync('ps', ['-o', 'args=', '-p', id], { encoding: 'utf8' });
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function statOf(id: string): readonly string[] {
  try {
    return readFileSync(`/proc/${id}/stat`, 'utf8').split(')').at(-1)?.trim().split(' ') ?? [];
  } catch {
    return [];
  }
}
