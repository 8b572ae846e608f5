import { type Dice, drawOne } from './dice.ts';
import { pointersOf, type RawOperation, toTree } from './domain-oracles.ts';

/** A document and a patch for it. */
export interface PatchCase {
  readonly document: unknown;
  readonly operations: readonly RawOperation[];
}

const NAMES = ['a', 'b', '', '~', '/', '~1', '0', '1', '01', '-', '__proto__', 'constructor', 'prototype', 'toString'];
const LEAVES = [null, true, 0, 1, 1.5, 1e21, '', '1', 'a', 'é'];
const TOKENS = [...NAMES, 'length', '2', '3', '00', '+1', '1e0', ' ', '4294967296', '9'.repeat(30)];
const OPS = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const;

/** Draws a document whose member names are hostile, and a patch that mostly hits: `apply` says what each operation leaves. */
export function drawPatchCase(dice: Dice, apply: (document: unknown, operation: RawOperation) => unknown): PatchCase {
  const document = drawJson(dice, 3);
  const operations: RawOperation[] = [];
  let current = document;
  for (let left = dice(7); left > 0; left--) {
    const operation = drawOperation(dice, current);
    operations.push(operation);
    current = apply(current, operation);
  }
  return { document, operations };
}

function drawOperation(dice: Dice, document: unknown): RawOperation {
  const pointers = pointersOf(toTree(document));
  const path = drawPointer(dice, pointers);
  const op = drawOne(dice, OPS);
  const value = op === 'test' && dice(4) > 0 ? reordered(valueAt(document, path)) : drawJson(dice, 2);
  return { op, path, from: drawPointer(dice, pointers), value };
}

function drawJson(dice: Dice, depth: number): unknown {
  const kind = depth === 0 ? 0 : dice(4);
  if (kind === 0) return drawOne(dice, LEAVES);
  const size = dice(kind === 1 ? 4 : 5);
  if (kind === 1) return Array.from({ length: size }, () => drawJson(dice, depth - 1));
  // Through text: only so is `__proto__` a member like any other.
  const members = Array.from(
    { length: size },
    () => `${JSON.stringify(drawOne(dice, NAMES))}:${JSON.stringify(drawJson(dice, depth - 1))}`,
  );
  return JSON.parse(`{${members.join()}}`);
}

/** A place that is there more often than not, a child or a neighbour of one, or anything. */
function drawPointer(dice: Dice, pointers: readonly string[]): string {
  const chosen = drawOne(dice, pointers);
  const token = drawOne(dice, TOKENS).replaceAll('~', '~0').replaceAll('/', '~1');
  const kind = dice(12);
  if (kind < 9) return chosen;
  if (kind === 9) return `${chosen}/${token}`;
  return kind === 10 && chosen !== '' ? `${chosen.slice(0, chosen.lastIndexOf('/'))}/${token}` : `/${token}/${token}`;
}

function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
    value = Reflect.get(value, key);
  }
  return value;
}

/** The same value with its members in another order. */
function reordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reordered);
  const members = Object.entries(value).toReversed();
  return Object.fromEntries(members.map(([name, member]) => [name, reordered(member)]));
}
