import { expect, test } from 'vitest';
import { countLost, verifyWrites } from './verify-writes.ts';

const at = (number: number) => ({ number, etag: `"${number}"` });
const write = (base: number, number = base + 1) => ({ base: `"${base}"`, ...at(number) });

test('accepts writes that are each based on the previous one, in any order of their answers', () => {
  expect(verifyWrites(at(0), [write(2), write(0), write(1)], at(3))).toEqual([]);
  expect(verifyWrites(at(0), [], at(0))).toEqual([]);
  expect(countLost(at(0), [write(2), write(0), write(1)], at(3))).toBe(0);
});

test('reports two writes based on one version, and the number of lost writes', () => {
  const accepted = [write(0), write(0), write(1)];
  expect(verifyWrites(at(0), accepted, at(2))).toEqual([
    '1 were made from a version that another one had replaced',
    '3 were accepted, but only 2 follow one another',
    '1 are lost',
  ]);
  expect(countLost(at(0), accepted, at(2))).toBe(1);
});

test('reports a lost last write', () => {
  expect(verifyWrites(at(0), [write(0), write(1)], at(1))).toEqual([
    'the last write is not the current state',
    '1 are lost',
  ]);
});

test('reports a write based on a version that no write resulted in', () => {
  expect(verifyWrites(at(0), [write(0), write(5)], at(1))).toContain('2 were accepted, but only 1 follow one another');
});

test('ends when a version occurs again', () => {
  const back = { ...write(1), etag: '"0"' };
  expect(verifyWrites(at(0), [write(0), back], at(2)).length).toBeGreaterThan(0);
});
