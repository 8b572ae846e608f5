/** How many rows are read at once. */
export const PAGE_ROWS = 100;

/** A part of a list by its sequence. */
export interface Part {
  readonly offset: number;
  readonly limit: number;
}

/**
 * Where the rows of a page stand in the list, whose order is always the oldest first: a page of the newest first is read from
 * the end, and turned around.
 */
export function partOf(page: number, total: number, isOldestFirst: boolean): Part {
  const limit = Math.min(PAGE_ROWS, total - page * PAGE_ROWS);
  return { offset: isOldestFirst ? page * PAGE_ROWS : total - page * PAGE_ROWS - limit, limit };
}
