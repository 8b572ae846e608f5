import { openUnreadPipe, ROOT, startAppFromSources } from '@access-admin/harness';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
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
    await sample.store.checks.claim({ nowMs: Date.now(), leaseMs: 200, limit: 1 });
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
  CHECK_LEASE_MS must be a whole number of milliseconds from 100 to 60000.
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

test('a pipe that nobody reads holds up no check, and no line is lost', async () => {
  const pipe = openUnreadPipe();
  const worker = startAppFromSources('worker', {
    env: { DATABASE_URL: sample.url, LOG_LEVEL: 'debug', DECISION_LOG: 'stdout' },
    cwd: ROOT,
    stdoutPath: pipe.path,
  });
  onTestFinished(async () => {
    await worker[Symbol.asyncDispose]();
    pipe[Symbol.dispose]();
  });
  // Their lines and their decisions are each more than a pipe holds.
  const ids = Array.from({ length: 600 }, (_, at) => `r-${at}`);
  await enqueueAll(
    sample.store,
    ids.map((id) => newCheck(id)),
  );
  const unfinished = async () => {
    const outcomes = await Promise.all(ids.map((id) => outcomeOf(sample.store, id)));
    return outcomes.filter((outcome) => outcome !== 'SUCCESS p-1').length;
  };
  await expect.poll(unfinished).toBe(0);
  const countIn = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const text = await pipe.readUntil((read) => countIn(read, /"msg":"check"}\n/g) === ids.length);
  expect(countIn(text, /^\{"decision":"check",.*\}$/gm)).toBe(ids.length);
  expect((await worker.stop()).code).toBe(0);
});
