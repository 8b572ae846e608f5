import type { SignInIdentity } from '@access-admin/store';
import { Hono } from 'hono';
import type { PageEnv } from '../env.ts';
import { storeFactors } from './enrol.ts';
import { noCeremony, offersPasskeys, placeOf, provePasskey } from './factors/passkey.ts';
import { advance, type ProvenFactor, secondFactorsOf } from './flow.ts';
import { page } from './mount.ts';
import type { PageContext } from './pages/context.ts';
import { redirectTo, renderPage } from './pages/layout.tsx';
import { secondFactorPage } from './pages/second-factor.tsx';
import { textOf } from './pages/speech.ts';
import { PAGE_TEXTS } from './pages/texts.ts';
import { type ReadPending, stepUrl } from './pending.ts';
import { proveSecondFactor } from './prove.ts';
import { failedLogin, follow } from './steps.ts';

/** Asks for a second factor. */
export const secondFactor = () =>
  new Hono<PageEnv>()
    .get('/login/second-factor', ...page('show-second-factor'), (c) => withPending(c, (found) => show(c, found)))
    .post('/login/second-factor', ...page('prove-second-factor'), (c) =>
      withPending(c, async (found) => {
        if (await isRefused(c, found)) return failedLogin(c, found.pending.state.to);
        const proven = await proveSecondFactor(c, found.identity);
        if (proven === null) await c.env.services.signIn.journal.failed(c, found.identity);
        // Decided again, because concurrent attempts may have locked the identity meanwhile.
        if (await isRefused(c, found)) return failedLogin(c, found.pending.state.to);
        return proven === null ? show(c, found, textOf(c, PAGE_TEXTS, 'factor.wrong')) : proceed(c, found, proven);
      }),
    )
    .post('/login/second-factor/passkey/options', ...page('second-factor-options'), async (c) => {
      const { passkeys, pending } = c.env.services.signIn;
      const found = await findPending(c);
      if (found === null || !offersPasskeys(c)) return noCeremony(c);
      const options = await passkeys.createAuthentication(placeOf(c), found.identity);
      const state = { ...found.pending.state, challenge: options.challenge };
      return (await pending.update(c, found.pending, state)) ? c.json(options) : noCeremony(c);
    })
    // Failures do not count towards a lockout.
    .post('/login/second-factor/passkey', ...page('prove-second-passkey'), (c) =>
      withPending(c, async (found) => {
        const { pending, identity } = found;
        if (await isRefused(c, found)) return failedLogin(c, pending.state.to);
        const { challenge } = pending.state;
        // Each challenge is accepted once.
        const isOwn =
          challenge !== null &&
          (await c.env.services.signIn.pending.update(c, pending, { ...pending.state, challenge: null }));
        const proven = isOwn && offersPasskeys(c) ? await provePasskey(c, challenge) : null;
        return proven?.identity.id === identity.id
          ? proceed(c, found, { factor: 'PASSKEY', usedLink: proven.usedLink })
          : show(c, found, textOf(c, PAGE_TEXTS, 'factor.wrong'));
      }),
    );

interface Found {
  readonly pending: ReadPending<'SECOND_FACTOR'>;
  readonly identity: SignInIdentity;
}

async function findPending(c: PageContext): Promise<Found | null> {
  const { store, signIn } = c.env.services;
  const pending = await signIn.pending.find(c, 'SECOND_FACTOR');
  if (pending?.identityId == null) return null;
  const identity = await store.credentials.findIdentity(c.get('tenant'), pending.identityId);
  return identity === null ? null : { pending, identity };
}

async function withPending(c: PageContext, handle: (found: Found) => Response | Promise<Response>): Promise<Response> {
  const found = await findPending(c);
  return found === null ? redirectTo(c, '/login') : handle(found);
}

/** True if the identity may no longer sign in; then also ends the pending sign-in. */
async function isRefused(c: PageContext, { pending, identity }: Found): Promise<boolean> {
  const { decide, signIn } = c.env.services;
  const { decision, reasons } = await decide(identity, c.get('source'));
  if (decision !== 'BLOCK') return false;
  await signIn.pending.take(c, pending);
  await signIn.journal.blocked(c, identity, reasons);
  return true;
}

/** Stores the factors that a link permits, if any, and begins the session. Taking the pending sign-in admits one request only. */
async function proceed(c: PageContext, { pending, identity }: Found, proven: ProvenFactor): Promise<Response> {
  if (!(await c.env.services.signIn.pending.take(c, pending))) return redirectTo(c, '/login');
  const { enrol, to } = pending.state;
  const { usedLink } = pending.provenance;
  const isStored = enrol === null || (await storeFactors(c, identity.id, { ...enrol, link: null, usedLink }));
  const step = advance(pending, { type: 'SECOND_FACTOR_PROVEN', proven });
  return (isStored ? await follow(c, step) : null) ?? failedLogin(c, to);
}

function show(c: PageContext, { pending, identity }: Found, error: string | null = null) {
  const offered = secondFactorsOf(identity, offersPasskeys(c));
  return renderPage(c, secondFactorPage({ query: stepUrl('', pending.id), offered, error }, c.get('speech')));
}
