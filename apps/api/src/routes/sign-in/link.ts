import { hash } from 'node:crypto';
import type { SignInDecision } from '@access-admin/domain';
import type { CredentialStore, SignInIdentity, SignInLinkStore } from '@access-admin/store';
import type { Passkeys } from '../../credentials/passkeys.ts';
import type { Passwords } from '../../credentials/passwords.ts';
import type { ClientAddress } from '../../http/client-address.ts';
import type { PageContext, PageHandler } from '../../sign-in/pages/context.ts';
import { refusePage } from '../../sign-in/pages/error-page.tsx';
import { redirectTo, renderPage } from '../../sign-in/pages/layout.tsx';
import { blockedLinkPage, linkPage } from '../../sign-in/pages/link.tsx';
import { textOf } from '../../sign-in/pages/speech.ts';
import { PAGE_TEXTS, SIGN_IN_TEXTS } from '../../sign-in/pages/texts.ts';
import type { Providers } from '../../sign-in/providers.ts';
import type { CompleteSignIn } from '../../sign-in-steps/browser-sessions.ts';
import type { Decide } from '../../sign-in-steps/decide.ts';
import { type EnrolFactor, newPasswordOf } from '../../sign-in-steps/enrol.ts';
import { hasSecondFactor, passkeySuffices } from '../../sign-in-steps/factors.ts';
import type { SignInJournal } from '../../sign-in-steps/journal.ts';
import type { LinkProvenance } from '../../sign-in-steps/link-provenance.ts';
import { noCeremony, offersPasskeys, placeOf, verifyNewPasskey } from '../../sign-in-steps/passkey-ceremony.ts';
import { type FactorToEnrol, type PendingSignIns, stepUrl } from '../../sign-in-steps/pending.ts';
import { failedLogin } from './login.ts';

export interface LinkDeps {
  readonly credentials: Pick<CredentialStore, 'findIdentity'>;
  readonly signInLinks: SignInLinkStore;
  readonly decide: Decide;
  readonly journal: SignInJournal;
  readonly pending: PendingSignIns;
  readonly passwords: Passwords;
  readonly addressOf: ClientAddress;
  readonly passkeys: Passkeys;
  readonly enrol: EnrolFactor;
  readonly complete: CompleteSignIn;
  readonly providers: Pick<Providers, 'list'>;
  readonly now: () => Date;
}

const refuseGone = (c: PageContext): Response | Promise<Response> =>
  refusePage(
    c,
    { type: 'NotFound', causes: [] },
    { title: textOf(c, SIGN_IN_TEXTS, 'link.gone.title'), text: textOf(c, SIGN_IN_TEXTS, 'link.gone') },
  );

/** GET /sign-in-link/{token}. Safe: only POST consumes the link. */
export const showLink =
  (deps: LinkDeps): PageHandler =>
  (c) =>
    withLink(c, deps, async (link) => pageOf(c, link, { error: null, ...deps }));

/** POST /sign-in-link/{token}: consumes the link and sets a password, or starts to set up an authenticator app. */
export const postLink =
  (deps: LinkDeps): PageHandler =>
  (c) =>
    withLink(c, deps, async (link) => {
      const { identity, decision } = link;
      if (decision.verifiedBy === 'APPLICATION')
        return offersApp(link) ? useLink(c, link, { ...NOTHING, deps }) : pageOf(c, link, { error: null, ...deps });
      const password = newPasswordOf(c, identity);
      if (!password.ok) return pageOf(c, link, { error: password.failure, ...deps });
      const passwordHash = await deps.passwords.hash({ password: password.value, address: deps.addressOf(c) });
      return useLink(c, link, { passwordHash, passkey: null, deps });
    });

/** POST /sign-in-link/{token}/passkey/options */
export const linkPasskeyOptions =
  (deps: LinkDeps): PageHandler =>
  (c) =>
    withLink(c, deps, async (link) => {
      if (!mayAddPasskey(c, link, deps)) return noCeremony(c);
      const options = await deps.passkeys.createRegistration(placeOf(c), link.identity);
      const state = { step: 'LINK', link: link.hash, challenge: options.challenge } as const;
      // The link is not used yet.
      const begun = await deps.pending.begin(c, link.identity.id, state, { ...link.provenance, usedLink: null });
      return begun === null ? noCeremony(c) : c.json(options);
    });

/** POST /sign-in-link/{token}/passkey: consumes the link and adds a passkey. */
export const postLinkPasskey =
  (deps: LinkDeps): PageHandler =>
  (c) =>
    withLink(c, deps, async (link) => {
      const pending = await deps.pending.find(c, 'LINK');
      const isOwn = pending?.state.link === link.hash && (await deps.pending.take(c, pending));
      const { challenge = '' } = pending?.state ?? {};
      const mayCreate = isOwn && mayAddPasskey(c, link, deps);
      const passkey = mayCreate ? await verifyNewPasskey(c, link.identity, { challenge, ...deps }) : null;
      if (passkey === null) {
        const error = textOf(c, PAGE_TEXTS, 'passkey.not-created');
        return pageOf(c, link, { error, ...deps });
      }
      return useLink(c, link, { passwordHash: null, passkey, deps });
    });

interface Link {
  readonly hash: string;
  /** For sign-ins that begin with the link. */
  readonly provenance: LinkProvenance;
  readonly identity: SignInIdentity;
  readonly decision: SignInDecision;
}

const NOTHING: FactorToEnrol = { passwordHash: null, passkey: null };

/** Rejects a link that is gone, and an identity that may not sign in, without consuming its link. */
async function withLink(c: PageContext, deps: LinkDeps, handle: (link: Link) => Promise<Response>): Promise<Response> {
  const digest = hash('sha256', c.req.param('token') ?? '');
  const link = await deps.signInLinks.find(c.get('tenant'), digest, deps.now().getTime());
  const identity = link === null ? null : await deps.credentials.findIdentity(c.get('tenant'), link.identityId);
  if (link === null || identity === null) return refuseGone(c);
  const decision = await deps.decide(c, identity);
  const provenance = { linkGeneration: link.generation, usedLink: link.usedLink };
  if (decision.decision !== 'BLOCK') return handle({ hash: digest, provenance, identity, decision });
  if (c.req.method === 'POST' && !decision.reasons.includes('LOCKED_OUT'))
    await deps.journal.blocked(c, identity, decision.reasons);
  return renderPage(c, blockedLinkPage(pathOf(c), c.get('speech')));
}

/** Consumes the link. Asks for an enrolled second factor before anything is stored; if one is needed but missing, enrols it. */
async function useLink(
  c: PageContext,
  { hash: link, provenance, identity, decision }: Link,
  { deps, ...enrol }: FactorToEnrol & { readonly deps: LinkDeps },
): Promise<Response> {
  const { pending, signInLinks, now } = deps;
  const factors = ['LINK'] as const;
  if (hasSecondFactor(identity)) {
    if (!(await signInLinks.consume(c.get('tenant'), link, now().getTime()))) return refuseGone(c);
    const state = { step: 'SECOND_FACTOR', factors, to: '/', enrol, challenge: null } as const;
    const begun = await pending.begin(c, identity.id, state, provenance);
    return begun === null ? refuseGone(c) : redirectTo(c, stepUrl('/login/second-factor', begun));
  }
  const isNothing = enrol.passwordHash === null && enrol.passkey === null;
  const isUsed = isNothing
    ? await signInLinks.consume(c.get('tenant'), link, now().getTime())
    : (await deps.enrol(c, identity.id, { ...enrol, link, usedLink: null })) === 'STORED';
  if (!isUsed) return refuseGone(c);
  const suffices = decision.decision === 'ALLOW' || (enrol.passkey !== null && passkeySuffices(decision));
  if (suffices) {
    const proven = { identityId: identity.id, factors: [...factors, ...factorOf(enrol)], ...provenance };
    return (await deps.complete(c, proven)) ? redirectTo(c, '/') : failedLogin(c, '/', deps);
  }
  const state = { step: 'ENROLMENT', factors: [...factors, ...factorOf(enrol)], to: '/', challenge: null } as const;
  const begun = await pending.begin(c, identity.id, state, provenance);
  return begun === null ? refuseGone(c) : redirectTo(c, stepUrl('/login/enrolment', begun));
}

const factorOf = ({ passwordHash, passkey }: FactorToEnrol) => [
  ...(passwordHash === null ? [] : (['PASSWORD'] as const)),
  ...(passkey === null ? [] : (['PASSKEY'] as const)),
];

const mayAddPasskey = (c: PageContext, { decision }: Link, deps: LinkDeps) =>
  offersPasskeys(c, deps) && passkeySuffices(decision);

/** An identity that an application verifies may need a second factor of this service. */
const offersApp = ({ decision }: Link) =>
  decision.verifiedBy === 'APPLICATION' && decision.decision === 'SECOND_FACTOR';

const pageOf = (
  c: PageContext,
  link: Link,
  { error, ...deps }: LinkDeps & { readonly error: string | null },
): Response | Promise<Response> =>
  renderPage(
    c,
    linkPage(
      {
        path: pathOf(c),
        username: link.identity.uid,
        displayName: link.identity.displayName,
        password: link.decision.verifiedBy === 'PASSWORD',
        app: offersApp(link),
        passkey: mayAddPasskey(c, link, deps),
        error,
      },
      c.get('speech'),
    ),
  );

const pathOf = (c: PageContext): string => `/sign-in-link/${encodeURIComponent(c.req.param('token') ?? '')}`;
