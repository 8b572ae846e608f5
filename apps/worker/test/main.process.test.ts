import { ROOT, startAppFromSources } from '@access-admin/harness';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { enqueueAll, type NewStore, newCheck, openSampleStore, outcomeOf } from './sample-store.ts';

let sample: NewStore;

beforeEach(async () => {
  sample = await openSampleStore();
});

afterEach(() => sample[Symbol.asyncDispose]());

/** Starts a worker from its sources. */
function startWorker(env: Readonly<Record<string, string>>) {
  const running = startAppFromSources('worker', { env, cwd: ROOT });
  const closed = running.ended.then(({ code }) => ({
    code,
    output: running.output(),
    stderr: running.errorOutput(),
  }));
  return { kill: (signal: NodeJS.Signals) => process.kill(running.pid, signal), closed };
}

describe('the worker process', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('works until %s and ends with code 0', async (signal) => {
    const { kill, closed } = startWorker({ DATABASE_URL: sample.url });
    await enqueueAll(sample.store, [newCheck('r-1')]);
    await expect.poll(() => outcomeOf(sample.store, 'r-1')).toBe('SUCCESS p-1');
    kill(signal);
    expect(await closed).toMatchObject({ code: 0, stderr: '' });
  });

  test('the check of a killed worker is taken by another', async () => {
    await enqueueAll(sample.store, [newCheck('r-1')]);
    await sample.store.checks.claim({ nowMs: Date.now(), leaseMs: 200, limit: 1, attemptsMax: 5 });
    const { kill, closed } = startWorker({ DATABASE_URL: sample.url });
    await expect.poll(() => outcomeOf(sample.store, 'r-1')).toBe('SUCCESS p-1');
    kill('SIGKILL');
    await closed;
  });

  test('says in one line why the store cannot be opened, and ends with code 1', async () => {
    const { closed } = startWorker({ DATABASE_URL: 'sqlite:/' });
    const { code, output, stderr } = await closed;
    expect({ code, output }).toEqual({ code: 1, output: stderr });
    expect(stderr).toBe('The store cannot be opened: / is a folder: name a file with DATABASE_URL\n');
  });

  test('refuses a wrong configuration with all errors and code 2', async () => {
    const { closed } = startWorker({ DATABASE_URL: 'mysql://u:secret@h/d', CHECK_LEASE_MS: 'soon' });
    const { code, output, stderr } = await closed;
    expect({ code, output }).toEqual({ code: 2, output: stderr });
    expect(stderr).toBe(`The configuration is wrong:
  DATABASE_URL must be sqlite:<path> of a file or postgres://… with reserved characters percent-encoded.
  CHECK_LEASE_MS must be a whole number of milliseconds from 100 to 3600000.
`);
  });
});

test('log lines of the worker name the process and have an ISO time', async () => {
  const { kill, closed } = startWorker({ DATABASE_URL: sample.url });
  await enqueueAll(sample.store, [newCheck('r-1')]);
  await expect.poll(() => outcomeOf(sample.store, 'r-1')).toBe('SUCCESS p-1');
  kill('SIGTERM');
  const lines = (await closed).output.trimEnd().split('\n');
  for (const line of lines) {
    const { time, process: name } = JSON.parse(line);
    expect([name, time]).toEqual(['worker', new Date(time).toISOString()]);
  }
  expect(lines.length).toBeGreaterThan(1);
});
