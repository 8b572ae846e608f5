import { expect, test } from 'vitest';
import { faultOfValue, type Schema } from './json-schema.ts';

const person: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 3 },
    age: { anyOf: [{ type: 'integer', minimum: 0, maximum: 9 }, { type: 'null' }] },
    born: { type: 'string', format: 'date-time' },
    kind: { enum: ['a', 'b'] },
    tags: { type: 'array', items: { type: 'string', pattern: '^x' }, minItems: 1, maxItems: 2 },
    friend: { $ref: '#/components/schemas/Person' },
    extra: { type: 'object', additionalProperties: { type: 'boolean' }, propertyNames: { const: 'x' } },
  },
  required: ['name'],
  additionalProperties: false,
};
const root = { components: { schemas: { Person: person } } };

test.each<readonly [unknown, string | null]>([
  [{ name: 'Ada', age: 3, kind: 'a', tags: ['x'], born: '2026-11-21T09:30:00.000Z', friend: { name: '😀😀😀' } }, null],
  [{ name: 'Ada', age: null, extra: { x: true } }, null],
  ['Ada', ' is no object'],
  [[], ' is no object'],
  [{}, '.name is missing'],
  [{ name: '' }, '.name is too short'],
  [{ name: 'Adam' }, '.name is too long'],
  [{ name: 1 }, '.name is no string'],
  [{ name: 'A', age: 1.5 }, '.age is of none of the kinds'],
  [{ name: 'A', age: 10 }, '.age is of none of the kinds'],
  [{ name: 'A', age: -1 }, '.age is of none of the kinds'],
  [{ name: 'A', born: '2026-11-21' }, '.born is no date-time'],
  [{ name: 'A', kind: 'c' }, '.kind is none of the values'],
  [{ name: 'A', tags: [] }, '.tags has too few items'],
  [{ name: 'A', tags: ['x', 'x', 'x'] }, '.tags has too many items'],
  [{ name: 'A', tags: ['x', 'y'] }, '.tags[1] has another form'],
  [{ name: 'A', friend: { name: 'A', friend: {} } }, '.friend.friend.name is missing'],
  [{ name: 'A', extra: { y: true } }, '.extra.y is no name'],
  [{ name: 'A', extra: { x: 1 } }, '.extra.x is no boolean'],
  [JSON.parse('{"name":"A","__proto__":1}'), '.__proto__ is unknown'],
])('%j: %s', (value, fault) => {
  expect(faultOfValue(value, person, root)).toBe(fault);
});

test('a word that is not understood is an error, and so is a reference that leads nowhere', () => {
  const strange: Schema = JSON.parse('{"multipleOf":2}');
  expect(() => faultOfValue(1, strange, root)).toThrow('multipleOf is not understood');
  expect(() => faultOfValue(1, { $ref: '#/components/nothing' }, root)).toThrow('leads nowhere');
});
