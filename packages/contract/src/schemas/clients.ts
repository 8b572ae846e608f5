import {
  BEARER_TOKEN_DAYS,
  CLIENT_SECRET_OVERLAP_HOURS,
  knownTextRule,
  SCOPES,
  type Scope,
  TENANT_NAME,
  TENANT_NAME_LENGTH_MAX,
} from '@access-admin/domain';
import * as v from 'valibot';
import {
  closedObject,
  listOfAtMost,
  name,
  optionalWithin,
  recordId,
  reference,
  timestamp,
  UNIQUE_ITEMS,
} from '../validation/fields.ts';
import { requestSchema, responseSchema } from '../validation/named-schema.ts';
import { resourcePatch } from '../validation/patch.ts';
import { failsWith, illegal } from '../validation/validate.ts';

const REPEATED = illegal('must not repeat a scope');

const scopesAmong = <S extends string>(known: readonly S[]) =>
  v.pipe(
    listOfAtMost(
      v.picklist(
        known,
        illegal((input) => knownTextRule(known, input)),
      ),
      known.length,
      REPEATED,
    ),
    v.nonEmpty(failsWith('RequiredMissing', 'must not be empty')),
    v.check((names) => new Set(names).size === names.length, REPEATED),
    v.metadata(UNIQUE_ITEMS),
  );

/** Request that registers a client. */
export const newOauthClient = requestSchema(
  'CreateOAuthClientRequest',
  closedObject({
    name,
    scopes: scopesAmong(SCOPES),
    identityId: v.optional(v.nullable(reference), null),
    tenant: v.optional(
      v.nullable(
        v.pipe(v.string(), v.regex(TENANT_NAME, illegal(`must be 1 to ${TENANT_NAME_LENGTH_MAX} of a-z, 0-9 and -`))),
      ),
      null,
    ),
  }),
);

/** Patches of a client with these scopes. It may keep those of them that this version does not know. */
export const oauthClientPatch = (scopes: readonly string[]) =>
  resourcePatch(closedObject({ name, scopes: scopesAmong<string>([...new Set([...SCOPES, ...scopes])]) }), {
    name: 'required',
    scopes: 'required',
  });

/** Request for another secret of a client. */
export const secretRotation = requestSchema(
  'SecretRotation',
  closedObject({ overlapHours: optionalWithin(CLIENT_SECRET_OVERLAP_HOURS) }),
);

/** Request for a static token of a client, for one source. */
export const bearerTokenCreation = requestSchema(
  'CreateBearerTokenRequest',
  closedObject({ source: recordId, expiresDays: optionalWithin(BEARER_TOKEN_DAYS) }),
);

/** A static token of a client, without the token itself. */
export interface BearerToken {
  readonly id: string;
  /** The source whose SCIM routes it opens. */
  readonly source: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly expires: string;
}

/** A new static token, which no other response has. */
export interface NewBearerToken extends BearerToken {
  readonly token: string;
}

const bearerTokenEntries = {
  id: v.string(),
  source: v.string(),
  expires: timestamp,
};

const shownBearerToken = closedObject(bearerTokenEntries);

/** Response of the list of static tokens. */
export const bearerTokens = responseSchema<readonly BearerToken[]>()(v.array(shownBearerToken));

/** Response of the creation of a static token. */
export const newBearerToken = responseSchema<NewBearerToken>('NewBearerToken')(
  closedObject({ ...bearerTokenEntries, token: v.string() }),
);

/** A registered client of one tenant. */
export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The identity that it acts as; null for an application. */
  readonly identityId: string | null;
  readonly tenant: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly created: string;
  /** On the bootstrap client alone, which has every scope of the version that runs. */
  readonly bootstrap?: true;
  /** The hour in which it was used last, in ISO 8601; null before its first use. */
  readonly lastUsed?: string | null;
}

/** A client with a new secret, which no other response has. */
export interface OAuthClientWithSecret extends OAuthClient {
  readonly secret: string;
  /** Only for a new client whose creation also created its tenant. */
  readonly tenantCreated?: true;
}

const entries = {
  id: v.string(),
  name: v.string(),
  // Described as a string: clients of an earlier version may have a scope that later ones lack.
  // biome-ignore lint/plugin/type-assertion: Callers know the scopes of their version; the document has no list of them.
  scopes: v.array(v.string() as v.GenericSchema<string, Scope>),
  identityId: v.nullable(v.string()),
  tenant: v.string(),
  created: timestamp,
  bootstrap: v.exactOptional(v.literal(true)),
  lastUsed: v.exactOptional(v.nullable(timestamp)),
};

const TENANT_CREATED =
  'Always true. Present only where this request has brought the tenant into being: a mistyped name is seen by it.';

const client = closedObject(entries);

/** Response of the read of a client. */
export const oauthClient = responseSchema<OAuthClient>('OAuthClient')(client);

/** Response of the list of clients. */
export const oauthClients = responseSchema<readonly OAuthClient[]>()(v.array(client));

/** Response of the registration of a client, and of the rotation of its secret. */
export const oauthClientWithSecret = responseSchema<OAuthClientWithSecret>('OAuthClientWithSecret')(
  closedObject({
    ...entries,
    secret: v.string(),
    tenantCreated: v.exactOptional(v.pipe(v.literal(true), v.metadata({ description: TENANT_CREATED }))),
  }),
);
