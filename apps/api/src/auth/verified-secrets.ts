import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Remembers which secrets were verified, so that a client that asks again costs a fast hash instead of scrypt. */
export interface VerifiedSecrets {
  /** The stored hash that this secret of the client was verified against; null if it must be verified. */
  find(clientId: string, secret: string): string | null;
  /** To be called with a secret that scrypt has verified against the hash that is stored now. */
  add(clientId: string, secret: string, secretHash: string): void;
}

interface Entry {
  readonly mac: Buffer;
  readonly secretHash: string;
  readonly untilMs: number;
}

const KEY_BYTES = 32;
const CLIENTS_MAX = 10_000;
const KEPT_MS = 3_600_000;

/**
 * The MAC has a random key of the process and covers the stored hash, so it means nothing elsewhere and nothing for another
 * secret. Callers compare the returned hash with the stored one of now, so a changed or deleted client is not admitted.
 * `elapsed` is monotonic, in ms.
 */
export function createVerifiedSecrets(elapsed: () => number, clientsMax = CLIENTS_MAX): VerifiedSecrets {
  const key = randomBytes(KEY_BYTES);
  /** The client that was used longest ago is first. */
  const entries = new Map<string, Entry>();
  const macOf = (clientId: string, secret: string, secretHash: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([clientId, secretHash, secret]))
      .digest();
  return {
    find: (clientId, secret) => {
      const entry = entries.get(clientId);
      // Computed for unknown clients too, so that the time does not disclose which clients are in use.
      const mac = macOf(clientId, secret, entry?.secretHash ?? '');
      if (entry === undefined || !timingSafeEqual(mac, entry.mac)) return null;
      entries.delete(clientId);
      if (entry.untilMs <= elapsed()) return null;
      entries.set(clientId, entry);
      return entry.secretHash;
    },
    add: (clientId, secret, secretHash) => {
      entries.delete(clientId);
      const [oldest] = entries.keys();
      if (entries.size >= clientsMax && oldest !== undefined) entries.delete(oldest);
      const entry = { mac: macOf(clientId, secret, secretHash), secretHash, untilMs: elapsed() + KEPT_MS };
      entries.set(clientId, entry);
    },
  };
}
