#!/usr/bin/env node
import { homedir } from 'node:os';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { runCommand } from './app.ts';
import { createOutput } from './output/output.ts';

const { env, versions } = process;
if (Number.parseInt(versions.node, 10) < 22) {
  process.stderr.write(`access-admin needs Node.js 22 or later; this is ${versions.node}.\n`);
  process.exit(1);
}
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());
// A write reports it too.
process.stdout.on('error', () => {});

const output = createOutput({
  stdout: process.stdout,
  stderr: process.stderr,
  noColor: (env['NO_COLOR'] ?? '') !== '',
  clock: () => performance.now(),
});

void runCommand(process.argv.slice(2), {
  output,
  version: manifest.version,
  environment: {
    url: env['ACCESS_ADMIN_URL'],
    clientId: env['ACCESS_ADMIN_CLIENT_ID'],
    clientSecret: env['ACCESS_ADMIN_CLIENT_SECRET'],
    configPath: join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'access-admin', 'config.json'),
    cachePath: join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'access-admin'),
  },
  now: () => new Date(),
  signal: stop.signal,
  confirm: async (question) => {
    if (!process.stdin.isTTY || !process.stderr.isTTY) return true;
    const { createInterface } = await import('node:readline/promises');
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await terminal.question(`${question} [y/N] `, { signal: stop.signal });
    terminal.close();
    return /^y(es)?$/i.test(answer.trim());
  },
}).then((code) => {
  // All that was written has been awaited; a connection that is left would keep the process.
  process.exit(code);
});
