import type { Session } from '@access-admin/contract';
import type { SessionConfig } from '@access-admin/domain';
import type { StoredSession } from '@access-admin/store';
import { endsOf } from '../../sign-in/session.ts';

const toTime = (ms: number): string => new Date(ms).toISOString();

/** The ends of a session as answers show them. */
export const showEnds = (ends: { readonly expiresMs: number; readonly idleExpiresMs: number }) => ({
  expires: toTime(ends.expiresMs),
  // The maximum ends it also while it is active.
  idleExpires: toTime(Math.min(ends.idleExpiresMs, ends.expiresMs)),
});

/** A session as lists show it, under the present settings. */
export const showSession = (session: StoredSession, config: SessionConfig): Session => ({
  id: session.id,
  identityId: session.identityId,
  authTime: toTime(session.createdMs),
  factors: session.factors,
  framed: session.isFramed,
  address: session.address,
  lastActive: toTime(session.activeMs),
  ...showEnds(endsOf(session, config)),
});
