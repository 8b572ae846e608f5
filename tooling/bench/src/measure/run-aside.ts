import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Runs a module in a process of its own with the lowest priority, so that its work does not delay the process that measures.
 * The module passes the argument on with `whenAside`. Rejects unless the process ends with exit code 0.
 */
export async function runAside(moduleUrl: string, argument: object): Promise<void> {
  const argv = [process.execPath, ...process.execArgv, fileURLToPath(moduleUrl), JSON.stringify(argument)];
  const child = spawn('nice', ['-n', '19', ...argv], { stdio: ['ignore', 'ignore', 'inherit'] });
  const kill = () => child.kill();
  process.once('exit', kill);
  const [code] = await once(child, 'close');
  process.off('exit', kill);
  if (code !== 0) throw new Error(`${moduleUrl} ended with exit code ${code}`);
}

/** Calls `run` with the argument of `runAside` if this process was started for the module; does nothing otherwise. */
export async function whenAside<T>(moduleUrl: string, run: (argument: T) => Promise<void>): Promise<void> {
  if (process.argv[1] === fileURLToPath(moduleUrl)) await run(JSON.parse(process.argv[2] ?? ''));
}
