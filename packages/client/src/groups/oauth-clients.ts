import type { OAuthClient, OAuthClientWithSecret, Scope } from '@access-admin/contract';
import { iterateItems, type Page, type PageOptions, readPage } from '../http/list.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import { resourcePath } from '../http/url.ts';

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

/** The clients that may call the service. */
export interface OAuthClients {
  /** Registers a client. Never repeated after an unknown outcome. */
  create(client: NewOAuthClient, options?: CallOptions): Promise<OAuthClientWithSecret>;
  /** Iterates over all clients, a page at a time. */
  list(options?: CallOptions): AsyncIterable<OAuthClient>;
  /** Reads one page of the list. */
  page(options?: PageOptions): Promise<Page<OAuthClient>>;
  /** Reads a client by its id. */
  get(id: string, options?: CallOptions): Promise<OAuthClient>;
  /** Deletes a client; its tokens stop working within a second. */
  delete(id: string, options?: CallOptions): Promise<void>;
}

/** Builds the operations on clients. */
export function createOAuthClients(transport: Transport): OAuthClients {
  const group = '/oauth-clients/v1';
  const page: OAuthClients['page'] = (options) => readPage(transport, { path: group }, options);
  return {
    async create(client, options) {
      const body = { type: 'application/json', text: JSON.stringify(client) };
      return (await transport.call<OAuthClientWithSecret>({ method: 'POST', path: group, body, options })).value;
    },
    list: (options) => iterateItems((part) => page({ ...options, ...part })),
    page,
    async get(id, options) {
      return (await transport.call<OAuthClient>({ method: 'GET', path: resourcePath(group, id), options })).value;
    },
    async delete(id, options) {
      await transport.remove({ path: resourcePath(group, id), options });
    },
  };
}
