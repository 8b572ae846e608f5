import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { enqueueAll, newCheck, openSampleStore, outcomeOf, type SampleStore } from './sample-store.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let sample: SampleStore;

beforeEach(async () => {
  sample = await openSampleStore();
});

afterEach(() => sample[Symbol.asyncDispose]());

/** Starts a worker as its own process. */
function startWorker(env: Readonly<Record<string, string>>) {
  const args = ['--conditions=@access-admin/source', MAIN];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    said.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk;
  });
  const closed = once(child, 'close').then(([code]) => ({ code, ...said }));
  return { child, closed };
}

describe('the worker process', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('works until %s and ends with code 0', async (signal) => {
    const { child, closed } = startWorker({ DATABASE_URL: sample.url });
    await enqueueAll(sample.store, [newCheck('r-1')]);
    await expect.poll(() => outcomeOf(sample.store, 'r-1'), { timeout: 10_000 }).toBe('SUCCESS p-1');
    child.kill(signal);
    expect(await closed).toMatchObject({ code: 0, stderr: '' });
  });

  test('a worker that is killed loses nothing: another takes its check', async () => {
    await enqueueAll(sample.store, [newCheck('r-1')]);
    await sample.store.checks.claim({ nowMs: Date.now(), leaseMs: 200, limit: 1, attemptsMax: 5 });
    const { child, closed } = startWorker({ DATABASE_URL: sample.url });
    await expect.poll(() => outcomeOf(sample.store, 'r-1'), { timeout: 10_000 }).toBe('SUCCESS p-1');
    child.kill('SIGKILL');
    await closed;
  });

  test('says in one line why the store cannot be opened, and ends with code 1', async () => {
    const { closed } = startWorker({ DATABASE_URL: 'sqlite:/' });
    const { code, stdout, stderr } = await closed;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^The store cannot be opened: .+\n$/);
  });

  test('refuses a wrong configuration with every fault and code 2', async () => {
    const { closed } = startWorker({ DATABASE_URL: 'mysql://u:secret@h/d', CHECK_LEASE_MS: 'soon' });
    expect(await closed).toEqual({
      code: 2,
      stdout: '',
      stderr: `The configuration is wrong:
  DATABASE_URL must be sqlite:<path> of a file or postgres://… with reserved characters percent-encoded.
  CHECK_LEASE_MS must be a whole number of milliseconds from 100 to 3600000.
`,
    });
  });
});
