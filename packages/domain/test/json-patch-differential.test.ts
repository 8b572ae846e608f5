import { isDeepStrictEqual } from 'node:util';
import { SEED } from '@access-admin/test-depth';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyPatch, PATCH_COPIED_NODES_MAX, parsePatch } from '../src/index.ts';
import { CASES, type WithCounts } from './depth.ts';
import { naivePatch, pointersOf, type RawOperation, textOf, toTree } from './naive-json-patch.ts';

const PARAMETERS = { numRuns: CASES, seed: SEED };

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

/** Chooses a place in a document: an existing one, a child of one, or any text. */
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

/** Operations that mostly succeed: each is drawn for the document after the earlier ones. */
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

/** The same value with its members reordered. */
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

/** Compares an engine with the oracle, and counts the outcomes. */
const equalsOracle = (engine: typeof apply, counts: Record<string, number> = {}) =>
  fc.property(cases, ({ document, operations }) => {
    const expected = naivePatch(toTree(document), operations, PATCH_COPIED_NODES_MAX);
    const result = engine(document, operations);
    const outcome = 'error' in expected ? expected.error : 'applied';
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    const text = result.ok ? textOf(toTree(result.value)) : result.failure.type;
    const isEqual =
      result.ok === !('error' in expected) && text === ('error' in expected ? outcome : textOf(expected.tree));
    if (!isEqual) expect(result).toEqual(expected);
  });

test(`${CASES} patches have the result of a naive implementation of RFC 6902`, { timeout: 3_600_000 }, ({ task }) => {
  const counts = { applied: 0, IllegalValue: 0, Conflict: 0, LimitExceeded: 0 };
  fc.assert(equalsOracle(apply, counts), PARAMETERS);
  (task.meta as WithCounts).counts = { cases: CASES, ...counts };
  // The generator must produce successes and failures.
  expect(Math.min(counts.applied, counts.IllegalValue, counts.Conflict)).toBeGreaterThan(CASES / 50);
});

const builtIns = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Number.prototype];
const namesOfBuiltIns = () => builtIns.map((builtIn) => Reflect.ownKeys(builtIn));
const namesAtStart = namesOfBuiltIns();

/** Whether an engine changes neither its arguments nor a prototype, and returns only new objects. */
const leavesAllElse = (engine: typeof apply) =>
  fc.property(cases, ({ document, operations }) => {
    const text = JSON.stringify([document, operations]);
    const result = engine(document, operations);
    expect(JSON.stringify([document, operations])).toBe(text);
    if (!isDeepStrictEqual(namesOfBuiltIns(), namesAtStart)) expect(namesOfBuiltIns()).toEqual(namesAtStart);
    if (!result.ok) return;
    const given = new Set(objectsIn([document, operations]));
    const made = objectsIn(result.value);
    const isPlain = (object: object) =>
      Object.getPrototypeOf(object) === (Array.isArray(object) ? Array.prototype : Object.prototype);
    expect(made.every((object) => !given.has(object) && isPlain(object)) && new Set(made).size === made.length).toBe(
      true,
    );
  });

test('no patch changes its document, shares objects with it, or touches a prototype', { timeout: 3_600_000 }, () => {
  fc.assert(leavesAllElse(apply), PARAMETERS);
});

test('control: an engine that keeps changes made before a failure is detected', () => {
  const mutant: typeof apply = (document, operations) => {
    let value: unknown = document;
    for (const operation of operations) {
      const result = apply(value, [operation]);
      if (result.ok) value = result.value;
    }
    return { ok: true, value };
  };
  expect(fc.check(equalsOracle(mutant)).failed).toBe(true);
});

test('control: an engine that writes into the document is detected', () => {
  const mutant: typeof apply = (document, operations) => {
    const result = apply(document, operations);
    if (Array.isArray(document)) document.push('written');
    return result;
  };
  expect(fc.check(leavesAllElse(mutant)).failed).toBe(true);
});

test('control: an engine that follows __proto__ is detected', () => {
  const mutant: typeof apply = (document, operations) => {
    if (JSON.stringify(operations).includes('/__proto__')) Reflect.set(Object.prototype, 'polluted', true);
    return apply(document, operations);
  };
  try {
    expect(fc.check(leavesAllElse(mutant), { numRuns: 5_000, endOnFailure: true }).failed).toBe(true);
  } finally {
    Reflect.deleteProperty(Object.prototype, 'polluted');
  }
});

const objectsIn = (value: unknown): readonly object[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
