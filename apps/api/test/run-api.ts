import { becomesReady, freePort, openFolder, startAppFromSources } from '@access-admin/harness';
import { onTestFinished } from 'vitest';

type Environment = Readonly<Record<string, string>>;

/** How a process ended, and its output. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs API or worker from its sources; the process ends with the test at the latest. */
function run(app: 'api' | 'worker', env: Environment) {
  const folder = openFolder('run');
  const running = startAppFromSources(app, { cwd: folder.path, env });
  onTestFinished(async () => {
    await running[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  return running;
}

/** Runs API or worker with a configuration that must be refused; resolves with its end. */
export async function runToItsEnd(app: 'api' | 'worker', env: Environment): Promise<Ended> {
  const { ended, output } = run(app, env);
  const { code } = await ended;
  return { code, output: output() };
}

/** Runs an API and resolves once it is ready. */
export async function runApi(env: Environment) {
  const port = await freePort();
  const running = run('api', { ...env, PORT: String(port) });
  const baseAddress = `http://127.0.0.1:${port}`;
  await becomesReady(baseAddress, running);
  const stop = async (): Promise<Ended> => {
    const { code } = await running.stop();
    return { code, output: running.output() };
  };
  return { port, baseAddress, output: running.output, stop };
}
