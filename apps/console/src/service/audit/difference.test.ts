import { expect, test } from 'vitest';
import { differenceOf } from './difference.ts';

const SIGNS = { same: ' ', removed: '-', added: '+', skipped: '@' };
const written = (before: unknown, after: unknown) =>
  differenceOf(before, after).map(({ kind, text }) => `${SIGNS[kind]}${text}`);

test('a value is told before and after, and nothing for null', () => {
  expect(written('HIGH', 'LOW')).toEqual(['-HIGH', '+LOW']);
  expect(written(null, ['ORG_ADMIN'])).toEqual(['+[', '+  "ORG_ADMIN"', '+]']);
  expect(written(3, null)).toEqual(['-3']);
  expect(written(null, undefined)).toEqual([]);
});

test('what a list gains and loses stands between what it keeps', () => {
  expect(written(['a', 'b', 'd'], ['a', 'c', 'd'])).toEqual([' [', '   "a",', '-  "b",', '+  "c",', '   "d"', ' ]']);
});

test('long parts that are the same are left out', () => {
  const list = Array.from({ length: 20 }, (_, at) => at);
  expect(written(list, list.with(10, 99))).toEqual([
    '@9',
    '   8,',
    '   9,',
    '-  10,',
    '+  99,',
    '   11,',
    '   12,',
    '@8',
  ]);
});

test('every line of both values is told, whatever they are', () => {
  for (const [before, after] of [
    [
      [1, 2, 3, 4],
      [4, 3, 2, 1],
    ],
    [{ a: { b: [1] } }, { a: { b: [2], c: 'x\ny' } }],
    [[], { a: 1 }],
  ]) {
    const lines = differenceOf(before, after);
    const without = (kind: string) => lines.filter((line) => line.kind !== kind).map(({ text }) => text);
    expect(without('added').join('\n')).toBe(JSON.stringify(before, null, 2));
    expect(without('removed').join('\n')).toBe(JSON.stringify(after, null, 2));
  }
});

test('up to a million pairs of lines the common part of two values is sought', () => {
  const values = (length: number, first: number) =>
    Array.from({ length }, (_, at) => (at === 500 ? 'common' : first + at));
  const commonOf = (length: number) =>
    differenceOf(values(length, 10_000), values(length, 20_000)).filter(({ text }) => text.includes('common'));
  expect(commonOf(1000).map(({ kind }) => kind)).toEqual(['same']);
  expect(commonOf(1001).map(({ kind }) => kind)).toEqual(['removed', 'added']);
});
