import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { contextOf, listenForStop, serveThread } from '@access-admin/cli';
import manifest from '../package.json' with { type: 'json' };
import { isServe, runServerCommand } from './app.ts';
import { isShellOfCommand, parentOf } from './processes/parent-of.ts';

const PARENT_WATCH_MS = 500;

// The threads of a command run the same program.
if (parentPort === null) start();
else serveThread(parentPort, workerData);

function start() {
  const args = process.argv.slice(2);
  const stop = listenForStop(process, {
    signals: ['SIGINT', 'SIGTERM', 'SIGHUP'],
    isPatient: isServe(args),
    note: (text) => process.stderr.write(`${text}\n`),
  });
  // The reader of our output may have ended; the processes that we have started must be stopped nevertheless.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  // `npm start` and the start on an older Node tell of their end by the channel, which alone keeps no process alive.
  process.on('disconnect', stop.request);
  process.channel?.unref();
  // npm puts a shell in between, which dies of a signal without passing it on, or stays when npm is killed.
  if (process.env['npm_lifecycle_event'] !== undefined) {
    const parent = process.ppid;
    const npm = isShellOfCommand(parent) ? parentOf(parent) : null;
    const isAlive = () => process.ppid === parent && (npm === null || parentOf(parent) === npm);
    setInterval(() => isAlive() || stop.request(), PARENT_WATCH_MS).unref();
  }

  const context = contextOf(process, {
    version: manifest.version,
    signal: stop.signal,
    blocking: stop.blocking,
    threads: {
      count: availableParallelism(),
      start: (data) => new Worker(new URL(import.meta.url), { workerData: data }),
    },
    clock: () => performance.now(),
    now: () => new Date(),
  });
  const server = {
    env: process.env,
    folder: process.cwd(),
    // As seen from the sources and from the build.
    programs: join(import.meta.dirname, '../dist'),
    elapsed: () => performance.now(),
  };
  void runServerCommand(args, context, server).then(stop.exit);
}
