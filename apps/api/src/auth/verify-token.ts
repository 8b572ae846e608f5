import { CALLER_ID_LENGTH_MAX, TOKEN_LENGTH_MAX } from '@access-admin/contract';
import { TENANT_NAME } from '@access-admin/domain';
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { ExternalIssuer } from '../config.ts';
import { type MaybePromise, whenReady } from '../event-loop/maybe-promise.ts';
import { Unavailable } from '../http/unavailable.ts';
import { tenantAddress } from './base-address.ts';
import { type ClaimMapping, isAccessToken, mapClaims, STANDARD_CLAIMS } from './external-claims.ts';
import { createExternalKeys } from './external-keys.ts';
import { SIGNING_ALGORITHM, type SigningKeys, type VerificationKey } from './signing-keys.ts';

/** The claims of a verified token. */
export interface VerifiedToken {
  readonly tenant: string;
  readonly clientId: string;
  readonly identityId: string | null;
  /** The scopes at issuance. */
  readonly scopes: ReadonlySet<string>;
  /** When the client was created, of a token of this service: the client must still be that one. Null for an external issuer. */
  readonly clientCreated: string | null;
  /** The version of the secret that it was made with, of a token of this service. Null for an external issuer. */
  readonly secretVersion: number | null;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
  /** The key of ours that has signed it, which may be retired; null for an external issuer. */
  readonly keyId: string | null;
}

/** Why a token does not verify: for the log, because the caller gets no reason. Holds nothing that the token says. */
export type TokenFault =
  | 'no bearer token'
  | 'too long'
  | 'malformed'
  | 'unknown key'
  | 'retired key'
  | 'unreadable key'
  | 'bad signature'
  | 'expired'
  | 'not yet valid'
  | 'wrong issuer'
  | 'wrong audience'
  | 'wrong type'
  | 'wrong algorithm'
  | 'missing claim'
  | 'invalid claim';

/** Verifies the signature and the claims of a token. */
export type VerifyToken = (token: string) => MaybePromise<VerifiedToken | TokenFault>;

export interface VerifyTokenDeps {
  readonly keys: SigningKeys;
  readonly externalIssuer: ExternalIssuer | null;
  readonly now: () => Date;
}

const CACHED_TOKENS_MAX = 10_000;
/** Tokens of external issuers may be long. */
const CACHED_CHARACTERS_MAX = 16 * 1024 * 1024;
const REQUIRED_CLAIMS = ['exp', 'iat', 'sub'];
const EXTERNAL_ALGORITHMS = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
  'EdDSA',
  'Ed25519',
];

/** Verifies access tokens; one that was seen before costs a look-up instead of a signature check. */
export function createVerifyToken(deps: VerifyTokenDeps): VerifyToken {
  const verified = createVerifiedTokens();
  const verifySignature = createSignatureCheck(deps);
  const keep = (token: string, found: VerifiedToken | TokenFault) => {
    if (typeof found === 'string') return found;
    if (found.expiresAtMs <= deps.now().getTime()) return 'expired';
    verified.set(token, found);
    return found;
  };
  const drop = (token: string, fault: TokenFault) => {
    verified.delete(token);
    return fault;
  };
  return (token) => {
    if (token.length > TOKEN_LENGTH_MAX) return 'too long';
    const known = verified.get(token);
    if (known === undefined)
      return isCanonical(token) ? verifySignature(token).then((found) => keep(token, found)) : 'malformed';
    const nowMs = deps.now().getTime();
    if (known.expiresAtMs <= nowMs) return drop(token, 'expired');
    if (known.keyId === null) return known;
    return whenReady<VerificationKey | null, VerifiedToken | TokenFault>(deps.keys.find(known.keyId), (key) => {
      if (key === null) return drop(token, 'unknown key');
      return key.tokensEndMs > nowMs ? known : drop(token, 'retired key');
    });
  };
}

/** The end of a token that is its signature with ES256, in base64url. */
const SIGNATURE_LENGTH = 86;

/**
 * Keeps tokens by their signature and compares them whole: to hash a whole token takes longer than all other checks of a request.
 * A comparison in constant time would protect nothing: only a token of the same signature is compared, and a signature cannot be
 * guessed.
 */
function createVerifiedTokens() {
  const kept = new LRUCache<string, { readonly token: string; readonly verified: VerifiedToken }>({
    maxSize: CACHED_CHARACTERS_MAX,
    // With `max`, room for all tokens would be taken at once.
    sizeCalculation: ({ token }) => Math.max(token.length, Math.ceil(CACHED_CHARACTERS_MAX / CACHED_TOKENS_MAX)),
  });
  const keyOf = (token: string) => token.slice(-SIGNATURE_LENGTH);
  return {
    get: (token: string): VerifiedToken | undefined => {
      const found = kept.get(keyOf(token));
      return found?.token === token ? found.verified : undefined;
    },
    set: (token: string, verified: VerifiedToken) => void kept.set(keyOf(token), { token, verified }),
    delete: (token: string) => void kept.delete(keyOf(token)),
  };
}

function createSignatureCheck({
  keys,
  externalIssuer,
  now,
}: VerifyTokenDeps): (token: string) => Promise<VerifiedToken | TokenFault> {
  const externalKeys = externalIssuer === null ? null : createExternalKeys(externalIssuer.jwksUrl, now);
  const common = () => ({ requiredClaims: REQUIRED_CLAIMS, currentDate: now() });
  return async (token) => {
    const unverified = decode(token);
    if (unverified === null) return 'malformed';
    try {
      if (externalIssuer !== null && externalKeys !== null && unverified.claims.iss === externalIssuer.issuer) {
        const { issuer, audience, claims: mapping } = externalIssuer;
        const options = { ...common(), issuer, audience, algorithms: EXTERNAL_ALGORITHMS };
        const verifying = jwtVerify(token, externalKeys, options).catch(refuseUnreadableKey);
        const { payload, protectedHeader } = await verifying;
        if (!isAccessToken(protectedHeader.typ, payload, mapping)) return 'wrong type';
        return toVerified(payload, mapping, OF_EXTERNAL_ISSUER);
      }
      const key = unverified.kid === undefined ? null : await keys.find(unverified.kid);
      if (key === null) return 'unknown key';
      if (key.tokensEndMs <= now().getTime()) return 'retired key';
      const issuer = tenantAddress(key.issuer, String(unverified.claims['tenant']));
      const options = { ...common(), issuer, audience: issuer, typ: 'at+jwt', algorithms: [SIGNING_ALGORITHM] };
      const { payload } = await jwtVerify(token, key.publicKey, options);
      const { client_created: clientCreated, secret_version: secretVersion } = payload;
      if (typeof clientCreated !== 'string' || typeof secretVersion !== 'number') return 'missing claim';
      const keyId = unverified.kid ?? null;
      return toVerified(payload, STANDARD_CLAIMS, { clientCreated, secretVersion, keyId });
    } catch (error) {
      // A refused token is an error of the caller; a failure to fetch keys is not.
      if (error instanceof errors.JOSEError && !UNREACHABLE_CODES.includes(error.code)) return faultOf(error);
      if (error instanceof errors.JOSEError || isFetchFailure(error))
        throw new Unavailable('IssuerUnavailable', String(error));
      throw error;
    }
  };
}

/** An unreadable key of the issuer fails inside the platform in many ways; a token that names it does not verify. */
function refuseUnreadableKey(error: unknown): never {
  if (error instanceof errors.JOSEError || isFetchFailure(error)) throw error;
  throw new errors.JWKInvalid('The key cannot be read.', { cause: error });
}

const UNREACHABLE_CODES = [errors.JWKSTimeout.code, errors.JWKSInvalid.code, errors.JOSEError.code];

const isFetchFailure = (error: unknown) => error instanceof TypeError && error.message === 'fetch failed';

function decode(token: string): { readonly kid: string | undefined; readonly claims: JWTPayload } | null {
  try {
    return { kid: decodeProtectedHeader(token).kid, claims: decodeJwt(token) };
  } catch {
    return null;
  }
}

const FAULTS_BY_CODE: Readonly<Record<string, TokenFault>> = {
  [errors.JWTExpired.code]: 'expired',
  [errors.JWSSignatureVerificationFailed.code]: 'bad signature',
  [errors.JOSEAlgNotAllowed.code]: 'wrong algorithm',
  [errors.JWKSNoMatchingKey.code]: 'unknown key',
  [errors.JWKSMultipleMatchingKeys.code]: 'unknown key',
  [errors.JWKInvalid.code]: 'unreadable key',
};

const FAULTS_BY_CLAIM: Readonly<Record<string, TokenFault>> = {
  iss: 'wrong issuer',
  aud: 'wrong audience',
  typ: 'wrong type',
  nbf: 'not yet valid',
};

function faultOf(error: errors.JOSEError): TokenFault {
  if (!(error instanceof errors.JWTClaimValidationFailed)) return FAULTS_BY_CODE[error.code] ?? 'malformed';
  if (error.reason === 'missing') return 'missing claim';
  return error.reason === 'check_failed' ? (FAULTS_BY_CLAIM[error.claim] ?? 'invalid claim') : 'invalid claim';
}

/** Whether each part is in the one form that base64url has for its bytes (RFC 7515); decoders accept others for the same token. */
const isCanonical = (token: string): boolean =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

const isStorable = (text: string): boolean =>
  text.length <= CALLER_ID_LENGTH_MAX && text.isWellFormed() && !text.includes('\0');

const OF_EXTERNAL_ISSUER = { clientCreated: null, secretVersion: null, keyId: null };

function toVerified(
  claims: JWTPayload,
  mapping: ClaimMapping,
  { clientCreated, secretVersion, keyId }: Pick<VerifiedToken, 'clientCreated' | 'secretVersion' | 'keyId'>,
): VerifiedToken | TokenFault {
  const { exp, iat } = claims;
  const { tenant, clientId, scopes: given, identity } = mapClaims(claims, mapping);
  if ([tenant, clientId, given].includes(undefined)) return 'missing claim';
  if (identity !== null && identity.id === undefined) return 'missing claim';
  // RFC 9068 defines the claim `scope` as a text.
  const scopes = mapping.scopes === STANDARD_CLAIMS.scopes && Array.isArray(given) ? null : scopesOf(given);
  if (exp === undefined || iat === undefined || typeof clientId !== 'string' || scopes === null) return 'invalid claim';
  if (typeof tenant !== 'string' || !TENANT_NAME.test(tenant)) return 'invalid claim';
  const identityId = identity?.id ?? null;
  if (identityId !== null && typeof identityId !== 'string') return 'invalid claim';
  // A null in the claim is no application.
  if (identity !== null && identityId === null) return 'invalid claim';
  // These ids are recorded: one that storage cannot keep unchanged or index is refused.
  if (![clientId, identityId ?? ''].every(isStorable)) return 'invalid claim';
  return {
    tenant,
    clientId,
    identityId,
    scopes,
    clientCreated,
    secretVersion,
    keyId,
    issuedAtMs: iat * 1000,
    expiresAtMs: exp * 1000,
  };
}

/** The names in a list, or in a text with spaces between them; null for anything else. */
function scopesOf(given: unknown): ReadonlySet<string> | null {
  if (typeof given === 'string') return new Set(given.split(' ').filter((name) => name !== ''));
  return Array.isArray(given) && given.every((name) => typeof name === 'string') ? new Set(given) : null;
}
