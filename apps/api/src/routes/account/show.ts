import type { PageAnswer, PageHandler, PageRequest } from '../../pages/mount.ts';
import { offersPasskeys } from '../../sign-in-steps/passkey-ceremony.ts';
import { type AccountDeps, type Holder, usesOwnPassword, withHolder } from './deps.ts';
import { accountPage } from './page.ts';

/** GET /account */
export const showAccount =
  (deps: AccountDeps): PageHandler =>
  (request) =>
    withHolder(request, deps, (holder) => pageOf(request, holder, { done: doneOf(request), error: null, ...deps }));

/** The account after a change that was refused. */
export const refusedChange = (
  request: PageRequest,
  holder: Holder,
  { error, ...deps }: AccountDeps & { readonly error: string },
): Promise<PageAnswer> => pageOf(request, holder, { done: null, error, ...deps });

/** What a change leads back with: only these texts are shown. */
const DONE: Readonly<Record<string, string>> = {
  password: 'Your password is set.',
  passkey: 'The passkey is added.',
  'passkey-removed': 'The passkey is removed.',
  authenticator: 'The authenticator app is set up.',
  'authenticator-removed': 'The authenticator app is removed.',
  session: 'The session is ended.',
};

/** Where a change leads back to. */
export const doneAt = (done: string): string => `/account?done=${done}`;

const doneOf = ({ query }: PageRequest): string | null => {
  const done = query.get('done') ?? '';
  return Object.hasOwn(DONE, done) ? (DONE[done] ?? null) : null;
};

interface Told {
  readonly done: string | null;
  readonly error: string | null;
}

async function pageOf(
  request: PageRequest,
  { session, identity, mayChange }: Holder,
  { done, error, decide, browserSessions, passkeys }: AccountDeps & Told,
): Promise<PageAnswer> {
  const ownPassword = usesOwnPassword(await decide(request, identity)) || identity.password !== null;
  const sessions = await browserSessions.list(request.tenant, identity.id);
  const iso = (ms: number) => new Date(ms).toISOString();
  return accountPage({
    username: identity.uid,
    displayName: identity.displayName,
    mayChange,
    passwordChanged: ownPassword ? (identity.password?.changed ?? null) : undefined,
    passkeys: identity.passkeys,
    offersPasskeys: offersPasskeys(request, { passkeys }),
    hasTotp: identity.totp !== null,
    recoveryCodesLeft: identity.recoveryCodesLeft,
    sessions: sessions.map(({ id, createdMs, activeMs }) => ({
      id,
      created: iso(createdMs),
      active: iso(activeMs),
      isCurrent: id === session.id,
    })),
    done,
    error,
  });
}
