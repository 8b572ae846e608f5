import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isRunning, withDescendants } from './process-table.mjs';
import { withProgress } from './progress.mjs';

/** The checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

// Slightly longer than the ten seconds in which API and worker stop.
const GRACE_MS = 12_000;
const POLL_MS = 50;

/**
 * Starts a process in the checkout. `ended` resolves with its exit code. Once `stop` is aborted, the process and its
 * descendants are terminated, then killed. It stays in our process group, so that a signal to the group reaches it. With
 * `hasChannel` it notices our end by its IPC channel.
 */
export function startProcess(command, args, { stop, env = process.env, output = 'inherit', hasChannel = false }) {
  const stdio = ['ignore', output, output, ...(hasChannel ? ['ipc'] : [])];
  const child = spawn(command, args, { cwd: root, env, stdio });
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 127, error }));
    child.once('close', (code, signal) => resolve({ code: code ?? 1, signal }));
  });
  let swept = Promise.resolve();
  const end = () => {
    swept = endTree(child);
  };
  if (stop.aborted) end();
  else stop.addEventListener('abort', end, { once: true });
  return {
    child,
    ended: ended.then(async (outcome) => {
      stop.removeEventListener('abort', end);
      await swept;
      return outcome;
    }),
  };
}

/** Runs a process to its end, and says meanwhile that it runs. Its output is shown only when it fails. Returns whether it succeeded. */
export async function runQuietly(title, [command, ...args], { stop, env }) {
  const { child, ended } = startProcess(command, args, { stop, env, output: 'pipe' });
  const output = [];
  child.stdout?.on('data', (chunk) => output.push(chunk));
  child.stderr?.on('data', (chunk) => output.push(chunk));
  const { code, error } = await withProgress(() => `${title} runs`, ended);
  if (code === 0 || stop.aborted) return code === 0;
  process.stderr.write(Buffer.concat(output));
  console.error(`access-admin: ${title} failed: ${error?.message ?? `${command} ended with code ${code}`}`);
  return false;
}

async function endTree(child) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const family = withDescendants(child.pid);
  for (const id of family) signal(id, 'SIGTERM');
  for (let waitedMs = 0; waitedMs < GRACE_MS && family.some(isRunning); waitedMs += POLL_MS) await delay(POLL_MS);
  for (const id of family) if (isRunning(id)) signal(id, 'SIGKILL');
}

function signal(id, name) {
  try {
    process.kill(id, name);
  } catch {
    // It has ended already.
  }
}
