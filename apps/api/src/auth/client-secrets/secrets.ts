import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { WAITING_SECRETS_MAX } from '@access-admin/contract';
import type { Caller } from '@access-admin/domain';
import { createSemaphore, withSlot } from '@access-admin/scheduling';
import { Unavailable } from '../../http/unavailable.ts';
import { createVerifiedSecrets } from './verified-secrets.ts';

/** The credentials of a token request, and the address that it comes from. */
export interface Attempt {
  readonly clientId: string;
  readonly secret: string;
  readonly address: string;
}

/** Hashes and verifies client secrets, a few at a time. */
export interface Secrets {
  /**
   * For storage, as `scrypt:<salt>:<key>` in base64url. Waits for no secret that is to be verified, whatever their number. Rejects
   * with `Unavailable` when too many secrets wait to be hashed. All secrets of a client have the salt of its first one: `besides`
   * is the hash of another secret of the client, null for its first.
   */
  hash(secret: string, owner: Pick<Caller, 'tenant' | 'clientId'>, besides: string | null): Promise<string>;
  /**
   * The client of an attempt and which of its secrets it has, or why there is none. Derives at most one key, and one for an
   * unknown client too, so that the time does not disclose which ids exist, nor which clients have two secrets. Rejects with
   * `Unavailable` when too many wait.
   */
  authenticate<C extends WithSecrets>(
    attempt: Attempt,
    findClient: (id: string) => Promise<C | null>,
  ): Promise<Authenticated<C> | 'unknown client' | 'wrong secret'>;
}

/** A client whose secrets are all valid, with the same salt. */
interface WithSecrets {
  readonly secrets: readonly { readonly version: number; readonly hash: string }[];
}

/** A client that has proven itself by one of its secrets. */
export interface Authenticated<C> {
  readonly client: C;
  readonly secretVersion: number;
}

/** The salt of a stored hash; empty if the text is not a valid hash. */
const saltOf = (hash: string): Buffer => Buffer.from(hash.split(':')[1] ?? '', 'base64url');

/** The work factor of scrypt. */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

const KEY_BYTES = 32;
const SALT_BYTES = 16;
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

// The platform has four threads for this and for verifying tokens: at least one must be left to that.
const VERIFIED_AT_ONCE_MAX = 2;
const HASHED_AT_ONCE_MAX = 1;

// Longer ones exist in no store: they are refused without a derivation, which tells nothing about a client.
const CLIENT_ID_LENGTH_MAX = 128;
const SECRET_LENGTH_MAX = 256;

const busy = () => new Unavailable('SecretsBusy', `${WAITING_SECRETS_MAX} secrets wait to be hashed or verified`);

interface SecretsDeps {
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  /** Tests give a derivation of their own. */
  readonly deriveKey?: DeriveKey;
}

export function createSecrets({ elapsed, deriveKey = createDeriveKey() }: SecretsDeps): Secrets {
  const verified = createVerifiedSecrets({ key: randomBytes(KEY_BYTES), elapsed });
  const openSemaphore = (atOnceMax: number) =>
    createSemaphore({
      capacity: atOnceMax,
      tenantMax: atOnceMax,
      waitingMax: WAITING_SECRETS_MAX,
      refuses: 'longest',
      elapsed,
    });
  const hashing = openSemaphore(HASHED_AT_ONCE_MAX);
  const verifying = openSemaphore(VERIFIED_AT_ONCE_MAX);
  /** The hash, among those with one salt, that is of the secret. */
  const findHash = async (secret: string, hashes: readonly string[]): Promise<string | null> => {
    const derived = await deriveKey(secret, saltOf(hashes[0] ?? ''));
    const found = hashes.find((hash) => {
      const stored = Buffer.from(hash.split(':')[2] ?? '', 'base64url');
      return stored.length === KEY_BYTES && timingSafeEqual(derived, stored);
    });
    return found ?? null;
  };
  return {
    hash: async (secret, { tenant, clientId }, besides) => {
      const salt = besides === null ? randomBytes(SALT_BYTES) : saltOf(besides);
      const key = await withSlot(hashing.open(tenant, { client: clientId }), busy, () => deriveKey(secret, salt));
      return `scrypt:${salt.toString('base64url')}:${key.toString('base64url')}`;
    },
    authenticate: async ({ clientId, secret, address }, findClient) => {
      if (clientId.length > CLIENT_ID_LENGTH_MAX) return 'unknown client';
      if (secret.length > SECRET_LENGTH_MAX) return 'wrong secret';
      const known = verified.find(clientId, secret);
      const present = known === null ? null : await findClient(clientId);
      const knownSecret = present?.secrets.find(({ hash }) => hash === known);
      if (present !== null && knownSecret !== undefined) return { client: present, secretVersion: knownSecret.version };
      // The client is read with a slot, so that requests that wait do not occupy the storage.
      return withSlot(verifying.open(address, { client: clientId }), busy, async () => {
        const client = await findClient(clientId);
        const found = await findHash(secret, client?.secrets.map(({ hash }) => hash) ?? []);
        if (client === null) return 'unknown client';
        const given = client.secrets.find(({ hash }) => hash === found);
        if (given === undefined) return 'wrong secret';
        verified.add(clientId, secret, given.hash);
        return { client, secretVersion: given.version };
      });
    },
  };
}
