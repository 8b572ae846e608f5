import type { AccessAdminClient, OAuthClient, Scope } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';
import { keysOf } from '../keys-of.ts';

/** The scopes that a person can give to a program: all but those of other tenants. */
const KNOWN_SCOPES: Readonly<Record<Exclude<Scope, 'tenants:manage'>, true>> = {
  'access-model:manage': true,
  'access-model:read': true,
  'audit-events:read': true,
  'auth-org:manage': true,
  'auth-org:read': true,
  'auth-profiles:manage': true,
  'auth-profiles:read': true,
  'auth-users:manage': true,
  'auth-users:read': true,
  'authzen:evaluate': true,
  'events:read': true,
  'oauth-clients:manage': true,
  'scim:manage': true,
  'sessions:manage': true,
  'sessions:read': true,
  'sod-exceptions:manage': true,
  'sod-exceptions:read': true,
  'sod-policies:manage': true,
  'sod-policies:read': true,
  'sod-violations:manage': true,
  'sod-violations:read': true,
  'ui-metadata:manage': true,
  'ui-metadata:read': true,
  'webhooks:manage': true,
};

const isRead = (scope: Scope): boolean => scope.endsWith(':read');

/** The scopes that a person can give to a client that acts as this identity: more than reading only to one that acts as the person. */
export const offeredScopes = (identityId: string | null, me: string): readonly Scope[] =>
  keysOf(KNOWN_SCOPES).filter((scope) => identityId === me || isRead(scope));

/** Whether the session of a person may change a client. */
export const mayAdminister = (
  { identityId, scopes }: Pick<OAuthClient, 'identityId' | 'scopes'>,
  me: string,
): boolean => identityId === me || scopes.every(isRead);

/** All clients of the tenant. */
export const clientsQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['settings', 'clients'],
    queryFn: ({ signal }) => Array.fromAsync(api.oauthClients.list({ signal })),
  });

/** One client with its version. */
export const clientQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: [...clientsQuery(api).queryKey, id],
    queryFn: ({ signal }) => api.oauthClients.get(id, { signal }).withETag(),
  });
