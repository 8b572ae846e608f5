import { idCount } from './id-numbers.ts';
import { isPauseDue, type Pace } from './pace.ts';
import type { TextRows } from './text-rows.ts';

/** Finds the numbers of ids that are parts of longer texts, without a text for each. For ids in ASCII, as those of records are. */
export interface IdTable {
  readonly ids: TextRows;
  /** Numbers plus one by hash, 0 where there is none; who finds a place taken takes the next. A power of two. */
  readonly slots: Uint32Array;
}

/** A table of ids, in steps. */
export function* createIdTable(ids: TextRows, pace: Pace): Generator<void, IdTable> {
  const count = idCount(ids);
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(count * 2 + 2)));
  const mask = slots.length - 1;
  const { starts, bytes } = ids;
  for (let number = 0; number < count; number++) {
    let hash = HASH_FIRST;
    const end = starts[number + 1] ?? 0;
    for (let at = starts[number] ?? 0; at < end; at++) hash = mixed(hash, bytes[at] ?? 0);
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = number + 1;
    if (isPauseDue(pace, 1)) yield;
  }
  return { ids, slots };
}

// FNV-1a.
const HASH_FIRST = 0x811c9dc5;
const mixed = (hash: number, unit: number) => Math.imul(hash ^ unit, 0x01000193);

/** The number of the id that stands in the text from `start` up to, and without, `end`; -1 when it has none. */
export function numberInText({ ids, slots }: IdTable, text: string, { start, end }: TextRange): number {
  let hash = HASH_FIRST;
  for (let at = start; at < end; at++) hash = mixed(hash, text.charCodeAt(at));
  const mask = slots.length - 1;
  const { starts, bytes } = ids;
  for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
    const number = (slots[slot] ?? 0) - 1;
    if (number < 0) return -1;
    const first = starts[number] ?? 0;
    if ((starts[number + 1] ?? 0) - first !== end - start) continue;
    let at = start;
    while (at < end && bytes[first + at - start] === text.charCodeAt(at)) at++;
    if (at === end) return number;
  }
}

/** Where a part of a text is. */
export interface TextRange {
  readonly start: number;
  /** The first place after it. */
  readonly end: number;
}
