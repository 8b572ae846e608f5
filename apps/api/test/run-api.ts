import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';

type Environment = Readonly<Record<string, string>>;

/** How a process ended, and all that it wrote to its two streams. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const READY_MS = 20_000;
const POLL_MS = 25;

/** Runs API or worker from its sources, as a process of its own that ends with the test at the latest. */
async function run(app: 'api' | 'worker', env: Environment) {
  const cwd = await mkdtemp(join(tmpdir(), 'access-admin-run-'));
  const main = fileURLToPath(new URL(`../../${app}/src/main.ts`, import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@access-admin/source', main], { cwd, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = once(child, 'close').then(([code]): Ended => ({ code, output }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(cwd, { recursive: true, force: true });
  });
  return { child, ended, output: () => output };
}

/** Runs API or worker where its start must fail; resolves with its end. */
export async function runToItsEnd(app: 'api' | 'worker', env: Environment): Promise<Ended> {
  const { ended } = await run(app, env);
  return ended;
}

/** Runs an API and resolves once it is ready. */
export async function runApi(env: Environment) {
  const port = await freePort();
  const { child, ended, output } = await run('api', { ...env, PORT: String(port) });
  const baseAddress = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${baseAddress}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let waitedMs = 0; !(await isReady()); waitedMs += POLL_MS) {
    if (child.exitCode !== null || waitedMs > READY_MS) throw new Error(`the API is not ready: ${output()}`);
    await wait(POLL_MS);
  }
  const stop = async (): Promise<Ended> => {
    child.kill('SIGTERM');
    return ended;
  };
  return { port, baseAddress, output, stop };
}
