import type { Passkeys } from '../../credentials/passkeys.ts';
import { jsonResponse } from '../../http/exchange.ts';
import type { PageHandler, PageRequest } from '../../pages/mount.ts';
import { ownPath } from '../../pages/own-path.ts';
import type { Providers } from '../../sign-in/providers.ts';
import type { CompleteSignIn } from '../../sign-in-steps/complete.ts';
import type { Decide } from '../../sign-in-steps/decide.ts';
import { passkeySuffices } from '../../sign-in-steps/factors.ts';
import type { SignInJournal } from '../../sign-in-steps/journal.ts';
import { noCeremony, offersPasskeys } from '../../sign-in-steps/passkey-ceremony.ts';
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
  async (request) => {
    if (!offersPasskeys(request, { passkeys })) return noCeremony();
    const options = await passkeys.createAuthentication(request, null);
    const cookie = await pending.begin(request, null, { step: 'PASSKEY', challenge: options.challenge });
    return cookie === null ? noCeremony() : { ...jsonResponse(options), cookies: [cookie] };
  };

/** POST /login/passkey: a passkey alone. Failures do not count for locks. */
export const postPasskeyLogin =
  (deps: PasskeyLoginDeps): PageHandler =>
  async (request) => {
    const to = ownPath(request.form('to'));
    const identityId = await provePasskey(request, deps);
    const proven = { identityId: identityId ?? '', factors: ['PASSKEY'], to } as const;
    return (identityId === null ? null : await deps.complete(request, proven)) ?? failedLogin(request, to, deps);
  };

async function provePasskey(request: PageRequest, deps: PasskeyLoginDeps): Promise<string | null> {
  const { decide, journal, prove } = deps;
  const pending = await deps.pending.find(request, 'PASSKEY');
  // A challenge is answered once.
  if (pending === null || !offersPasskeys(request, deps) || !(await deps.pending.take(request, pending))) return null;
  const identity = await prove.passkey(request, pending.state.challenge);
  if (identity === null) return null;
  const decision = await decide(request, identity);
  if (decision.decision === 'BLOCK' && !decision.reasons.includes('LOCKED_OUT'))
    await journal.blocked(request, identity, decision.reasons);
  return passkeySuffices(decision) ? identity.id : null;
}
