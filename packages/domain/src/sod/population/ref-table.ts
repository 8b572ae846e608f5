import { ACCESS_TYPES, type AccessRef, type AccessType } from '../../access/model/records.ts';
import { growInto } from '../collections/grow.ts';

/** A part of a text, as offsets. */
export interface TextPart {
  readonly text: string;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Access refs, numbered in the order in which they were added; it only grows. Reading a population needs no string per ref. */
export interface AccessRefTable {
  count: number;
  /** Ref `i` has the type code `units[starts[i]]`; the code units of its id follow up to, and without, `starts[i + 1]`. */
  starts: Uint32Array;
  units: Uint16Array;
  /** Hash table with linear probing: the number plus one, or 0 for a free slot. The length is a power of two. */
  slots: Uint32Array;
}

/** An empty table. */
export const createAccessRefTable = (): AccessRefTable => ({
  count: 0,
  starts: new Uint32Array(256),
  units: new Uint16Array(4096),
  slots: new Uint32Array(1024),
});

/** The number of a ref whose id is part of a text. Adds the ref if it is new. */
export function internRef(table: AccessRefTable, type: AccessType, id: TextPart): number {
  const number = (table.slots[slotOf(table, type, id)] ?? 0) - 1;
  return number >= 0 ? number : addRef(table, type, id);
}

/** The number of a ref; -1 when the table lacks it. */
export const findRef = (table: AccessRefTable, { type, id }: AccessRef): number =>
  (table.slots[slotOf(table, type, wholeOf(id))] ?? 0) - 1;

/** The ref of a number. */
export function refAt({ starts, units }: AccessRefTable, number: number): AccessRef {
  const start = starts[number] ?? 0;
  const id = String.fromCharCode(...units.subarray(start + 1, starts[number + 1]));
  return { type: ACCESS_TYPES[units[start] ?? 0] ?? 'ENTITLEMENT', id };
}

/** The memory that a table takes, in bytes. */
export const refTableBytes = ({ starts, units, slots }: AccessRefTable): number =>
  starts.byteLength + units.byteLength + slots.byteLength;

// The index in `ACCESS_TYPES`.
const codeOf = (type: AccessType): number => (type === 'ENTITLEMENT' ? 0 : type === 'ACCESS_PROFILE' ? 1 : 2);

const wholeOf = (text: string): TextPart => ({ text, start: 0, end: text.length });

// FNV-1a.
const HASH_FIRST = 0x811c9dc5;
const mixed = (hash: number, unit: number) => Math.imul(hash ^ unit, 0x01000193);

/** The slot of a ref, or the free slot for it. */
function slotOf({ starts, units, slots }: AccessRefTable, type: AccessType, { text, start, end }: TextPart): number {
  const code = codeOf(type);
  let hash = mixed(HASH_FIRST, code);
  for (let at = start; at < end; at++) hash = mixed(hash, text.charCodeAt(at));
  const mask = slots.length - 1;
  for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
    const number = (slots[slot] ?? 0) - 1;
    if (number < 0) return slot;
    const first = starts[number] ?? 0;
    if ((starts[number + 1] ?? 0) - first - 1 !== end - start || units[first] !== code) continue;
    let at = start;
    while (at < end && units[first + 1 + at - start] === text.charCodeAt(at)) at++;
    if (at === end) return slot;
  }
}

function addRef(table: AccessRefTable, type: AccessType, part: TextPart): number {
  const number = table.count++;
  if (table.count * 2 > table.slots.length) growSlots(table, number);
  if (table.count + 1 > table.starts.length) table.starts = growInto(table.starts, new Uint32Array(table.count * 2));
  const { text, start, end } = part;
  const first = table.starts[number] ?? 0;
  const last = first + 1 + end - start;
  if (last > table.units.length) table.units = growInto(table.units, new Uint16Array(last * 2));
  table.slots[slotOf(table, type, part)] = number + 1;
  table.units[first] = codeOf(type);
  for (let at = start; at < end; at++) table.units[first + 1 + at - start] = text.charCodeAt(at);
  table.starts[number + 1] = last;
  return number;
}

function growSlots(table: AccessRefTable, count: number): void {
  table.slots = new Uint32Array(table.slots.length * 2);
  for (let number = 0; number < count; number++) {
    const { type, id } = refAt(table, number);
    table.slots[slotOf(table, type, wholeOf(id))] = number + 1;
  }
}
