import type { SigningKeyStore } from '@access-admin/store';
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';

/** The one algorithm of our own tokens. */
export const SIGNING_ALGORITHM = 'ES256';

/** A key that this process signs with. */
export interface SigningKeyPair {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

/** A key that verifies tokens; `issuer` is the base address of the processes that sign with it. */
export interface VerificationKey {
  readonly issuer: string;
  readonly publicKey: CryptoKey;
}

/** The keys are kept in the store, so tokens stay valid across restarts and on every process that shares it. */
export interface SigningKeys {
  readonly current: SigningKeyPair;
  /** Null for an unknown key id; keys that another process has added meanwhile are found. */
  find(kid: string): Promise<VerificationKey | null>;
  /** The public keys as a JWK set. */
  jwks(): Promise<{ readonly keys: readonly JWK[] }>;
}

export interface SigningKeysDeps {
  readonly store: SigningKeyStore;
  readonly now: () => Date;
}

/** An unknown key id causes the store to be read again, at most this often. */
const RELOAD_INTERVAL_MS = 1000;

/** Opens the keys of the store; creates the one for this base address when there is none. */
export async function openSigningKeys(deps: SigningKeysDeps, issuer: string): Promise<SigningKeys> {
  const stored = (await deps.store.list()).find((key) => key.issuer === issuer) ?? (await createKey(deps, issuer));
  const privateKey = await importPrivateKey(stored.privateJwk);
  let keys = await readKeys(deps.store);
  let readAt = deps.now().getTime();
  return {
    current: { kid: stored.kid, privateKey },
    async find(kid) {
      if (!keys.byKid.has(kid) && deps.now().getTime() - readAt >= RELOAD_INTERVAL_MS) {
        readAt = deps.now().getTime();
        keys = await readKeys(deps.store);
      }
      return keys.byKid.get(kid) ?? null;
    },
    async jwks() {
      keys = await readKeys(deps.store);
      return { keys: keys.jwks };
    },
  };
}

async function createKey({ store, now }: SigningKeysDeps, issuer: string) {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return store.createFor({ kid, issuer, privateJwk: JSON.stringify(jwk), created: now().toISOString() });
}

async function readKeys(store: SigningKeyStore) {
  const byKid = new Map<string, VerificationKey>();
  const jwks: JWK[] = [];
  for (const { kid, issuer, privateJwk } of await store.list()) {
    const jwk = publicJwk(JSON.parse(privateJwk) as JWK, kid);
    jwks.push(jwk);
    byKid.set(kid, { issuer, publicKey: (await importJWK(jwk, SIGNING_ALGORITHM)) as CryptoKey });
  }
  return { byKid, jwks };
}

const importPrivateKey = async (privateJwk: string) =>
  (await importJWK(JSON.parse(privateJwk) as JWK, SIGNING_ALGORITHM)) as CryptoKey;

const publicJwk = ({ kty, crv, x, y }: JWK, kid: string): JWK =>
  ({ kty, crv, x, y, kid, use: 'sig', alg: SIGNING_ALGORITHM }) as JWK;
