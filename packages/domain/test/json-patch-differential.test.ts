import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyPatch, PATCH_COPIED_NODES_MAX, parsePatch } from '../src/index.ts';
import { naivePatch, pointersOf, type RawOperation, textOf, toTree } from './naive-json-patch.ts';

const NUM_RUNS = 2_000;

const names = [
  'a',
  'b',
  '',
  '~',
  '/',
  '~1',
  '0',
  '1',
  '01',
  '-',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'length',
];
const name = fc.constantFrom(...names);
const leaf = fc.constantFrom<unknown>(null, true, 0, -0, 1, 1.5, 1e21, '', '1', 'a', 'é');

/** JSON whose own member names are hostile. */
const json = fc
  .letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
    object: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  }))
  .value.map((value): unknown => JSON.parse(JSON.stringify(value)));

/** Chooses a place when its document is known: one that is there, a child of one, or any text. */
interface Place {
  readonly pick: number;
  readonly end: 'as it is' | 'child' | 'sibling' | 'elsewhere';
  readonly token: string;
}
const token = fc.oneof(
  { weight: 4, arbitrary: name },
  fc.constantFrom('2', '3', '00', '+1', '1e0', ' ', '4294967296', '9'.repeat(30)),
);
const place: fc.Arbitrary<Place> = fc.record({
  pick: fc.nat(),
  end: fc.oneof(
    { weight: 3, arbitrary: fc.constant('as it is' as const) },
    fc.constantFrom('child' as const, 'sibling' as const, 'elsewhere' as const),
  ),
  token: token.map((text) => text.replaceAll('~', '~0').replaceAll('/', '~1')),
});

function pointerAt(document: unknown, { pick, end, token }: Place): string {
  const pointers = pointersOf(toTree(document));
  const chosen = pointers[pick % pointers.length] ?? '';
  if (end === 'as it is') return chosen;
  if (end === 'child') return `${chosen}/${token}`;
  return end === 'sibling' ? `${chosen.slice(0, chosen.lastIndexOf('/') + 1) || '/'}${token}` : `/${token}/${token}`;
}

interface Recipe {
  readonly op: RawOperation['op'];
  readonly path: Place;
  readonly from: Place;
  readonly value: unknown;
  readonly isTestOfStored: boolean;
}
const recipe: fc.Arbitrary<Recipe> = fc.record({
  op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
  path: place,
  from: place,
  value: json,
  isTestOfStored: fc.boolean(),
});

/** Operations that mostly hit: each is made for the document which those before it leave. */
function cook(document: unknown, recipes: readonly Recipe[]): readonly RawOperation[] {
  const operations: RawOperation[] = [];
  let current = document;
  for (const { op, path, from, value, isTestOfStored } of recipes) {
    const pointer = pointerAt(current, path);
    const stored = op === 'test' && isTestOfStored ? reversed(valueAt(current, pointer) ?? value) : value;
    operations.push({ op, path: pointer, from: pointerAt(current, from), value: stored });
    const next = apply(document, operations);
    if (next.ok) current = next.value;
  }
  return operations;
}

const valueAt = (document: unknown, pointer: string): unknown => {
  let value = document;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
};

/** The same value with its members in another order. */
const reversed = (value: unknown): unknown =>
  typeof value !== 'object' || value === null
    ? value
    : Array.isArray(value)
      ? value.map(reversed)
      : Object.fromEntries(
          Object.entries(value)
            .toReversed()
            .map(([key, member]) => [key, reversed(member)]),
        );

function apply(document: unknown, operations: readonly unknown[]) {
  const patch = parsePatch(operations);
  return patch.ok ? applyPatch(document, patch.value, { isAllowed: () => true }) : patch;
}

const cases = fc
  .tuple(json, fc.array(recipe, { maxLength: 8 }))
  .map(([document, recipes]) => ({ document, operations: cook(document, recipes) }));

test('any patch has the outcome that a naive reading of RFC 6902 gives', () => {
  const counts = { applied: 0, IllegalValue: 0, Conflict: 0, LimitExceeded: 0 };
  fc.assert(
    fc.property(cases, ({ document, operations }) => {
      const expected = naivePatch(toTree(document), operations, PATCH_COPIED_NODES_MAX);
      const result = apply(document, operations);
      if ('error' in expected) {
        counts[expected.error]++;
        expect(result).toMatchObject({ ok: false, failure: { type: expected.error } });
      } else {
        counts.applied++;
        expect(result.ok && textOf(toTree(result.value))).toBe(textOf(expected.tree));
      }
    }),
    { numRuns: NUM_RUNS },
  );
  // The generator must reach successes and failures alike.
  expect(Math.min(counts.applied, counts.IllegalValue, counts.Conflict)).toBeGreaterThan(NUM_RUNS / 50);
});

test('no patch changes its document, shares objects with it, or touches a prototype', () => {
  const builtIns = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Number.prototype];
  const namesOf = () => builtIns.map((builtIn) => Reflect.ownKeys(builtIn));
  const before = namesOf();
  fc.assert(
    fc.property(cases, ({ document, operations }) => {
      const text = JSON.stringify([document, operations]);
      const result = apply(document, operations);
      expect(JSON.stringify([document, operations])).toBe(text);
      if (!result.ok) return;
      const given = new Set(objectsIn([document, operations]));
      for (const object of objectsIn(result.value)) {
        expect(given.has(object)).toBe(false);
        expect(Object.getPrototypeOf(object)).toBe(Array.isArray(object) ? Array.prototype : Object.prototype);
      }
      expect(new Set(objectsIn(result.value)).size).toBe(objectsIn(result.value).length);
    }),
    { numRuns: NUM_RUNS },
  );
  expect(namesOf()).toEqual(before);
});

const objectsIn = (value: unknown): readonly object[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
