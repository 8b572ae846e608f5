#!/usr/bin/env node
// Runs the command on this Node where it is new enough, else on the one that the npm package `node` has brought.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR_MIN = 24;
const main = new URL('../dist/main.js', import.meta.url);

if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN) await import(main.href);
else {
  const node = findNode();
  if (node === null) {
    console.error(
      `access-admin needs Node ${NODE_MAJOR_MIN} or newer; this is Node ${process.versions.node}, and the npm package that brings another one is not installed.`,
    );
    process.exit(1);
  }
  // It notices by the channel when we are killed.
  const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
}

/** The program of the npm package `node`; null where it is not installed. */
function findNode() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'));
    const program = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(program) ? program : null;
  } catch {
    return null;
  }
}
