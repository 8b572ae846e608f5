import { describe, expect, test } from 'vitest';
import { changesBetween } from './event.ts';

describe('the changes between two objects', () => {
  test('are their properties that differ, in their order: those of the first, then those that only the second has', () => {
    const before = { name: 'A', level: 'HIGH', tags: ['x'], gone: 1 };
    const after = { added: true, tags: ['y'], name: 'A', level: 'LOW' };
    expect(changesBetween(before, after)).toEqual([
      { field: 'level', before: 'HIGH', after: 'LOW' },
      { field: 'tags', before: ['x'], after: ['y'] },
      { field: 'gone', before: 1, after: null },
      { field: 'added', before: null, after: true },
    ]);
  });

  test('do not tell null from a property that is not there', () => {
    expect(changesBetween({ a: null, b: 1 }, { b: 1, c: null })).toEqual([]);
    expect(changesBetween({ a: undefined }, {})).toEqual([]);
  });

  test('are none where a value is equal, whatever the order of its members', () => {
    expect(changesBetween({ a: { x: 1, y: [2] } }, { a: { y: [2], x: 1 } })).toEqual([]);
  });

  test('are all properties of what is created or deleted, except those that are null', () => {
    const object = { id: 'x', name: null, tags: [] };
    expect(changesBetween(null, object)).toEqual([
      { field: 'id', before: null, after: 'x' },
      { field: 'tags', before: null, after: [] },
    ]);
    expect(changesBetween(object, null)).toEqual([
      { field: 'id', before: 'x', after: null },
      { field: 'tags', before: [], after: null },
    ]);
    expect(changesBetween(null, null)).toEqual([]);
  });

  test('have only properties of the objects themselves', () => {
    expect(changesBetween({ toString: 'a' }, {})).toEqual([{ field: 'toString', before: 'a', after: null }]);
    expect(changesBetween({}, { constructor: 'a' })).toEqual([{ field: 'constructor', before: null, after: 'a' }]);
  });
});
