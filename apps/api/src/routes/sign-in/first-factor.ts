import type { SignInDecision } from '@access-admin/domain';
import type { SignInIdentity } from '@access-admin/store';
import type { PageContext } from '../../sign-in/pages/context.ts';
import { redirectTo, renderPage } from '../../sign-in/pages/layout.tsx';
import { noSecondFactorPage } from '../../sign-in/pages/login.tsx';
import type { CompleteSignIn } from '../../sign-in-steps/browser-sessions.ts';
import type { Decide } from '../../sign-in-steps/decide.ts';
import { hasSecondFactor } from '../../sign-in-steps/factors.ts';
import type { SignInJournal } from '../../sign-in-steps/journal.ts';
import { type PendingSignIns, stepUrl } from '../../sign-in-steps/pending.ts';

export interface FirstFactorDeps {
  readonly decide: Decide;
  readonly journal: SignInJournal;
  readonly pending: Pick<PendingSignIns, 'begin'>;
  readonly complete: CompleteSignIn;
}

/** The decision on a sign-in, unless it refuses the identity. */
export async function admit(
  c: PageContext,
  identity: SignInIdentity,
  { decide, journal }: Pick<FirstFactorDeps, 'decide' | 'journal'>,
): Promise<SignInDecision | null> {
  const decision = await decide(c, identity);
  if (decision.decision !== 'BLOCK') return decision;
  if (decision.reasons.includes('LOCKED_OUT')) await journal.failed(c, identity);
  else await journal.blocked(c, identity, decision.reasons);
  return null;
}

/** An identity whose first factor is proven, and the decision on its sign-in. */
export interface ProvenFirstFactor {
  readonly identity: SignInIdentity;
  readonly decision: SignInDecision;
  readonly to: string;
}

/** Ends a sign-in, or asks for the second factor; null where the identity is gone. */
export async function proceedAfterFirstFactor(
  c: PageContext,
  { identity, decision, to }: ProvenFirstFactor,
  { complete, pending }: Pick<FirstFactorDeps, 'complete' | 'pending'>,
): Promise<Response | null> {
  const isByApplication = decision.verifiedBy === 'APPLICATION';
  const factors = [isByApplication ? 'APPLICATION' : 'PASSWORD'] as const;
  const usedLink = isByApplication ? null : (identity.password?.usedLink ?? null);
  const provenance = { linkGeneration: null, usedLink };
  if (decision.decision === 'ALLOW')
    return (await complete(c, { identityId: identity.id, factors, ...provenance })) ? redirectTo(c, to) : null;
  if (!hasSecondFactor(identity)) return renderPage(c, noSecondFactorPage(c.get('speech')));
  const state = { step: 'SECOND_FACTOR', factors, to, enrol: null, challenge: null } as const;
  const begun = await pending.begin(c, identity.id, state, provenance);
  return begun === null ? null : redirectTo(c, stepUrl('/login/second-factor', begun));
}
