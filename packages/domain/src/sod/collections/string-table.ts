import { growInto } from './grow.ts';

/**
 * Texts in one array: text `i` is `bytes[starts[i]]` up to, and without, `bytes[starts[i + 1]]`. Each UTF-16 code unit is
 * written as UTF-8 writes that code point, so that every text comes back, surrogates without a partner too.
 */
export interface StringTable {
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
}

/** Builds a `StringTable`, text by text. */
export interface TextWriter {
  readonly starts: number[];
  bytes: Uint8Array<ArrayBuffer>;
}

/** A writer without texts. */
export const createTextWriter = (): TextWriter => ({ starts: [0], bytes: new Uint8Array(1024) });

/** Adds a text. */
export function addText(writer: TextWriter, text: string): void {
  const start = writer.starts.at(-1) ?? 0;
  const lengthMax = start + text.length * 3;
  if (lengthMax > writer.bytes.length) {
    const lengthNew = Math.max(lengthMax, writer.bytes.length * 2);
    writer.bytes = growInto(writer.bytes, new Uint8Array(lengthNew));
  }
  writer.starts.push(encode(text, writer.bytes, start));
}

/** The texts that were added, in order. */
export const textsOf = ({ starts, bytes }: TextWriter): StringTable => ({
  starts: new Uint32Array(starts),
  bytes: bytes.slice(0, starts.at(-1)),
});

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
