import type { Pages } from '../../pages/mount.ts';
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
import { confirmPasskeyOptions, postConfirm, postConfirmPasskey, showConfirm } from './confirm.ts';
import type { AccountDeps } from './deps.ts';
import { endSession, signOut } from './sessions.ts';
import { showAccount } from './show.ts';

/** Adds the pages of one's own account. */
export function mountAccount({ add }: Pages, deps: AccountDeps): void {
  add('GET', '/account', { name: 'show-account', handle: showAccount(deps) });
  add('GET', '/account/confirm', { name: 'show-confirm', handle: showConfirm(deps) });
  add('POST', '/account/confirm', { name: 'confirm', handle: postConfirm(deps) });
  const confirming = '/account/confirm/passkey';
  add('POST', `${confirming}/options`, { name: 'confirm-passkey-options', handle: confirmPasskeyOptions(deps) });
  add('POST', confirming, { name: 'confirm-passkey', handle: postConfirmPasskey(deps) });
  add('POST', '/account/password', { name: 'change-password', handle: postPassword(deps) });
  add('POST', '/account/passkeys/options', { name: 'add-passkey-options', handle: passkeyOptions(deps) });
  add('POST', '/account/passkeys', { name: 'add-passkey', handle: postPasskey(deps) });
  add('POST', '/account/passkeys/{id}/remove', { name: 'remove-passkey', handle: removePasskey(deps) });
  add('GET', '/account/authenticator', { name: 'show-authenticator', handle: showAuthenticator(deps) });
  add('POST', '/account/authenticator', { name: 'add-authenticator', handle: postAuthenticator(deps) });
  add('POST', '/account/authenticator/remove', { name: 'remove-authenticator', handle: removeAuthenticator(deps) });
  add('POST', '/account/recovery-codes', { name: 'renew-recovery-codes', handle: postRecoveryCodes(deps) });
  add('POST', '/account/sessions/{id}/end', { name: 'end-session', handle: endSession(deps) });
  add('POST', '/sign-out', { name: 'sign-out', handle: signOut(deps) });
}
