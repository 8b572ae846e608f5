import { commandLineOf, parentOf } from './process-table.mjs';

const WATCH_MS = 250;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/**
 * An AbortSignal that is aborted by a signal, or by the end of the npm that started us: npm puts a shell in between,
 * which dies of a signal without passing it on, or stays when npm is killed. The reason holds an exit code.
 */
export function watchForStop() {
  const controller = new AbortController();
  const stop = (exitCode) => controller.abort({ exitCode });
  for (const [name, exitCode] of Object.entries(EXIT_CODES)) process.on(name, () => stop(exitCode));
  // The reader of our output may have ended; the children must be stopped nevertheless.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

  if (process.env.npm_lifecycle_event !== undefined) {
    const shell = startedByShell() ? process.ppid : null;
    const npm = shell === null ? process.ppid : parentOf(shell);
    const isAlive = () => (shell === null ? process.ppid === npm : process.ppid === shell && parentOf(shell) === npm);
    setInterval(() => isAlive() || stop(EXIT_CODES.SIGTERM), WATCH_MS).unref();
  }
  return controller.signal;
}

const startedByShell = () => /^\S*sh -c /.test(commandLineOf(process.ppid));
