/** Long work that returns a value. It yields after pieces of less than a millisecond, so that the runner may pause. */
export type InPieces<T> = Generator<undefined, T>;

/** Runs long work without pauses. */
export function runAtOnce<T>(work: InPieces<T>): T {
  for (;;) {
    const piece = work.next();
    if (piece.done) return piece.value;
  }
}
