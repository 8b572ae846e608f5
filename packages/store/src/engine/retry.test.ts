import { expect, test } from 'vitest';
import { StorageUnavailable } from './errors.ts';
import { createRetry } from './retry.ts';

const LIMIT_MS = 20;

/** An attempt that fails, and the number of its calls. */
function makeAttempt() {
  const made = { calls: 0 };
  const attempt = async (): Promise<never> => {
    made.calls += 1;
    throw new Error('locked');
  };
  return { made, attempt };
}

test('a call that waited behind one that timed out is tried once; a later call is retried', async () => {
  const retry = createRetry(() => 'passing', LIMIT_MS);
  const enteredMs = performance.now();
  const first = makeAttempt();
  const queued = makeAttempt();
  const later = makeAttempt();
  await expect(retry(first.attempt, enteredMs)).rejects.toThrow(StorageUnavailable);
  await expect(retry(queued.attempt, enteredMs)).rejects.toThrow(StorageUnavailable);
  expect(queued.made.calls).toBe(1);
  const succeedsAtSecondCall = () =>
    later.attempt().catch((error) => (later.made.calls === 2 ? 'done' : Promise.reject(error)));
  expect(await retry(succeedsAtSecondCall, performance.now() + 60_000)).toBe('done');
});

test('only a passing error causes another attempt', async () => {
  for (const [state, name] of [
    ['full', 'StorageFull'],
    ['nodeAway', 'NodeAway'],
    ['away', 'StorageUnavailable'],
    ['other', 'Error'],
  ] as const) {
    const { made, attempt } = makeAttempt();
    const error = await createRetry(() => state, LIMIT_MS)(attempt).catch((thrown) => thrown);
    expect([error instanceof StorageUnavailable, error.name]).toEqual([state !== 'other', name]);
    expect(made.calls).toBe(1);
  }
});
