import { cases } from '@access-admin/test-depth';

/** Cases of a property test that campaigns repeat. */
export const CASES = cases({ reduced: 2_000, full: 50_000 });

/** Counts in the meta data of a test, read by campaigns. */
export interface WithCounts {
  counts?: Readonly<Record<string, number>>;
}
