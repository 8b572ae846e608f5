import type { SignInDecision } from '@access-admin/domain';
import type { SignInIdentity } from '@access-admin/store';
import type { DecideSignIn } from '../sign-in/decide.ts';
import type { OriginOf } from '../sign-in/origin.ts';
import type { PageContext } from '../sign-in/pages/context.ts';

/** Decides whether and how an identity may sign in by a request, with the settings and the locks as they are now. */
export type Decide = (c: PageContext, identity: SignInIdentity) => Promise<SignInDecision>;

export const createDecide =
  (decideSignIn: DecideSignIn, originOf: OriginOf, now: () => Date): Decide =>
  (c, identity) =>
    decideSignIn({ tenant: c.get('tenant'), identity, origin: originOf(c), nowMs: now().getTime(), atMs: null });
