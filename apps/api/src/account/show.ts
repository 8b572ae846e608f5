import type { Enrolled, SignInIdentity } from '@access-admin/store';
import { consolePathOf } from '../sign-in/console-path.ts';
import { offersPasskeys } from '../sign-in/factors/passkey.ts';
import type { PageContext } from '../sign-in/pages/context.ts';
import { renderPage } from '../sign-in/pages/layout.tsx';
import { textOf } from '../sign-in/pages/speech.ts';
import { type Holder, usesOwnPassword } from './holder.ts';
import { type AccountView, accountPage, type NewFactorView } from './page.tsx';
import { ACCOUNT_TEXTS } from './texts.ts';

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

function noPasskeysReason(c: PageContext): string | null {
  if (offersPasskeys(c)) return null;
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

interface Shown {
  /** Why a change was refused. */
  readonly error?: string;
  /** 400 if left out. */
  readonly status?: 409;
}

/** The page of one's own factors and sessions. */
export async function showAccount(c: PageContext, holder: Holder, { error, status }: Shown = {}): Promise<Response> {
  const { live, session, identity, mayChange } = holder;
  const { decide, sessions, system } = c.env.services;
  const ownPassword = usesOwnPassword(await decide(identity, c.get('source'))) || identity.password !== null;
  const living = await sessions.list(c.get('tenant'), identity.id);
  const iso = (ms: number) => new Date(ms).toISOString();
  const view: AccountView = {
    username: identity.uid,
    displayName: identity.displayName,
    consolePath: consolePathOf(c, live),
    mayChange,
    newFactors: newFactorsOf(identity, system.now().getTime()),
    passwordChanged: ownPassword ? (identity.password?.changed ?? null) : undefined,
    passkeys: identity.passkeys,
    noPasskeys: noPasskeysReason(c),
    hasTotp: identity.totp !== null,
    recoveryCodesLeft: identity.recoveryCodes?.left ?? 0,
    sessions: living.map(({ id, createdMs, activeMs }) => ({
      id,
      created: iso(createdMs),
      active: iso(activeMs),
      isCurrent: id === session.id,
    })),
    done: error === undefined ? doneOf(c) : null,
    error: error ?? null,
    ...(status === undefined ? {} : { status }),
  };
  return renderPage(c, accountPage(view, c.get('speech')));
}
