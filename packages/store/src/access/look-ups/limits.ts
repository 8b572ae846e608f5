import { COUNTED_MAX } from '../../query/total.ts';

/** How much one page or one count reads. */
export interface LookUpLimits {
  /** The entries that a search examines first. They fill a page where much matches, and else show that little does. */
  readonly sampled: number;
  /** The entries that it examines further where the index has too many candidates. Then a page ends, and the next one goes on there. */
  readonly examined: readonly number[];
  /** Candidates of the index that are few enough to be compared and sorted for each page. */
  readonly gathered: number;
  /** A count that has passed this may end. */
  readonly counted: number;
  /** Identities whose access is read at once to find holders, in the order of ids. */
  readonly identities: number;
  /** The times that a page of holders reads further ones where the index has too many candidates. */
  readonly furtherReads: number;
}

/** What keeps a page below 50 ms at a million identities. */
export const LOOK_UP_LIMITS: LookUpLimits = {
  sampled: 2_000,
  examined: [4_000, 12_000],
  gathered: 10_000,
  counted: COUNTED_MAX,
  identities: 500,
  furtherReads: 12,
};
