import { setImmediate } from 'node:timers/promises';
import type { StoredCheck } from '@access-admin/store';
import { expect, test } from 'vitest';
import { textOf } from '../../../test/text-of.ts';
import { readCheckText } from './answer.ts';
import { createCheckResults } from './results.ts';

const KIB = 1_024;
const large = (requestId: string, resultBytes = 100 * KIB): StoredCheck => ({
  requestId,
  created: 'then',
  state: 'SUCCESS',
  completed: 'later',
  resultBytes,
  result: null,
});
const opening = (requestId: string) =>
  `{"requestId":"${requestId}","created":"then","state":"SUCCESS","completed":"later","violationCheckResult":`;

/** Answers from a store in which the result of a check is its id, repeated; memory for 400 KiB. */
function openAnswers(resultOf = (requestId: string) => requestId.repeat(100 * KIB)) {
  const reads: string[] = [];
  const results = createCheckResults({
    readResult: async (tenant, requestId) => {
      reads.push(`${tenant}/${requestId}`);
      await setImmediate();
      return resultOf(requestId);
    },
    elapsed: () => 0,
    metrics: { addSemaphore: (_, semaphore) => semaphore },
    bytesMax: 400 * KIB,
  });
  const ask = (check: StoredCheck, { tenant = 'a', method = 'GET' } = {}) =>
    readCheckText(results, { tenant, check, hasBody: method !== 'HEAD' });
  return { reads, ask };
}

const read = async (answer: ReturnType<ReturnType<typeof openAnswers>['ask']>) => {
  const outcome = await answer;
  return outcome.ok ? textOf(outcome.value) : outcome.failure.type;
};

test('a small result is answered as it is stored, and a pending check has none', async () => {
  const { ask, reads } = openAnswers();
  const result = '{ "as": 1, "it" : "is" }';
  expect(await read(ask({ ...large('x'), resultBytes: result.length, result }))).toBe(`${opening('x')}${result}}`);
  expect(await read(ask({ ...large('x'), resultBytes: 0 }))).toBe(`${opening('x')}null}`);
  expect(reads).toEqual([]);
});

test('answers with one result share it', async () => {
  const { ask, reads } = openAnswers();
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(large('x'))));
  expect(reads).toEqual(['a/x']);
  for (const answer of answers) expect(answer.ok && (await textOf(answer.value)).length).toBeGreaterThan(100 * KIB);
  expect((await read(ask(large('x')))).length).toBeGreaterThan(100 * KIB);
  expect(reads).toEqual(['a/x', 'a/x']);
});

test('results for which there is no memory wait for it, and another tenant has memory meanwhile', async () => {
  const { ask, reads } = openAnswers();
  const first = await ask(large('x'));
  const second = await ask(large('y'));
  const third = read(ask(large('z')));
  expect((await read(ask(large('o'), { tenant: 'b' }))).length).toBeGreaterThan(100 * KIB);
  expect(reads).toEqual(['a/x', 'a/y', 'b/o']);
  if (!first.ok || first.value === null || typeof first.value === 'string') throw new Error('The result is not large.');
  // The caller leaves before it has taken a piece.
  first.value.release?.();
  expect((await third).length).toBeGreaterThan(100 * KIB);
  expect(second.ok && (await read(Promise.resolve(second))).length).toBeGreaterThan(100 * KIB);
});

test('memory is given back when a result cannot be read, and an answer to HEAD takes none', async () => {
  let fails = true;
  const { ask } = openAnswers((requestId) => {
    if (fails) throw new Error('away');
    return requestId;
  });
  for (let round = 0; round < 5; round++) await expect(ask(large('x'))).rejects.toThrow('away');
  fails = false;
  for (let round = 0; round < 5; round++) expect((await ask(large('y'), { method: 'HEAD' })).ok).toBe(true);
  expect(await read(ask(large('x')))).toBe(`${opening('x')}x}`);
  // More than all of the memory.
  expect(await read(ask(large('z', 401 * KIB)))).toBe('Unavailable');
});
