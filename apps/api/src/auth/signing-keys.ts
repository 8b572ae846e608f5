import type { RetiredSigningKey, SigningKey, SigningKeyStore } from '@access-admin/store';
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { MaybePromise } from '../event-loop/maybe-promise.ts';

/** The one algorithm of our own tokens. */
export const SIGNING_ALGORITHM = 'ES256';

/** Lifetime of a token, in seconds. */
export const TOKEN_LIFETIME_SECONDS = 15 * 60;

/** A key that this process signs with. */
export interface SigningKeyPair {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

/** A key that verifies tokens; `issuer` is the base address of the processes that sign with it. */
export interface VerificationKey {
  readonly issuer: string;
  readonly publicKey: CryptoKey;
  /** From when on none of its tokens is accepted, in ms since 1970; infinite for a key in use. */
  readonly tokensEndMs: number;
}

/** The keys are kept in the store, so tokens stay valid across restarts and on every process that shares it. */
export interface SigningKeys {
  /** The key to sign with. One that another process has put in its place is used within a second. */
  current(): Promise<SigningKeyPair>;
  /** Null for an unknown key id; keys that another process has added are found, and what it has retired is known within a second. */
  find(kid: string): MaybePromise<VerificationKey | null>;
  /** The public keys as a JWK set, with those that were retired. */
  jwks(): Promise<{ readonly keys: readonly JWK[] }>;
}

export interface SigningKeysDeps {
  readonly store: SigningKeyStore;
  readonly now: () => Date;
}

export interface OpenSigningKeysDeps extends SigningKeysDeps {
  /** Milliseconds of a clock that is never set. */
  readonly elapsed: () => number;
  readonly log: { info(fields: object, message: string): void };
}

export interface RotationDeps extends SigningKeysDeps {
  /** Whose audit log tells the rotation. */
  readonly tenant: string;
  readonly newTrackingId: () => string;
}

/** The keys are read from the store again after this time, when one is needed. */
const KEYS_AGE_MS_MAX = 1000;
/** The same for an unknown key id, whenever the keys were read: a new key may have been used at once. */
const UNKNOWN_INTERVAL_MS = 1000;

/** Opens the keys of the store; creates the one for this base address when there is none. */
export async function openSigningKeys(deps: OpenSigningKeysDeps, issuer: string): Promise<SigningKeys> {
  const { store, elapsed, log } = deps;
  if (!(await store.list()).some((key) => key.issuer === issuer)) await store.createFor(await createKey(deps, issuer));
  let keys = await readKeys(store, issuer, null);
  let readAtMs = elapsed();
  let unknownAtMs = Number.NEGATIVE_INFINITY;
  let lookup: Promise<void> = Promise.resolve();
  const refresh = async () => {
    readAtMs = elapsed();
    const { kid } = keys.current;
    keys = await readKeys(store, issuer, keys);
    if (keys.current.kid !== kid) log.info({ kid: keys.current.kid, retired: kid }, 'signing key replaced');
  };
  const isOld = () => elapsed() - readAtMs >= KEYS_AGE_MS_MAX;
  const findStored = (kid: string) => keys.byKid.get(kid) ?? null;
  return {
    async current() {
      if (isOld()) await refresh();
      return keys.current;
    },
    find(kid) {
      if (keys.byKid.has(kid)) return isOld() ? refresh().then(() => findStored(kid)) : findStored(kid);
      if (elapsed() - unknownAtMs >= UNKNOWN_INTERVAL_MS) {
        unknownAtMs = elapsed();
        lookup = refresh();
      }
      // Requests with the same new key id come together: all wait for the look-up that the first has begun.
      return lookup.then(() => findStored(kid));
    },
    async jwks() {
      await refresh();
      return { keys: keys.jwks };
    },
  };
}

/**
 * Puts a new key in the place of an issuer's key, whose private part is deleted. Tokens of the old key are accepted while they
 * live; where it is compromised, none is, nor one of a key that was retired earlier. Null if the issuer has no key.
 */
export async function rotateSigningKey(
  deps: RotationDeps,
  issuer: string,
  { isCompromised = false }: { readonly isCompromised?: boolean } = {},
): Promise<{ readonly next: SigningKey; readonly retired: RetiredSigningKey } | null> {
  const present = (await deps.store.list()).find((key) => key.issuer === issuer);
  if (present === undefined) return null;
  const next = await createKey(deps, issuer);
  const { kid, created, privateJwk } = present;
  const publicJwk = JSON.stringify(toPublicJwk(JSON.parse(privateJwk), kid));
  // The clocks of other machines may be behind: the tokens of a compromised key have ended for each of them.
  const tokensEndMs = isCompromised ? 0 : Date.parse(next.created) + TOKEN_LIFETIME_SECONDS * 1000;
  const tokensEnd = new Date(tokensEndMs).toISOString();
  const retired = { kid, issuer, publicJwk, created, retired: next.created, tokensEnd };
  const auditContext = {
    tenant: deps.tenant,
    // Keys belong to no tenant, and no client may replace them: the operator has.
    actor: { clientId: 'system', identityId: null },
    operation: 'rotate-signing-key',
    time: next.created,
    trackingId: deps.newTrackingId(),
  };
  if (await deps.store.replace(auditContext, next, retired)) return { next, retired };
  throw new Error('Another process has replaced the key at the same time.');
}

/** All keys of a store as another one keeps them, to verify what they have signed. It accepts no token of them. */
export async function publicKeysOf(store: SigningKeyStore, now: () => Date): Promise<readonly RetiredSigningKey[]> {
  const retired = now().toISOString();
  const present = (await store.list()).map(({ kid, issuer, created, privateJwk }) => ({
    kid,
    issuer,
    created,
    retired,
    publicJwk: JSON.stringify(toPublicJwk(JSON.parse(privateJwk), kid)),
  }));
  const tokensEnd = new Date(0).toISOString();
  return [...(await store.listRetired()), ...present].map((key) => ({ ...key, tokensEnd }));
}

async function createKey({ now }: SigningKeysDeps, issuer: string): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, issuer, privateJwk: JSON.stringify(jwk), created: now().toISOString() };
}

interface ReadKeys {
  readonly byKid: ReadonlyMap<string, VerificationKey>;
  readonly jwks: readonly JWK[];
  readonly current: SigningKeyPair;
}

/** Reads the keys; what was `imported` before is not imported again. */
async function readKeys(store: SigningKeyStore, issuer: string, imported: ReadKeys | null): Promise<ReadKeys> {
  const byKid = new Map<string, VerificationKey>();
  const jwks: JWK[] = [];
  const add = async (key: { readonly kid: string; readonly issuer: string }, jwk: JWK, tokensEndMs: number) => {
    jwks.push(jwk);
    const publicKey = imported?.byKid.get(key.kid)?.publicKey ?? (await importKey(jwk));
    byKid.set(key.kid, { issuer: key.issuer, publicKey, tokensEndMs });
  };
  const stored = await store.list();
  for (const key of stored) await add(key, toPublicJwk(JSON.parse(key.privateJwk), key.kid), Number.POSITIVE_INFINITY);
  for (const key of await store.listRetired())
    await add(key, toPublicJwk(JSON.parse(key.publicJwk), key.kid), Date.parse(key.tokensEnd));
  const own = stored.find((key) => key.issuer === issuer);
  if (own === undefined) throw new Error('The key of this base address is no longer in the store.');
  const isSame = imported?.current.kid === own.kid;
  const current = isSame ? imported.current : { kid: own.kid, privateKey: await importKey(JSON.parse(own.privateJwk)) };
  return { byKid, jwks, current };
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  // Receipts and heads are signed by node:crypto, which keys that are not extractable may not reach (DEP0204).
  const key = await importJWK(jwk, SIGNING_ALGORITHM, { extractable: true });
  if (key instanceof Uint8Array) throw new Error('A symmetric key signs no token.');
  return key;
}

const toPublicJwk = ({ kty, crv, x, y }: Required<Pick<JWK, 'kty' | 'crv' | 'x' | 'y'>>, kid: string): JWK => ({
  kty,
  crv,
  x,
  y,
  kid,
  use: 'sig',
  alg: SIGNING_ALGORITHM,
});
