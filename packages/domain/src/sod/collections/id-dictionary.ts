import { addText, createTextWriter, type StringTable, type TextWriter, textAt, textsOf } from './string-table.ts';

/** Ids numbered in code-unit order. */
export interface IdDictionary {
  /** By number. */
  readonly ids: StringTable;
  /** The number of each id. */
  readonly known: Map<string, number>;
}

/** Builds an `IdDictionary`, id by id in order. */
export interface IdWriter {
  readonly texts: TextWriter;
  /** The numbers of the ids that were added. */
  readonly known: Map<string, number>;
}

/** A writer without ids. */
export const createIdWriter = (): IdWriter => ({ texts: createTextWriter(), known: new Map() });

/** Adds the next id in code-unit order. */
export function addId({ texts, known }: IdWriter, id: string): void {
  addText(texts, id);
  known.set(id, known.size);
}

/** The ids that were added. */
export const idsOf = ({ texts, known }: IdWriter): IdDictionary => ({ ids: textsOf(texts), known });

/** How many ids there are. */
export const idCount = ({ starts }: StringTable): number => starts.length - 1;

/** The number of an id; undefined when it has none. */
export const findId = ({ known }: IdDictionary, id: string): number | undefined => known.get(id);

/** How many of the sorted ids come before this one. */
export function lowerBound(ids: StringTable, id: string): number {
  let low = 0;
  let high = idCount(ids);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (textAt(ids, middle) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
