import { ACCESS_TYPES, type AccessRef, type AccessType } from '../../access/model/records.ts';

/** A part of a text, as offsets. */
export interface TextPart {
  readonly text: string;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Access refs, numbered in the order in which they were added; it only grows. */
export interface AccessRefTable {
  readonly count: number;
  /** By a letter for the type and the id. */
  readonly numbers: Map<string, number>;
  readonly keys: string[];
  /** The length of all ids. */
  length: number;
}

/** An empty table. */
export function createAccessRefTable(): AccessRefTable {
  const keys: string[] = [];
  return {
    get count() {
      return keys.length;
    },
    numbers: new Map(),
    keys,
    length: 0,
  };
}

const keyOf = (type: AccessType, id: string): string => `${type.charAt(0)}${id}`;

/** The number of a ref whose id is part of a text. Adds the ref if it is new. */
export function internRef(table: AccessRefTable, type: AccessType, { text, start, end }: TextPart): number {
  const key = keyOf(type, text.slice(start, end));
  const known = table.numbers.get(key);
  if (known !== undefined) return known;
  const number = table.keys.push(key) - 1;
  table.numbers.set(key, number);
  table.length += end - start;
  return number;
}

/** The number of a ref; -1 when the table lacks it. */
export const findRef = ({ numbers }: AccessRefTable, { type, id }: AccessRef): number =>
  numbers.get(keyOf(type, id)) ?? -1;

/** The ref of a number. */
export function refAt({ keys }: AccessRefTable, number: number): AccessRef {
  const key = keys[number] ?? '';
  const type = ACCESS_TYPES.find((each) => each.charAt(0) === key.charAt(0)) ?? 'ENTITLEMENT';
  return { type, id: key.slice(1) };
}

const ENTRY_BYTES = 100;

/** The memory that a table takes, in bytes, about. */
export const refTableBytes = ({ count, length }: AccessRefTable): number => count * ENTRY_BYTES + length;
