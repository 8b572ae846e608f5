import { expect, test } from 'vitest';
import { changesOf, differencesOf, linesOf, patchOf } from './changes.ts';

const BASE = { name: 'a', types: ['x'], enabled: true };

test('only what differs is changed', () => {
  const changes = changesOf(BASE, { name: 'a', types: ['x', 'y'], enabled: false });
  expect(changes).toEqual({ types: ['x', 'y'], enabled: false });
  expect(patchOf(changes)).toEqual([
    { op: 'replace', path: '/types', value: ['x', 'y'] },
    { op: 'replace', path: '/enabled', value: false },
  ]);
  expect(differencesOf(BASE, { ...BASE, name: 'b', enabled: false }, ['name', 'types'])).toEqual(['name']);
});

test('a text has an item a line', () => {
  expect(linesOf(' a \n\n b\n')).toEqual(['a', 'b']);
  expect(linesOf(' \n')).toBeNull();
});
