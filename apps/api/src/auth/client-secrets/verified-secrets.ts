import { createHmac, timingSafeEqual } from 'node:crypto';

/** Remembers which secrets were verified, so that a client that asks again costs a fast hash instead of scrypt. */
export interface VerifiedSecrets {
  /** The stored hash that this secret of the client was verified against; null if it must be verified. */
  find(clientId: string, secret: string): string | null;
  /** To be called with a secret that scrypt has verified against the hash that is stored now. */
  add(clientId: string, secret: string, secretHash: string): void;
}

interface VerifiedSecretsOptions {
  readonly key: Buffer;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  readonly clientsMax?: number;
}

interface Entry {
  readonly mac: Buffer;
  readonly secretHash: string;
  readonly untilMs: number;
}

const CLIENTS_MAX = 10_000;
const KEPT_MS = 3_600_000;

/**
 * `key` is random and the process's own, and the MAC covers the stored hash, so it means nothing elsewhere and nothing for another
 * secret. Callers compare the returned hash with the stored one of now, so a changed or deleted client is not admitted.
 */
export function createVerifiedSecrets({
  key,
  elapsed,
  clientsMax = CLIENTS_MAX,
}: VerifiedSecretsOptions): VerifiedSecrets {
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
