import type {
  BearerToken,
  NewBearerToken,
  OAuthClient,
  OAuthClientWithSecret,
  oauthClientPatch,
  Scope,
} from '@access-admin/contract';
import { jsonBody } from '../../http/json-body.ts';
import type { PatchOf } from '../../http/json-patch.ts';
import { iterateItems, type Page, type PageOptions, readPage } from '../../http/list.ts';
import { getResource, ifMatchHeader, patchResource, type WriteOptions } from '../../http/resource.ts';
import { createResourceCall, type ResourceCall } from '../../http/resource-call.ts';
import type { CallOptions, Transport } from '../../http/transport.ts';
import { resourcePath } from '../../http/url.ts';

/** A client to register. */
export interface NewOAuthClient {
  readonly name: string;
  /** Scopes that the caller has itself. */
  readonly scopes: readonly Scope[];
  /** Makes the client act as this identity. */
  readonly identityId?: string | null;
  /** Another tenant than the caller's own, which is created if needed; requires the scope `tenants:manage`. */
  readonly tenant?: string;
}

/** How a secret is rotated. */
export interface SecretRotation {
  /** For how many hours the old secret and its tokens still work: 0 to 168, 24 if left out. */
  readonly overlapHours?: number;
}

/** A static token to create. */
export interface BearerTokenCreation {
  /** The source whose SCIM routes it opens. */
  readonly source: string;
  /** After how many days it expires: 1 to 366, 180 if left out. */
  readonly expiresDays?: number;
}

/** The clients that may call the service. */
export interface OAuthClients {
  /** Registers a client. Never repeated after an unknown outcome. */
  create(client: NewOAuthClient, options?: CallOptions): Promise<OAuthClientWithSecret>;
  /** Iterates over all clients, a page at a time. */
  list(options?: CallOptions): AsyncIterable<OAuthClient>;
  /** Reads one page of the list. */
  page(options?: PageOptions): Promise<Page<OAuthClient>>;
  /** Reads a client by its id. */
  get(id: string, options?: CallOptions): ResourceCall<OAuthClient>;
  /**
   * Changes `name` and `scopes`, all operations or none. The caller must have each scope that is added, and each that the client had; tokens lose
   * a scope that is removed within a second. After an unknown outcome it is repeated only with `ifMatch`.
   */
  patch(
    id: string,
    operations: PatchOf<ReturnType<typeof oauthClientPatch>>,
    options?: WriteOptions,
  ): ResourceCall<OAuthClient>;
  /**
   * Deletes a client; its tokens stop working within a second. Rejects with a `ConflictError` for the last one that can
   * administer clients, and for the last application that holds one of its scopes.
   */
  delete(id: string, options?: WriteOptions): Promise<void>;
  /**
   * Gives a client another secret, which the answer alone has. At most two secrets of a client are valid. The caller must have
   * each scope of the client. Not repeated after an unknown outcome.
   */
  rotateSecret(id: string, rotation?: SecretRotation, options?: WriteOptions): ResourceCall<OAuthClientWithSecret>;
  /**
   * Gives a client a static token for the SCIM routes of one source, which the answer alone has. At most two of a client and source
   * are valid. Never repeated after an unknown outcome.
   */
  createBearerToken(id: string, creation: BearerTokenCreation, options?: CallOptions): Promise<NewBearerToken>;
  /** Iterates over the valid static tokens of a client, a page at a time. */
  bearerTokens(id: string, options?: CallOptions): AsyncIterable<BearerToken>;
  /** Reads one page of the static tokens of a client. */
  bearerTokensPage(id: string, options?: PageOptions): Promise<Page<BearerToken>>;
  /** Ends a static token at once. */
  deleteBearerToken(id: string, tokenId: string, options?: CallOptions): Promise<void>;
}

/** Builds the operations on clients. */
export function createOAuthClients(transport: Transport): OAuthClients {
  const group = '/oauth-clients/v1';
  const at = (id: string) => ({ group, id, experimental: false });
  const page: OAuthClients['page'] = (options) => readPage(transport, { path: group }, options);
  const tokensOf = (id: string) => `${resourcePath(group, id)}/bearer-tokens`;
  const bearerTokensPage: OAuthClients['bearerTokensPage'] = (id, options) =>
    readPage(transport, { path: tokensOf(id) }, options);
  return {
    async create(client, options) {
      const body = jsonBody(client);
      return (await transport.call<OAuthClientWithSecret>({ method: 'POST', path: group, body, options })).value;
    },
    list: (options) => iterateItems((part) => page({ ...options, ...part })),
    page,
    get: (id, options) => getResource(transport, at(id), options),
    patch: (id, operations, options) => patchResource(transport, at(id), { operations, options }),
    async delete(id, options) {
      await transport.remove({ path: resourcePath(group, id), headers: ifMatchHeader(options), options });
    },
    rotateSecret: (id, rotation = {}, options) => {
      const send = async () =>
        transport.call<OAuthClientWithSecret>({
          method: 'POST',
          path: `${resourcePath(group, id)}/rotate-secret`,
          headers: ifMatchHeader(options),
          body: jsonBody(rotation),
          options,
        });
      return createResourceCall(send());
    },
    async createBearerToken(id, creation, options) {
      const body = jsonBody(creation);
      return (await transport.call<NewBearerToken>({ method: 'POST', path: tokensOf(id), body, options })).value;
    },
    bearerTokens: (id, options) => iterateItems((part) => bearerTokensPage(id, { ...options, ...part })),
    bearerTokensPage,
    async deleteBearerToken(id, tokenId, options) {
      await transport.remove({ path: resourcePath(tokensOf(id), tokenId), options });
    },
  };
}
