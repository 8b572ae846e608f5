import type { CurrentSession, ShownIdentity } from '@access-admin/client';

/** A person, and the session in which the page is read. */
export interface PersonProps {
  readonly person: ShownIdentity;
  readonly me: CurrentSession;
}
