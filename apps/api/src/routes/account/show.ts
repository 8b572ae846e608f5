import type { Enrolled, SignInIdentity } from '@access-admin/store';
import type { PageContext, PageHandler } from '../../sign-in/pages/context.ts';
import { renderPage } from '../../sign-in/pages/layout.tsx';
import { textOf } from '../../sign-in/pages/speech.ts';
import { offersPasskeys } from '../../sign-in-steps/passkey-ceremony.ts';
import { type AccountDeps, type Holder, usesOwnPassword, withHolder } from './deps.ts';
import { type AccountView, accountPage, type NewFactorView } from './page.tsx';
import { ACCOUNT_TEXTS } from './texts.ts';

/** GET /account */
export const showAccount =
  (deps: AccountDeps): PageHandler =>
  (c) =>
    withHolder(c, deps, (holder) => pageOf(c, holder, { done: doneOf(c), error: null, ...deps }));

/** The account after a change that was refused. */
export const refusedChange = (
  c: PageContext,
  holder: Holder,
  { error, ...deps }: AccountDeps & { readonly error: string; readonly status?: 409 },
): Promise<Response> => pageOf(c, holder, { done: null, error, ...deps });

/** What a change leads back with: only texts of these are shown. */
const DONE = ['password', 'passkey', 'passkey-removed', 'authenticator', 'authenticator-removed', 'session'] as const;

/** What has been changed. */
export type Done = (typeof DONE)[number];

/** Where a change leads back to. */
export const doneAt = (done: Done): string => `/account?done=${done}`;

const doneOf = (c: PageContext): string | null => {
  const done = DONE.find((each) => each === c.req.query('done'));
  return done === undefined ? null : textOf(c, ACCOUNT_TEXTS, `done.${done}`);
};

function noPasskeysReason(c: PageContext, passkeys: AccountDeps['passkeys']): string | null {
  if (offersPasskeys(c, { passkeys })) return null;
  const { text } = c.get('speech').of(ACCOUNT_TEXTS);
  return c.get('isFramed') ? text('passkeys.framed') : text('passkeys.address', { origin: c.get('origin') });
}

const NEW_MS = 30 * 24 * 3_600_000;

/** The factors that were set within 30 days. */
function newFactorsOf(
  { password, passkeys, totp, recoveryCodes }: SignInIdentity,
  nowMs: number,
): readonly NewFactorView[] {
  const factor = (kind: NewFactorView['kind'], set: string, { usedLink }: Enrolled, name: string | null = null) => ({
    kind,
    name,
    set,
    isByLink: usedLink !== null,
  });
  const all: readonly NewFactorView[] = [
    ...(password === null ? [] : [factor('password', password.changed, password)]),
    ...passkeys.map((passkey) => factor('passkey', passkey.created, passkey, passkey.name)),
    ...(totp === null ? [] : [factor('app', totp.created, totp)]),
    ...(recoveryCodes === null ? [] : [factor('recovery-codes', recoveryCodes.created, recoveryCodes)]),
  ];
  return all
    .filter(({ set }) => nowMs - Date.parse(set) < NEW_MS)
    .sort((left, right) => Date.parse(right.set) - Date.parse(left.set));
}

interface Told {
  readonly done: string | null;
  readonly error: string | null;
  readonly status?: 409;
}

async function pageOf(
  c: PageContext,
  { live, session, identity, mayChange }: Holder,
  { done, error, status, decide, browserSessions, passkeys, consolePathOf, now }: AccountDeps & Told,
): Promise<Response> {
  const ownPassword = usesOwnPassword(await decide(c, identity)) || identity.password !== null;
  const sessions = await browserSessions.list(c.get('tenant'), identity.id);
  const iso = (ms: number) => new Date(ms).toISOString();
  const view: AccountView = {
    username: identity.uid,
    displayName: identity.displayName,
    consolePath: consolePathOf(live),
    mayChange,
    newFactors: newFactorsOf(identity, now().getTime()),
    passwordChanged: ownPassword ? (identity.password?.changed ?? null) : undefined,
    passkeys: identity.passkeys,
    noPasskeys: noPasskeysReason(c, passkeys),
    hasTotp: identity.totp !== null,
    recoveryCodesLeft: identity.recoveryCodes?.left ?? 0,
    sessions: sessions.map(({ id, createdMs, activeMs }) => ({
      id,
      created: iso(createdMs),
      active: iso(activeMs),
      isCurrent: id === session.id,
    })),
    done,
    error,
    ...(status === undefined ? {} : { status }),
  };
  return renderPage(c, accountPage(view, c.get('speech')));
}
