#!/usr/bin/env node
import manifest from '../package.json' with { type: 'json' };
import { runCommand } from './app.ts';
import { contextOf } from './process/context-of.ts';

const { versions } = process;
if (Number.parseInt(versions.node, 10) < 22) {
  process.stderr.write(`access-admin needs Node.js 22 or later; this is ${versions.node}.\n`);
  process.exit(1);
}
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());
// A write reports it too.
process.stdout.on('error', () => {});

const context = contextOf(process, {
  version: manifest.version,
  signal: stop.signal,
  clock: () => performance.now(),
  now: () => new Date(),
});
void runCommand(process.argv.slice(2), context).then((code) => {
  // All that was written has been awaited; a connection that is left would keep the process.
  process.exit(code);
});
