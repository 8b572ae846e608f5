import { fail, ok, type Result } from '../../basics/result/result.ts';
import { foldUid } from '../fold-uid.ts';
import { COMMON_PASSWORDS } from './commonest.ts';
import { normalizePassword } from './normalize.ts';

/** The fewest and the most characters of a password, counted in NFKC. */
export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;

/** A shorter username is not looked for in a password: many words hold one or two given letters. */
const USERNAME_LENGTH_MIN = 3;

/** Why a password is refused. */
export type PasswordIssue = 'TOO_SHORT' | 'TOO_LONG' | 'COMMON' | 'HOLDS_USERNAME' | 'MALFORMED';

/**
 * A new password in NFKC, in which it is hashed and verified. It needs no particular kinds of characters (NIST SP 800-63B).
 * Fails when it is too short or too long, among the commonest, or holds the username, each whatever its case.
 */
export function validateNewPassword(password: string, username: string): Result<string, PasswordIssue> {
  const normal = normalizePassword(password);
  if (normal === null) return fail(password.length > PASSWORD_LENGTH.max ? 'TOO_LONG' : 'MALFORMED');
  const length = [...normal].length;
  if (length < PASSWORD_LENGTH.min) return fail('TOO_SHORT');
  if (length > PASSWORD_LENGTH.max) return fail('TOO_LONG');
  if (COMMON_PASSWORDS.has(normal.toLowerCase())) return fail('COMMON');
  const folded = foldUid(username.normalize('NFKC'));
  const holdsUsername = [...folded].length >= USERNAME_LENGTH_MIN && foldUid(normal).includes(folded);
  return holdsUsername ? fail('HOLDS_USERNAME') : ok(normal);
}
