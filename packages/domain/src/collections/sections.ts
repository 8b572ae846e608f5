import type { CsrRows } from './csr-rows.ts';
import type { StringTable } from './string-table.ts';

/**
 * A pack: this word, the number of its sections and the length of each in bytes, all in 32 bits of this machine's byte
 * order, and then the sections, each from a multiple of four on. The word reads differently in another byte order, and
 * gets another number whenever the sections change.
 */
const VERSION = 0x534f4404;

type Section = Uint8Array | Uint32Array;

/** A pack that is being read, section by section. */
export interface PackReader {
  readonly sections: readonly Uint8Array[];
  next: number;
  /** False once anything was invalid; sections read from then on must not be used. */
  isSound: boolean;
}

/** The sections of texts. */
export const textSections = ({ starts, bytes }: StringTable): readonly Section[] => [starts, bytes];

/** The sections of rows of numbers. */
export const rowSections = ({ starts, values }: CsrRows): readonly Section[] => [starts, values];

/** Joins sections to a pack. */
export function joinSections(sections: readonly Section[]): Uint8Array {
  const head = Uint32Array.of(VERSION, sections.length, ...sections.map(({ byteLength }) => byteLength));
  const size = sections.reduce((sum, { byteLength }) => sum + aligned(byteLength), head.byteLength);
  const pack = new Uint8Array(size);
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of [head, ...sections]) {
    pack.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += aligned(byteLength);
  }
  return pack;
}

/** Begins to read bytes that may be a pack. */
export function createPackReader(pack: Uint8Array): PackReader {
  const bytes = pack.byteOffset % 4 === 0 ? pack : new Uint8Array(pack);
  const sections = splitSections(bytes);
  return { sections: sections ?? [], next: 0, isSound: sections !== null };
}

/** The next section. */
export function readBytes(reader: PackReader): Uint8Array {
  const section = reader.sections[reader.next++];
  if (section !== undefined) return section;
  reader.isSound = false;
  return new Uint8Array();
}

/** The next numbers. */
export function readNumbers(reader: PackReader): Uint32Array {
  const { buffer, byteOffset, byteLength } = readBytes(reader);
  if (byteLength % 4 !== 0) reader.isSound = false;
  return new Uint32Array(buffer, byteOffset, byteLength >>> 2);
}

/** The next starts of rows: of as many as given, the last of which ends at `end`. */
export function readStarts(
  reader: PackReader,
  { rowCount, end }: { readonly rowCount: number; readonly end: number },
): Uint32Array {
  const starts = readNumbers(reader);
  if (areStarts(starts, end) && starts.length === rowCount + 1) return starts;
  reader.isSound = false;
  return new Uint32Array(1);
}

/** The next texts: as many as given, or any number where that is null. */
export function readTexts(reader: PackReader, count: number | null): StringTable {
  const starts = readNumbers(reader);
  const bytes = readBytes(reader);
  if (areStarts(starts, bytes.length) && (count === null || starts.length === count + 1)) return { starts, bytes };
  reader.isSound = false;
  return { starts: new Uint32Array(1), bytes: new Uint8Array() };
}

/** The next rows of numbers: as many as given, with numbers less than `valueEnd`. */
export function readRows(
  reader: PackReader,
  { rowCount, valueEnd }: { readonly rowCount: number; readonly valueEnd: number },
): CsrRows {
  const starts = readNumbers(reader);
  const values = readNumbers(reader);
  const isSound = areStarts(starts, values.length) && starts.length === rowCount + 1 && areBelow(values, valueEnd);
  if (isSound) return { starts, values };
  reader.isSound = false;
  return { starts: new Uint32Array(1), values: new Uint32Array() };
}

const aligned = (byteLength: number) => (byteLength + 3) & ~3;

function splitSections(bytes: Uint8Array): readonly Uint8Array[] | null {
  const head = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  const [version, sectionCount = 0] = head;
  if (version !== VERSION || sectionCount > head.length - 2) return null;
  const sections: Uint8Array[] = [];
  let at = (2 + sectionCount) * 4;
  for (const byteLength of head.subarray(2, 2 + sectionCount)) {
    const end = at + aligned(byteLength);
    if (byteLength > bytes.length - at || end > bytes.length) return null;
    sections.push(bytes.subarray(at, at + byteLength));
    at = end;
  }
  return at === bytes.length ? sections : null;
}

function areStarts(starts: Uint32Array, end: number): boolean {
  if (starts[0] !== 0 || starts[starts.length - 1] !== end) return false;
  for (let at = 1; at < starts.length; at++) if ((starts[at] ?? 0) < (starts[at - 1] ?? 0)) return false;
  return true;
}

function areBelow(values: Uint32Array, end: number): boolean {
  for (let at = 0; at < values.length; at++) if ((values[at] ?? 0) >= end) return false;
  return true;
}
