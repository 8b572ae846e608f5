import { type AccessAdminClient, createClient, type OAuthClient, TokenError } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';

/** A client that may administer clients, which sessions of people may not. */
export interface ClientAccess {
  readonly clientId: string;
  readonly api: AccessAdminClient;
  /** The scopes that it can give to others. */
  readonly scopes: OAuthClient['scopes'];
}

/** Without the session's cookie, and without the browser's own dialog after a refused secret. */
const fetchAsClient: typeof fetch = (input, init) => fetch(input, { ...init, credentials: 'omit' });

const createApi = (clientId: string, clientSecret: string): AccessAdminClient =>
  createClient({ baseAddress: location.origin, clientId, clientSecret, retries: 2, fetch: fetchAsClient });

/** Signs in as a client and proves that it may administer clients. Its secret is in memory only. */
export async function openClientAccess(clientId: string, clientSecret: string): Promise<ClientAccess> {
  const api = createApi(clientId, clientSecret);
  const { scopes } = await api.oauthClients.get(clientId);
  return { clientId, api, scopes };
}

/** The access of a client whose secret has been rotated: with the new secret. */
export const withSecret = (access: ClientAccess, clientSecret: string): ClientAccess => ({
  ...access,
  api: createApi(access.clientId, clientSecret),
});

/** Whether the service does not accept the id and the secret. */
export const isWrongSecret = (error: unknown): boolean =>
  error instanceof TokenError && error.code === 'invalid_client';

/** All clients of the tenant. */
export const clientsQuery = ({ api, clientId }: ClientAccess) =>
  queryOptions({
    queryKey: ['settings', 'clients', clientId],
    queryFn: ({ signal }) => Array.fromAsync(api.oauthClients.list({ signal })),
  });

/** One client with its version. */
export const clientQuery = (access: ClientAccess, id: string) =>
  queryOptions({
    queryKey: [...clientsQuery(access).queryKey, id],
    queryFn: ({ signal }) => access.api.oauthClients.get(id, { signal }).withETag(),
  });
