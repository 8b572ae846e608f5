// Records of a part: some of them take a millisecond or two.
const PART = 100;

/** The records in parts of a size: for statements with a bounded list, or for work with a pause after each part. */
export function* inParts<T>(records: Iterable<T>, size = PART): Generator<readonly T[], void> {
  const all = [...records];
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}

/** The most that a piece holds: a single item may be larger. */
interface PieceLimits<T> {
  sizeOf(item: T): number;
  readonly sizeMax: number;
  readonly countMax?: number;
}

/** The items in pieces of bounded size. */
export function* inPieces<T>(
  items: Iterable<T>,
  { sizeOf, sizeMax, countMax = Number.POSITIVE_INFINITY }: PieceLimits<T>,
): Generator<readonly T[], void> {
  let piece: T[] = [];
  let sum = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (piece.length === countMax || (piece.length > 0 && sum + size > sizeMax)) {
      yield piece;
      [piece, sum] = [[], 0];
    }
    piece.push(item);
    sum += size;
  }
  if (piece.length > 0) yield piece;
}
