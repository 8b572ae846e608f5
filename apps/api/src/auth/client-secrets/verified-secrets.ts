import { createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';

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
const MAC_BYTES = 32;
/** A client has two valid secrets while one replaces the other. */
const SECRETS_OF_CLIENT = 2;

/** Equal to the MAC of no secret. */
const NONE: Entry = { mac: Buffer.alloc(MAC_BYTES), secretHash: '', untilMs: 0 };

/**
 * `key` is random and the process's own, and the MAC covers the stored hash, so it means nothing elsewhere and nothing for another
 * secret. Callers compare the returned hash with the stored ones of now, so a changed or deleted client is not admitted.
 */
export function createVerifiedSecrets({
  key,
  elapsed,
  clientsMax = CLIENTS_MAX,
}: VerifiedSecretsOptions): VerifiedSecrets {
  // Of a client the secret that was verified last is first. With `max`, room for all clients would be taken at once.
  const byClient = new LRUCache<string, readonly Entry[]>({ maxSize: clientsMax, sizeCalculation: () => 1 });
  const macOf = (clientId: string, secret: string, secretHash: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([clientId, secretHash, secret]))
      .digest();
  return {
    find: (clientId, secret) => {
      const entries = byClient.get(clientId) ?? [];
      let found: Entry | null = null;
      // As many for unknown clients, so that the time does not disclose which clients are in use.
      for (let at = 0; at < SECRETS_OF_CLIENT; at++) {
        const entry = entries[at] ?? NONE;
        if (timingSafeEqual(macOf(clientId, secret, entry.secretHash), entry.mac)) found = entry;
      }
      if (found === null) return null;
      const isKept = found.untilMs > elapsed();
      byClient.set(clientId, isKept ? entries : entries.filter((entry) => entry !== found));
      return isKept ? found.secretHash : null;
    },
    add: (clientId, secret, secretHash) => {
      const others = (byClient.get(clientId) ?? []).filter((entry) => entry.secretHash !== secretHash);
      const entry = { mac: macOf(clientId, secret, secretHash), secretHash, untilMs: elapsed() + KEPT_MS };
      byClient.set(clientId, [entry, ...others].slice(0, SECRETS_OF_CLIENT));
    },
  };
}
