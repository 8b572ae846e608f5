import { parseStrictJson } from '@access-admin/contract';
import { SCOPES, TENANT_NAME } from '@access-admin/domain';
import type { JWTPayload } from 'jose';
import * as v from 'valibot';

/** Where a value of a token comes from: a claim, by its name or by the names that lead to it, or a fixed value. */
export type ClaimSource<Value = string> = { readonly claim: string | readonly string[] } | { readonly value: Value };

/** Maps an external issuer's claims to ours. If a value has several sources, the first one present in the token is used. */
export interface ClaimMapping {
  readonly tenant: readonly ClaimSource[];
  readonly client: readonly ClaimSource[];
  readonly scopes: readonly ClaimSource<readonly string[]>[];
  readonly identity: IdentitySource;
  /** The header parameters `typ` that access tokens may have, in small letters and without `application/`; null for none. */
  readonly types: readonly (string | null)[];
}

/** Where the id of the identity comes from that a token acts as. */
export interface IdentitySource {
  readonly from: readonly ClaimSource[];
  /** Whether a token without it acts as an application. */
  readonly isOptional: boolean;
  /** A token with this value in this claim acts as an application, whatever identity it names. */
  readonly unless: { readonly claim: string | readonly string[]; readonly value: string } | null;
}

/** What our own tokens and those of RFC 9068 have. */
export const STANDARD_CLAIMS: ClaimMapping = {
  tenant: [{ claim: 'tenant' }],
  client: [{ claim: 'client_id' }],
  scopes: [{ claim: 'scope' }],
  identity: { from: [{ claim: 'identity_id' }], isOptional: true, unless: null },
  types: ['at+jwt'],
};

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(256));
const path = v.union(
  [name, v.pipe(v.array(name), v.minLength(1), v.maxLength(8))],
  'must be a name or a list of names',
);
const claim = v.strictObject({ claim: path });
const isScope = (text: string) => (SCOPES as readonly string[]).includes(text);
const oneOrMore = <S extends v.GenericSchema>(source: S) =>
  v.union([
    v.pipe(v.array(source), v.minLength(1), v.maxLength(8)),
    v.pipe(
      source,
      v.transform((one) => [one]),
    ),
  ]);
const sourceOf = <S extends v.GenericSchema>(value: S) => oneOrMore(v.union([claim, v.strictObject({ value })]));

const mapping = v.strictObject({
  tenant: v.optional(sourceOf(v.pipe(v.string(), v.regex(TENANT_NAME)))),
  client: v.optional(sourceOf(name)),
  scopes: v.optional(sourceOf(v.array(v.pipe(v.string(), v.check(isScope))))),
  identity: v.optional(
    v.union([
      sourceOf(name),
      v.strictObject({
        from: sourceOf(name),
        optional: v.optional(v.boolean()),
        unless: v.optional(v.strictObject({ claim: path, value: name })),
      }),
    ]),
  ),
  typ: v.optional(oneOrMore(v.nullable(name))),
});

/** What `AUTH_CLAIMS` has to be. */
export const AUTH_CLAIMS_RULE =
  'a JSON object of tenant, client, scopes, identity and typ, each but typ being {"claim": …}, {"value": …} or a list of them, with known scopes and a valid tenant as values; where typ is not at+jwt, client must be a claim';

/** The mapping in a JSON text; what it leaves out is as in our own tokens. Null if it is malformed. */
export function parseClaimMapping(text: string): ClaimMapping | null {
  const json = parseStrictJson(text);
  // An array passes as an object without members.
  const parsed = v.safeParse(mapping, json.ok && !Array.isArray(json.value) ? json.value : undefined);
  if (!parsed.success) return null;
  const { tenant, client, scopes, identity, typ } = parsed.output;
  // The claim of the client tells access tokens from ID tokens, where their type does not.
  const needsClient = typ?.some((each) => each === null || shortType(each) !== OWN_TYPE) ?? false;
  if (needsClient && client?.some((source) => 'value' in source)) return null;
  return {
    tenant: tenant ?? STANDARD_CLAIMS.tenant,
    client: client ?? STANDARD_CLAIMS.client,
    scopes: scopes ?? STANDARD_CLAIMS.scopes,
    identity: identity === undefined ? STANDARD_CLAIMS.identity : identityOf(identity),
    types: typ?.map((each) => (each === null ? null : shortType(each))) ?? STANDARD_CLAIMS.types,
  };
}

/** A token that lacks a mapped identity is refused: as an application it could do more than its user may. */
const identityOf = (
  given:
    | readonly ClaimSource[]
    | { from: ClaimSource[]; optional?: boolean | undefined; unless?: IdentitySource['unless'] | undefined },
): IdentitySource =>
  'from' in given
    ? { from: given.from, isOptional: given.optional ?? false, unless: given.unless ?? null }
    : { from: given, isOptional: false, unless: null };

/** What a token says, in the terms of our own; undefined where it does not say it. */
export interface MappedClaims {
  readonly tenant: unknown;
  readonly clientId: unknown;
  /** Names, or a text with spaces between them. */
  readonly scopes: unknown;
  /** Null where the token acts as an application. */
  readonly identity: { readonly id: unknown } | null;
}

/** Reads the claims of a verified token. */
export const mapClaims = (claims: JWTPayload, { tenant, client, scopes, identity }: ClaimMapping): MappedClaims => ({
  tenant: firstOf(claims, tenant),
  clientId: firstOf(claims, client),
  scopes: firstOf(claims, scopes),
  identity: identityIn(claims, identity),
});

function identityIn(claims: JWTPayload, { from, isOptional, unless }: IdentitySource): MappedClaims['identity'] {
  if (unless !== null && valueAt(claims, unless.claim) === unless.value) return null;
  const id = firstOf(claims, from);
  return id === undefined && isOptional ? null : { id };
}

function firstOf(claims: JWTPayload, sources: readonly ClaimSource<unknown>[]): unknown {
  for (const source of sources) {
    const value = 'value' in source ? source.value : valueAt(claims, source.claim);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Own properties alone: `constructor` is no claim. */
function valueAt(claims: JWTPayload, at: string | readonly string[]): unknown {
  let value: unknown = claims;
  for (const key of typeof at === 'string' ? [at] : at) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key))
      return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

const OWN_TYPE = 'at+jwt';
/** Claims that only ID tokens have. */
const ID_TOKEN_MARKS = ['nonce', 'at_hash', 'c_hash', 's_hash'];

/**
 * Whether a token is an access token by its header parameter `typ`. Issuers sign ID tokens, which browsers get, with the same
 * keys: without the type of RFC 9068 a token must have none of their marks. Keycloak tells the kind of a token in a claim `typ`.
 */
export function isAccessToken(typ: unknown, claims: JWTPayload, { types }: ClaimMapping): boolean {
  if (typ !== undefined && typeof typ !== 'string') return false;
  const type = typ === undefined ? null : shortType(typ);
  if (!types.includes(type)) return false;
  if (type === OWN_TYPE) return true;
  const kind = claims['typ'];
  return kind === undefined ? !ID_TOKEN_MARKS.some((mark) => claims[mark] !== undefined) : kind === 'Bearer';
}

/** RFC 7515 allows to leave this prefix out. */
const shortType = (type: string): string => type.toLowerCase().replace(/^application\//, '');
