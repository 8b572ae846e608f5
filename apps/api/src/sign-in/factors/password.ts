import { fail, normalizePassword, PASSWORD_LENGTH, type Result, validateNewPassword } from '@access-admin/domain';
import type { SignInIdentity } from '@access-admin/store';
import type { PageContext } from '../pages/context.ts';
import { PAGE_TEXTS } from '../pages/texts.ts';
import { ARGON2_COST, isOutdated, SALT_BYTES } from './argon2.ts';
import type { PasswordThreads } from './password-threads.ts';

/** A password as someone has typed it, and the address that it comes from, by which waiting passwords are served in turn. */
export interface TypedPassword {
  readonly password: string;
  readonly address: string;
}

/** Hashes and verifies passwords of this service, on threads of their own. */
export interface Passwords {
  /** The hash of a password that `validateNewPassword` has admitted. */
  hash(typed: TypedPassword): Promise<string>;
  /** Takes as long for null, which stands for an unknown user and which no password matches. */
  verify(typed: TypedPassword, stored: string | null): Promise<boolean>;
  /** Whether a hash is to be replaced when its password is known. */
  isOutdated(stored: string): boolean;
}

interface PasswordDeps {
  readonly threads: Pick<PasswordThreads, 'run'>;
  readonly newBytes: (count: number) => Uint8Array;
}

export function createPasswords({ threads, newBytes }: PasswordDeps): Passwords {
  const cost = ARGON2_COST;
  const dummySalt = newBytes(SALT_BYTES);
  return {
    hash: async ({ password, address }) =>
      String(await threads.run({ password, stored: null, salt: newBytes(SALT_BYTES), cost }, address)),
    verify: async ({ password, address }, stored) => {
      const normal = normalizePassword(password);
      const job = { password: normal ?? '', stored: normal === null ? null : stored, salt: dummySalt, cost };
      // Without a stored hash it answers with a new one, which takes as long.
      return (await threads.run(job, address)) === true;
    },
    isOutdated: (stored) => isOutdated(stored, cost),
  };
}

/** Validates the new password of a form, typed twice. Fails with a message in the language of the page. */
export function newPasswordOf(c: PageContext, { uid }: Pick<SignInIdentity, 'uid'>): Result<string, string> {
  const form = c.get('form');
  const { text } = c.get('speech').of(PAGE_TEXTS);
  if (form('password') !== form('repeated')) return fail(text('new-password.DIFFERENT'));
  const validated = validateNewPassword(form('password'), uid);
  return validated.ok ? validated : fail(text(`new-password.${validated.failure}`, PASSWORD_LENGTH));
}
