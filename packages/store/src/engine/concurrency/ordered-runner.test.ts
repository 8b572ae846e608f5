import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Before, createOrderedRunner } from './ordered-runner.ts';

test('work of one name runs in the order of the calls, concurrently with work of other names', async () => {
  const runInOrder = createOrderedRunner();
  const log: string[] = [];
  const first = Promise.withResolvers<void>();
  const work =
    (label: string, until: Promise<void> = Promise.resolve()) =>
    async () => {
      log.push(`begin ${label}`);
      await until;
      log.push(`end ${label}`);
      return label;
    };
  const all = Promise.all([
    runInOrder('a', work('a1', first.promise)),
    runInOrder('a', work('a2')),
    runInOrder('b', work('b1')),
    runInOrder('a', work('a3')),
  ]);
  await setImmediate();
  expect(log).toEqual(['begin a1', 'begin b1', 'end b1']);
  first.resolve();
  expect(await all).toEqual(['a1', 'a2', 'b1', 'a3']);
  expect(log.slice(3)).toEqual(['end a1', 'begin a2', 'end a2', 'begin a3', 'end a3']);
});

test('only the work that waited for a failed one receives its failure', async () => {
  const runInOrder = createOrderedRunner();
  const failure = new Error('away');
  const told: Before[] = [];
  const tell = async (before: Before) => void told.push(before);
  const outcomes = await Promise.allSettled([
    runInOrder('a', async () => {
      throw failure;
    }),
    runInOrder('a', tell),
    runInOrder('a', tell),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  await runInOrder('a', () => Promise.reject(failure)).catch(() => {});
  await runInOrder('a', tell);
  expect(told).toEqual([{ failure }, null, null]);
});
