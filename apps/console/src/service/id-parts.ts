import { filter } from '@access-admin/client';

/** What a list of ids may take of an address, which has at most 2,048 bytes, with the path and other parameters. */
const BYTES_MAX = 1_600;
/** A page of a list has at most as many records. */
const COUNT_MAX = 250;

/** The ids, each once, in parts of which each fits into the address of a request as the operands of `in`. */
export function partsOfIds(ids: Iterable<string>): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let part: string[] = [];
  let bytes = 0;
  for (const id of new Set(ids)) {
    const added = encodeURIComponent(`${JSON.stringify(id)}, `).length;
    if (part.length === 0 || part.length === COUNT_MAX || bytes + added > BYTES_MAX) {
      part = [];
      parts.push(part);
      bytes = 0;
    }
    part.push(id);
    bytes += added;
  }
  return parts;
}

/** Reads records by their ids, a few with each request. */
export async function readByIds<Found extends { readonly id: string }>(
  ids: Iterable<string>,
  list: (filters: string) => AsyncIterable<Found>,
): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  for (const part of partsOfIds(ids))
    for await (const record of list(filter`id in ${part}`)) found.set(record.id, record);
  return found;
}
