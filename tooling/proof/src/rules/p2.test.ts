import { expect, test } from 'vitest';
import { p2 } from './p2.ts';

const run = { engine: 'sqlite', seed: 11, count: 1_000, say: () => {}, signal: new AbortController().signal } as const;

test('runs the public suite and as many patches as asked for, many of which apply', async () => {
  const { counts, broken } = await p2.run(run);
  expect(counts).toMatchObject({ cases: 1_000, suite: 93, differences: 0 });
  expect(Number(counts['applied'])).toBeGreaterThan(250);
  expect(Number(counts['refused'])).toBeGreaterThan(250);
  expect(broken).toEqual([]);
});

test('sees every wrong engine, and leaves no prototype changed', async () => {
  const before = Reflect.ownKeys(Object.prototype);
  const { counts, broken } = await p2.control(run);
  expect(counts['seen']).toBe(counts['mutants']);
  expect(broken.length).toBe(counts['mutants']);
  expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
});
