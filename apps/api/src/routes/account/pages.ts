import type { PageRoute } from '../../sign-in/pages/pages.ts';
import {
  passkeyOptions,
  postAuthenticator,
  postPasskey,
  postPassword,
  postRecoveryCodes,
  removeAuthenticator,
  removePasskey,
  showAuthenticator,
} from './change.ts';
import { confirmPasskeyOptions, postConfirm, postConfirmPasskey, showConfirm } from './confirm.tsx';
import type { AccountDeps } from './deps.ts';
import { endSession, signOut } from './sessions.ts';
import { showAccount } from './show.ts';

/** The pages of one's own account. */
export const accountPages = (deps: AccountDeps): readonly PageRoute[] => [
  ['GET', '/account', 'show-account', showAccount(deps)],
  ['GET', '/account/confirm', 'show-confirm', showConfirm(deps)],
  ['POST', '/account/confirm', 'confirm', postConfirm(deps)],
  ['POST', '/account/confirm/passkey/options', 'confirm-passkey-options', confirmPasskeyOptions(deps)],
  ['POST', '/account/confirm/passkey', 'confirm-passkey', postConfirmPasskey(deps)],
  ['POST', '/account/password', 'change-password', postPassword(deps)],
  ['POST', '/account/passkeys/options', 'add-passkey-options', passkeyOptions(deps)],
  ['POST', '/account/passkeys', 'add-passkey', postPasskey(deps)],
  ['POST', '/account/passkeys/:id/remove', 'remove-passkey', removePasskey(deps)],
  ['GET', '/account/authenticator', 'show-authenticator', showAuthenticator(deps)],
  ['POST', '/account/authenticator', 'add-authenticator', postAuthenticator(deps)],
  ['POST', '/account/authenticator/remove', 'remove-authenticator', removeAuthenticator(deps)],
  ['POST', '/account/recovery-codes', 'renew-recovery-codes', postRecoveryCodes(deps)],
  ['POST', '/account/sessions/:id/end', 'end-session', endSession(deps)],
  ['POST', '/sign-out', 'sign-out', signOut(deps)],
];
