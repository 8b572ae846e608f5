/** Long work that ends with a value. It yields between pieces of less than a millisecond, where whoever runs it may pause. */
export type InPieces<T> = Generator<undefined, T>;

/** Does long work at once. */
export function runAtOnce<T>(work: InPieces<T>): T {
  for (;;) {
    const piece = work.next();
    if (piece.done) return piece.value;
  }
}
