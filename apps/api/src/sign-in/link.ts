import { hash } from 'node:crypto';
import type { SignInDecision } from '@access-admin/domain';
import type { SignInIdentity } from '@access-admin/store';
import { Hono } from 'hono';
import type { PageEnv } from '../env.ts';
import { storeFactors } from './enrol.ts';
import { noCeremony, offersPasskeys, placeOf, verifyNewPasskey } from './factors/passkey.ts';
import { newPasswordOf } from './factors/password.ts';
import { advance, type FactorToEnrol, type LinkProvenance, passkeySuffices } from './flow.ts';
import { page } from './mount.ts';
import type { PageContext } from './pages/context.ts';
import { refusePage } from './pages/error-page.tsx';
import { renderPage } from './pages/layout.tsx';
import { blockedLinkPage, linkPage } from './pages/link.tsx';
import { textOf } from './pages/speech.ts';
import { PAGE_TEXTS, SIGN_IN_TEXTS } from './pages/texts.ts';
import { failedLogin, follow } from './steps.ts';

const NOTHING: FactorToEnrol = { passwordHash: null, passkey: null };

/** Sets a password or a passkey by a sign-in link, or starts to set up an authenticator app. Only POST consumes the link. */
export const link = () =>
  new Hono<PageEnv>()
    .get('/sign-in-link/:token', ...page('show-link'), (c) => withLink(c, (opened) => show(c, opened)))
    .post('/sign-in-link/:token', ...page('use-link'), (c) =>
      withLink(c, async (opened) => {
        const { signIn, clientAddress } = c.env.services;
        if (opened.decision.verifiedBy === 'APPLICATION')
          return offersApp(opened) ? useLink(c, opened, NOTHING) : show(c, opened);
        const password = newPasswordOf(c, opened.identity);
        if (!password.ok) return show(c, opened, password.failure);
        const passwordHash = await signIn.passwords.hash({ password: password.value, address: clientAddress(c) });
        return useLink(c, opened, { passwordHash, passkey: null });
      }),
    )
    .post('/sign-in-link/:token/passkey/options', ...page('link-passkey-options'), (c) =>
      withLink(c, async (opened) => {
        const { passkeys, pending } = c.env.services.signIn;
        if (!mayAddPasskey(c, opened)) return noCeremony(c);
        const options = await passkeys.createRegistration(placeOf(c), opened.identity);
        const state = { step: 'LINK', link: opened.hash, challenge: options.challenge } as const;
        // The link is not used yet.
        const begun = await pending.begin(c, opened.identity.id, state, { ...opened.provenance, usedLink: null });
        return begun === null ? noCeremony(c) : c.json(options);
      }),
    )
    .post('/sign-in-link/:token/passkey', ...page('use-link-for-passkey'), (c) =>
      withLink(c, async (opened) => {
        const { pending } = c.env.services.signIn;
        const found = await pending.find(c, 'LINK');
        const isOwn = found?.state.link === opened.hash && (await pending.take(c, found));
        const mayCreate = isOwn && mayAddPasskey(c, opened);
        const passkey = mayCreate ? await verifyNewPasskey(c, opened.identity, found.state.challenge) : null;
        return passkey === null
          ? show(c, opened, textOf(c, PAGE_TEXTS, 'passkey.not-created'))
          : useLink(c, opened, { passwordHash: null, passkey });
      }),
    );

interface OpenedLink {
  readonly hash: string;
  /** For sign-ins that begin with the link. */
  readonly provenance: LinkProvenance;
  readonly identity: SignInIdentity;
  readonly decision: SignInDecision;
}

/** Rejects a link that is gone, and an identity that may not sign in, without consuming its link. */
async function withLink(
  c: PageContext,
  handle: (opened: OpenedLink) => Response | Promise<Response>,
): Promise<Response> {
  const { decide, store, signIn, system } = c.env.services;
  const tenant = c.get('tenant');
  const digest = hash('sha256', c.req.param('token') ?? '');
  const found = await store.signInLinks.find(tenant, digest, system.now().getTime());
  const identity = found === null ? null : await store.credentials.findIdentity(tenant, found.identityId);
  if (found === null || identity === null) return refuseGone(c);
  const decision = await decide(identity, c.get('source'));
  const provenance = { linkGeneration: found.generation, usedLink: found.usedLink };
  if (decision.decision !== 'BLOCK') return handle({ hash: digest, provenance, identity, decision });
  if (c.req.method === 'POST') await signIn.journal.blocked(c, identity, decision.reasons);
  return renderPage(c, blockedLinkPage(pathOf(c), c.get('speech')));
}

/** Consumes the link, stores the factors unless a second factor is asked for first, and goes on. */
async function useLink(c: PageContext, opened: OpenedLink, enrol: FactorToEnrol): Promise<Response> {
  const { hash: digest, identity } = opened;
  const { store, system } = c.env.services;
  const step = advance(null, { type: 'LINK_OPENED', ...opened, enrol });
  const storesLater = step.next === 'SECOND_FACTOR' || (enrol.passwordHash === null && enrol.passkey === null);
  const isUsed = storesLater
    ? await store.signInLinks.consume(c.get('tenant'), digest, system.now().getTime())
    : await storeFactors(c, identity.id, { ...enrol, link: digest, usedLink: null });
  if (!isUsed) return refuseGone(c);
  return (await follow(c, step)) ?? (step.next === 'SESSION' ? failedLogin(c, '/') : refuseGone(c));
}

const mayAddPasskey = (c: PageContext, { decision }: OpenedLink) => offersPasskeys(c) && passkeySuffices(decision);

/** An identity that an application verifies may need a second factor of this service. */
const offersApp = ({ decision }: OpenedLink) =>
  decision.verifiedBy === 'APPLICATION' && decision.decision === 'SECOND_FACTOR';

function show(c: PageContext, opened: OpenedLink, error: string | null = null): Response | Promise<Response> {
  const { uid, displayName } = opened.identity;
  const view = {
    path: pathOf(c),
    username: uid,
    displayName,
    password: opened.decision.verifiedBy === 'PASSWORD',
    app: offersApp(opened),
    passkey: mayAddPasskey(c, opened),
    error,
  };
  return renderPage(c, linkPage(view, c.get('speech')));
}

const refuseGone = (c: PageContext): Response | Promise<Response> =>
  refusePage(
    c,
    { type: 'NotFound', causes: [] },
    { title: textOf(c, SIGN_IN_TEXTS, 'link.gone.title'), text: textOf(c, SIGN_IN_TEXTS, 'link.gone') },
  );

const pathOf = (c: PageContext): string => `/sign-in-link/${encodeURIComponent(c.req.param('token') ?? '')}`;
