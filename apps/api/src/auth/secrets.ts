import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { WAITING_SECRETS_MAX } from '@access-admin/contract';
import { Unavailable } from './unavailable.ts';

/** Hashes and checks client secrets, a few at a time. */
export interface Secrets {
  /** For storage, as `scrypt:<salt>:<key>` in base64url. Takes precedence over secrets that wait to be verified. */
  hash(secret: string): Promise<string>;
  /**
   * Whether the secret is the hashed one. Takes the same time without a hash, so that the time does not disclose which ids
   * exist. Rejects with `Unavailable` when too many wait.
   */
  verify(secret: string, secretHash: string | null): Promise<boolean>;
}

/** The work factor of scrypt. */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

const KEY_BYTES = 32;
// The work factor OWASP names for scrypt where memory is scarce: about 20 ms on one core, off the event loop.
const COST: ScryptCost = { N: 16_384, r: 8, p: 1 };
const scryptKey = promisify<string, Buffer, number, ScryptCost, Buffer>(scrypt);

/** Derives the key of a secret and a salt. */
export type DeriveKey = (secret: string, salt: Buffer) => Promise<Buffer>;

/** Derives keys with scrypt; `cost` is its work factor, which tests choose small. */
export const createDeriveKey =
  (cost: ScryptCost = COST): DeriveKey =>
  (secret, salt) =>
    scryptKey(secret, salt, KEY_BYTES, cost);

// The platform has four threads for this and for verifying tokens: token requests must leave some of them to verification.
const AT_ONCE_MAX = 2;

/** Tests give a derivation of their own. */
export function createSecrets(deriveKey: DeriveKey = createDeriveKey()): Secrets {
  const take = createWorkQueue();
  return {
    hash: async (secret) => {
      const salt = randomBytes(16);
      const key = await take('first', () => deriveKey(secret, salt));
      return `scrypt:${salt.toString('base64url')}:${key.toString('base64url')}`;
    },
    verify: async (secret, secretHash) => {
      const [, salt = '', key = ''] = secretHash?.split(':') ?? [];
      const derived = await take('last', () => deriveKey(secret, Buffer.from(salt, 'base64url')));
      const stored = Buffer.from(key, 'base64url');
      return stored.length === KEY_BYTES && timingSafeEqual(derived, stored);
    },
  };
}

/** Limits work that runs at once. A full queue takes two seconds to empty; it refuses further work, because most of its callers would have given up. */
function createWorkQueue() {
  let underWay = 0;
  const waiting: (() => void)[] = [];
  return async <T>(place: 'first' | 'last', work: () => Promise<T>): Promise<T> => {
    if (underWay < AT_ONCE_MAX) underWay += 1;
    else if (place === 'last' && waiting.length >= WAITING_SECRETS_MAX)
      throw new Unavailable('SecretsBusy', `${WAITING_SECRETS_MAX} secrets wait to be checked.`);
    else await new Promise<void>((resolve) => (place === 'first' ? waiting.unshift(resolve) : waiting.push(resolve)));
    try {
      return await work();
    } finally {
      // The next one takes over the slot.
      const next = waiting.shift();
      if (next === undefined) underWay -= 1;
      else next();
    }
  };
}
