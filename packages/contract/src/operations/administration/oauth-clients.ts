import { SMALL_BODY_BYTES_MAX } from '../../limits.ts';
import {
  newOauthClient,
  oauthClient,
  oauthClients,
  oauthClientWithSecret,
  secretRotation,
} from '../../schemas/administration/oauth-clients.ts';
import {
  defaults,
  jsonBody,
  jsonResponse,
  NO_CONTENT,
  type Operation,
  optionalJsonBody,
  patchBody,
} from '../definition.ts';

const group = 'OAuth Clients';

/** The operations on OAuth clients. */
export const OAUTH_CLIENT_OPERATIONS: readonly Operation[] = [
  {
    ...defaults,
    id: 'create-oauth-client-v1',
    method: 'POST',
    path: '/oauth-clients/v1',
    group,
    summary: 'Register a client; its secret is shown this once',
    body: jsonBody(newOauthClient, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(oauthClientWithSecret, 201),
  },
  {
    ...defaults,
    id: 'list-oauth-clients-v1',
    method: 'GET',
    path: '/oauth-clients/v1',
    group,
    summary: 'List of clients',
    response: jsonResponse(oauthClients),
    list: true,
  },
  {
    ...defaults,
    id: 'get-oauth-client-v1',
    method: 'GET',
    path: '/oauth-clients/v1/{id}',
    group,
    summary: 'One client',
    response: jsonResponse(oauthClient),
    etag: true,
    errorStatuses: [404],
  },
  {
    ...defaults,
    id: 'patch-oauth-client-v1',
    method: 'PATCH',
    path: '/oauth-clients/v1/{id}',
    group,
    summary: 'Change the name and the scopes of a client',
    body: patchBody,
    response: jsonResponse(oauthClient),
    etag: true,
    errorStatuses: [404, 409, 412],
  },
  {
    ...defaults,
    id: 'delete-oauth-client-v1',
    method: 'DELETE',
    path: '/oauth-clients/v1/{id}',
    group,
    summary: 'Delete a client; its tokens stop working',
    response: NO_CONTENT,
    etag: true,
    errorStatuses: [404, 409, 412],
  },
  {
    ...defaults,
    id: 'rotate-oauth-client-secret-v1',
    method: 'POST',
    path: '/oauth-clients/v1/{id}/rotate-secret',
    group,
    summary: 'Give a client another secret, shown this once; the old one stays valid for some hours',
    body: optionalJsonBody(secretRotation, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(oauthClientWithSecret),
    etag: true,
    errorStatuses: [404, 412],
  },
];
