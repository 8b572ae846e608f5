import { randomBytes } from 'node:crypto';
import { fail, ok, type Result } from '@access-admin/domain';
import type { KeyCheck } from '../../schema/tables/secret-key.ts';
import { checkValueOf, createSecretCipher, type SecretCipher, type SecretKeys } from './cipher.ts';
import { createKeyFile, readKeyFile } from './key-file.ts';
import type { SecretKeyStore } from './keys.ts';

/** The keys as the environment gives them; null where a variable is not set. */
export interface GivenKeys {
  readonly secretKey: string | null;
  readonly previousSecretKey: string | null;
}

/** The accepted texts of `SECRET_KEY` and `SECRET_KEY_PREVIOUS`, for messages. */
export const SECRET_KEY_RULE =
  '32 to 512 visible ASCII characters without spaces, for example from openssl rand -hex 32';

/** Whether a text follows `SECRET_KEY_RULE`. */
export const isSecretKey = (text: string): boolean => /^[\x21-\x7e]{32,512}$/.test(text);

export interface OpenCipherDeps {
  readonly keys: SecretKeyStore;
  readonly engine: 'sqlite' | 'postgres';
  readonly given: GivenKeys;
  /** Where a key is kept that the environment does not give. */
  readonly folder: string;
  readonly now: () => Date;
}

/**
 * Opens the cipher of the secrets in a database; null where no key is given. With SQLite a key is made once and kept in
 * a file. The failure, in one line, says that the key is not that of the database.
 */
export async function openSecretCipher(deps: OpenCipherDeps): Promise<Result<SecretCipher | null, string>> {
  const { keys, given } = deps;
  const check = await keys.readCheck();
  const current = given.secretKey ?? (deps.engine === 'sqlite' ? await ownKey(deps.folder, check) : null);
  if (current === null) {
    const isLost = deps.engine === 'sqlite' || given.previousSecretKey !== null;
    return isLost ? fail(`${MISSING} ${REMEDY}`) : ok(null);
  }
  const ring: SecretKeys = { current, previous: given.previousSecretKey };
  const isRight = await verify(deps, ring, check);
  return isRight ? ok(createSecretCipher(ring)) : fail(`${WRONG} ${REMEDY}`);
}

/**
 * What processes with these keys would find in a database with this check: the right key, or none where none is needed yet. The
 * failure says why they would not start. Nothing is changed.
 */
export async function examineKey(
  { engine, given, folder }: Pick<OpenCipherDeps, 'engine' | 'given' | 'folder'>,
  check: KeyCheck | null,
): Promise<Result<'right' | 'none', string>> {
  const { secretKey, previousSecretKey } = given;
  const current = secretKey ?? (engine === 'sqlite' ? await readKeyFile(folder) : null);
  if (current === null) {
    const isLost = engine === 'sqlite' ? check !== null : previousSecretKey !== null;
    return isLost ? fail(`${MISSING} ${REMEDY}`) : ok('none');
  }
  const isRight = check === null || [current, previousSecretKey].some((key) => key !== null && isKeyOf(check, key));
  return isRight ? ok('right') : fail(`${WRONG} ${REMEDY}`);
}

const MISSING = 'The key of the secrets in the database is missing.';
const WRONG = 'SECRET_KEY, or the key in var/secret-key, is not the one of the secrets in the database.';
const REMEDY = 'Set SECRET_KEY to that key; to replace it, set SECRET_KEY_PREVIOUS to that key.';

/** No key is made for a database whose key was lost: its secrets could not be read. */
const ownKey = async (folder: string, check: KeyCheck | null): Promise<string | null> =>
  (await readKeyFile(folder)) ?? (check === null ? createKeyFile(folder) : null);

async function verify({ keys, now }: OpenCipherDeps, ring: SecretKeys, found: KeyCheck | null): Promise<boolean> {
  const fresh = newCheck(ring.current, now());
  const check = found ?? (await keys.createCheck(fresh));
  if (isKeyOf(check, ring.current)) return true;
  if (ring.previous === null || !isKeyOf(check, ring.previous)) return false;
  await keys.replaceCheck(check, fresh);
  return true;
}

const isKeyOf = ({ salt, checkValue }: KeyCheck, key: string): boolean => checkValueOf(key, salt) === checkValue;

function newCheck(key: string, now: Date): KeyCheck {
  const salt = randomBytes(16).toString('base64url');
  return { salt, checkValue: checkValueOf(key, salt), created: now.toISOString() };
}
