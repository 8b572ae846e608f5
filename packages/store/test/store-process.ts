import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('./store-child.ts', import.meta.url));

/** Another process with a store on the same database, running one task of store-child.ts. */
export interface StoreProcess {
  /** The lines it has written so far. */
  readonly said: readonly string[];
  /** Resolves when it has written this many lines or has ended. */
  waitFor(count: number): Promise<void>;
  /** Starts a task that waits for input. */
  go(): void;
  kill(): void;
  /** Resolves with its exit code; null when it was killed. */
  readonly exit: Promise<number | null>;
}

export function startStoreProcess(url: string, task: string, argument = ''): StoreProcess {
  const child: ChildProcess = fork(CHILD, [url, task, argument], {
    execArgv: ['--conditions=@access-admin/source'],
    env: {},
  });
  const said: string[] = [];
  // Its last lines may arrive after its exit.
  const exit = Promise.all([once(child, 'exit'), once(child, 'disconnect')]).then(([[code]]): number | null => code);
  let wake = () => {};
  child.on('message', (text) => {
    said.push(String(text));
    wake();
  });
  child.on('exit', () => wake());
  return {
    said,
    exit,
    waitFor: async (count) => {
      while (said.length < count && child.exitCode === null && child.signalCode === null) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    go: () => child.send('go'),
    kill: () => child.kill('SIGKILL'),
  };
}
