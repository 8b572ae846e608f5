import type { SignInFactor } from '@access-admin/store';
import type { HttpResponse } from '../http/exchange.ts';
import { redirectTo } from '../pages/layout.ts';
import type { PageRequest } from '../pages/mount.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import type { PendingSignIns } from './pending.ts';

/** What an identity has proven, and where it wants to go. */
export interface ProvenSignIn {
  readonly identityId: string;
  readonly factors: readonly SignInFactor[];
  /** The generation of the link that it began with; null or left out without one. */
  readonly linkGeneration?: number | null;
  readonly to: string;
}

/** Ends a sign-in with a session of a new id; the pending sign-in of the browser is forgotten. */
export type CompleteSignIn = (request: PageRequest, proven: ProvenSignIn) => Promise<HttpResponse | null>;

export const createCompleteSignIn =
  (browserSessions: Pick<BrowserSessions, 'begin'>, pending: Pick<PendingSignIns, 'forget'>): CompleteSignIn =>
  async (request, { to, ...proven }) => {
    const cookie = await browserSessions.begin(request, proven);
    if (cookie === null) return null;
    return { ...redirectTo(to), cookies: [cookie, pending.forget(request)] };
  };
