/**
 * The work that may arise from a commit: `checks` are new checks alone, `register` is a write of a register with its events, and
 * `any` may be all but new checks.
 */
export type ArisingWork = 'checks' | 'events' | 'register' | 'any';

/** A commit by any process, as far as this one learns of it; null for what is not known. */
export interface Commit {
  readonly tenant: string | null;
  readonly arising: ArisingWork | null;
}

/** There may have been commits. */
export const SOME_COMMIT: Commit = { tenant: null, arising: null };
