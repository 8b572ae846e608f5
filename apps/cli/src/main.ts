#!/usr/bin/env node
import { availableParallelism } from 'node:os';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import manifest from '../package.json' with { type: 'json' };
import { runCommand } from './app.ts';
import { serveThread } from './population/threads.ts';
import { contextOf } from './process/context-of.ts';
import { listenForStop } from './process/stop.ts';

const { versions } = process;
if (Number.parseInt(versions.node, 10) < 22) {
  process.stderr.write(`access-admin needs Node.js 22 or later; this is ${versions.node}.\n`);
  process.exit(1);
}
// The program is one file, which its threads run too.
if (parentPort === null) start();
else serveThread(parentPort, workerData);

function start() {
  const note = (text: string) => process.stderr.write(`${text}\n`);
  const stop = listenForStop(process, { signals: ['SIGINT', 'SIGTERM'], isPatient: false, note });
  // A write reports it too.
  process.stdout.on('error', () => {});

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
  void runCommand(process.argv.slice(2), context).then((code) => {
    // What was written to standard output has been awaited. A connection that is left would keep the process.
    stop.exit(code);
  });
}
