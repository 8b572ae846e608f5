import type { SignInFactor } from '@access-admin/store';
import type { PageContext } from '../pages/context.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import type { PendingSignIns } from './pending.ts';

/** What an identity has proven. */
export interface ProvenSignIn {
  readonly identityId: string;
  readonly factors: readonly SignInFactor[];
  /** The generation of the link that it began with; null or left out without one. */
  readonly linkGeneration?: number | null;
}

/**
 * Ends a sign-in with a session of a new id, and forgets the pending sign-in of the browser; false where the identity, or the
 * link that it began with, is gone.
 */
export type CompleteSignIn = (c: PageContext, proven: ProvenSignIn) => Promise<boolean>;

export const createCompleteSignIn =
  (browserSessions: Pick<BrowserSessions, 'begin'>, pending: Pick<PendingSignIns, 'forget'>): CompleteSignIn =>
  async (c, proven) => {
    const begun = await browserSessions.begin(c, proven);
    if (begun) pending.forget(c);
    return begun;
  };
