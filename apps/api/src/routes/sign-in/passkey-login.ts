import type { Passkeys } from '../../credentials/passkeys.ts';
import type { PageContext, PageHandler } from '../../sign-in/pages/context.ts';
import { redirectTo } from '../../sign-in/pages/layout.tsx';
import { ownPath } from '../../sign-in/pages/own-path.ts';
import type { Providers } from '../../sign-in/providers.ts';
import type { CompleteSignIn } from '../../sign-in-steps/browser-sessions.ts';
import type { Decide } from '../../sign-in-steps/decide.ts';
import { passkeySuffices } from '../../sign-in-steps/factors.ts';
import type { SignInJournal } from '../../sign-in-steps/journal.ts';
import type { ProvenSignIn } from '../../sign-in-steps/link-provenance.ts';
import { noCeremony, offersPasskeys, placeOf } from '../../sign-in-steps/passkey-ceremony.ts';
import type { PendingSignIns } from '../../sign-in-steps/pending.ts';
import type { ProveFactor } from '../../sign-in-steps/prove-factor.ts';
import { failedLogin } from './login.ts';

export interface PasskeyLoginDeps {
  readonly decide: Decide;
  readonly journal: SignInJournal;
  readonly pending: PendingSignIns;
  readonly prove: Pick<ProveFactor, 'passkey'>;
  readonly passkeys: Pick<Passkeys, 'isAvailable' | 'createAuthentication'>;
  readonly complete: CompleteSignIn;
  readonly providers: Pick<Providers, 'list'>;
}

/** POST /login/passkey/options */
export const passkeyLoginOptions =
  ({ passkeys, pending }: PasskeyLoginDeps): PageHandler =>
  async (c) => {
    if (!offersPasskeys(c, { passkeys })) return noCeremony(c);
    const options = await passkeys.createAuthentication(placeOf(c), null);
    const begun = await pending.begin(c, null, { step: 'PASSKEY', challenge: options.challenge });
    return begun === null ? noCeremony(c) : c.json(options);
  };

/** POST /login/passkey: a passkey alone. Failures do not count for locks. */
export const postPasskeyLogin =
  (deps: PasskeyLoginDeps): PageHandler =>
  async (c) => {
    const to = ownPath(c.get('form')('to'));
    const proven = await provePasskey(c, deps);
    const isIn = proven !== null && (await deps.complete(c, proven));
    return isIn ? redirectTo(c, to) : failedLogin(c, to, deps);
  };

async function provePasskey(c: PageContext, deps: PasskeyLoginDeps): Promise<ProvenSignIn | null> {
  const { decide, journal, prove } = deps;
  const pending = await deps.pending.find(c, 'PASSKEY');
  // A challenge is answered once.
  if (pending === null || !offersPasskeys(c, deps) || !(await deps.pending.take(c, pending))) return null;
  const proven = await prove.passkey(c, pending.state.challenge);
  if (proven === null) return null;
  const { identity, usedLink } = proven;
  const decision = await decide(c, identity);
  if (decision.decision === 'BLOCK' && !decision.reasons.includes('LOCKED_OUT'))
    await journal.blocked(c, identity, decision.reasons);
  return passkeySuffices(decision)
    ? { identityId: identity.id, factors: ['PASSKEY'], linkGeneration: null, usedLink }
    : null;
}
