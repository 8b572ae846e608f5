/**
 * Work that is done piece by piece, up to its result. A piece, such as the comparison of two policies, takes a fraction of a
 * millisecond, so a caller can do other work in between or stop.
 */
export type Pieces<T> = Generator<readonly never[], T, void>;

/** Ends a piece. */
export const PAUSE: readonly never[] = [];
