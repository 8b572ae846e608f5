import type { CurrentSession, ShownIdentity } from '@access-admin/client';

/** A person, and the session of the person who looks at it. */
export interface PersonProps {
  readonly person: ShownIdentity;
  readonly me: CurrentSession;
}
