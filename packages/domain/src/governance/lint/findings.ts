import type { PolicyFinding } from './finding.ts';

/**
 * The findings of one piece of the work after the other; most pieces have none. A piece, such as the check of one policy or the
 * comparison of two, takes a fraction of a millisecond, so a caller can do other work in between or stop.
 */
export type Pieces<T = void> = Generator<readonly PolicyFinding[], T, void>;

/** The findings of a piece without any. */
export const NO_FINDINGS: readonly PolicyFinding[] = [];
