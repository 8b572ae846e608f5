import type { PageContext } from '../pages/context.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import type { ProvenSignIn } from './link-trace.ts';
import type { PendingSignIns } from './pending.ts';

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
