import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import { growInto } from './grow.ts';

/**
 * Texts in one array: text `i` is `bytes[starts[i]]` up to, and without, `bytes[starts[i + 1]]`. Each UTF-16 code unit is
 * written as UTF-8 writes that code point, so that every text comes back, surrogates without a partner too.
 */
export interface StringTable {
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
}

interface Encoding<T> {
  readonly items: readonly T[];
  readonly textOf: (item: T) => string;
  readonly starts: Uint32Array;
  bytes: Uint8Array<ArrayBuffer>;
  length: number;
}

// Plain loops over runs of this length are faster than the same loops in a generator.
const RUN = 64;

/** Writes one text of each item, in steps. */
export function* encodeTexts<T>(
  items: readonly T[],
  { textOf, budget }: { readonly textOf: (item: T) => string; readonly budget: WorkBudget },
): Steps<StringTable> {
  const starts = new Uint32Array(items.length + 1);
  const encoding: Encoding<T> = { items, textOf, starts, bytes: new Uint8Array(1024), length: 0 };
  for (let from = 0; from < items.length; from += RUN) {
    if (isPauseDue(budget, encodeRun(encoding, from))) yield;
  }
  return { starts, bytes: encoding.bytes.slice(0, encoding.length) };
}

/** Encodes a run of items; returns the units of work. */
function encodeRun<T>(encoding: Encoding<T>, from: number): number {
  const { items, textOf, starts } = encoding;
  const end = Math.min(from + RUN, items.length);
  let work = 0;
  for (let at = from; at < end; at++) {
    const item = items[at];
    const text = item === undefined ? '' : textOf(item);
    const lengthMax = encoding.length + text.length * 3;
    if (lengthMax > encoding.bytes.length) {
      const lengthNew = Math.max(lengthMax, encoding.bytes.length * 2);
      encoding.bytes = growInto(encoding.bytes, new Uint8Array(lengthNew));
    }
    encoding.length = encode(text, encoding.bytes, encoding.length);
    starts[at + 1] = encoding.length;
    work += 1 + text.length / 8;
  }
  return work;
}

/** The text of a row. */
export function textAt({ starts, bytes }: StringTable, row: number): string {
  const units: number[] = [];
  const end = starts[row + 1] ?? 0;
  for (let at = starts[row] ?? 0; at < end; ) {
    const first = bytes[at++] ?? 0;
    if (first < 0x80) units.push(first);
    else if (first < 0xe0) units.push(((first & 0x1f) << 6) | following(bytes, at++));
    else units.push(((first & 0x0f) << 12) | (following(bytes, at++) << 6) | following(bytes, at++));
  }
  if (units.length <= UNITS_MAX) return fromUnits(units);
  let text = '';
  for (let at = 0; at < units.length; at += UNITS_MAX) text += fromUnits(units.slice(at, at + UNITS_MAX));
  return text;
}

// Far below the number of arguments that a call can take.
const UNITS_MAX = 4096;

const fromUnits = (units: readonly number[]): string => Reflect.apply(String.fromCharCode, undefined, units);

const following = (bytes: Uint8Array, at: number) => (bytes[at] ?? 0) & 0x3f;

function encode(text: string, bytes: Uint8Array, start: number): number {
  let at = start;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      bytes[at++] = unit;
      continue;
    }
    if (unit < 0x800) bytes[at++] = 0xc0 | (unit >> 6);
    else {
      bytes[at++] = 0xe0 | (unit >> 12);
      bytes[at++] = 0x80 | ((unit >> 6) & 0x3f);
    }
    bytes[at++] = 0x80 | (unit & 0x3f);
  }
  return at;
}
