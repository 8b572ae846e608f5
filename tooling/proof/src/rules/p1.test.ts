import { expect, test } from 'vitest';
import { p1 } from './p1.ts';

const run = { engine: 'sqlite', seed: 11, count: 1_001, say: () => {}, signal: new AbortController().signal } as const;

test('looks at exactly as many cases as asked for, and finds violations old and new among them', async () => {
  const { counts, broken } = await p1.run(run);
  expect(counts).toMatchObject({ cases: 1_001, worlds: 501, differences: 0 });
  expect(Number(counts['violations'])).toBeGreaterThan(100);
  expect(Number(counts['preexisting'])).toBeGreaterThan(10);
  expect(Number(counts['kOfN'])).toBeGreaterThan(50);
  expect(Number(counts['violations']) - Number(counts['kOfN'])).toBeGreaterThan(50);
  expect(counts['inTime']).toBe(100);
  expect(Number(counts['violationsInTime'])).toBeGreaterThan(10);
  expect(broken).toEqual([]);
});

test('sees every wrong answer', async () => {
  const { counts, broken } = await p1.control(run);
  expect(counts['seen']).toBe(counts['mutants']);
  expect(broken.length).toBe(counts['mutants']);
});

test('ends early when it is told to', async () => {
  await expect(p1.run({ ...run, signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
});
