import { type OperationRights, RIGHTS_TO_READ } from '@access-admin/domain';
import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import {
  bearerTokenCreation,
  bearerTokens,
  newBearerToken,
  newOauthClient,
  oauthClient,
  oauthClientPatch,
  oauthClients,
  oauthClientWithSecret,
  secretRotation,
} from '../schemas/clients.ts';
import {
  defineOperation,
  jsonBody,
  jsonResponse,
  NO_CONTENT,
  optionalJsonBody,
  patchBody,
} from './define-operation.ts';
import { pathId } from './path-parameters.ts';

const group = 'OAuth Clients';

const READ = RIGHTS_TO_READ.OAUTH_CLIENT;
const CHANGE: OperationRights = { ...READ, freshProof: true };

/** The operations on OAuth clients. */
export const CLIENTS = {
  create: defineOperation({
    id: 'create-oauth-client-v1',
    method: 'POST',
    path: '/oauth-clients/v1',
    group,
    summary: 'Register a client; its secret is shown this once',
    description:
      'Registers a program that may call this service. Without `identityId` it is an application, for which its scopes alone decide; with `identityId` it acts as that identity, whose capabilities must allow the call, too. No client can give a scope that it lacks, and none that acts as an identity makes a client for an identity with a capability that it lacks (403). A session makes only clients that act as its own identity or have scopes to read alone, after a factor was proven again within five minutes (403 with a cause that says so); the clients that it makes, and those that they make, have the same limit. `tenant` names another tenant and brings it into being where there is none; the answer then has `tenantCreated`. A client that acts as an identity is refused (401) while that identity has a capability that the maker of its secret lacked, and is deleted with the identity. The secret is in this answer only.',
    rights: CHANGE,
    body: jsonBody(newOauthClient, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(oauthClientWithSecret, 201),
  }),
  list: defineOperation({
    id: 'list-oauth-clients-v1',
    method: 'GET',
    path: '/oauth-clients/v1',
    group,
    summary: 'List of clients',
    description: 'Lists the clients of the tenant, without their secrets.',
    rights: READ,
    list: true,
    response: jsonResponse(oauthClients),
  }),
  get: defineOperation({
    id: 'get-oauth-client-v1',
    method: 'GET',
    path: '/oauth-clients/v1/{id}',
    group,
    summary: 'One client',
    description:
      'Returns one client, without its secret. `bootstrap` marks the bootstrap client, which has every scope of the version that runs; other clients do not have this property. `lastUsed` is the hour in which a token of the client was used last, null before its first use.',
    rights: READ,
    response: jsonResponse(oauthClient),
    errors: [404],
    etag: true,
  }),
  patch: defineOperation({
    id: 'patch-oauth-client-v1',
    method: 'PATCH',
    path: '/oauth-clients/v1/{id}',
    group,
    summary: 'Change the name and the scopes of a client',
    description:
      'Changes the name or the scopes of a client by a JSON Patch (RFC 6902). No client can give a scope that it lacks, nor change a client that has one (403); a scope that is taken away no longer counts, in tokens already issued either. The last application of the tenant that holds a scope cannot lose it.',
    rights: CHANGE,
    body: patchBody(oauthClientPatch([]).parse),
    response: jsonResponse(oauthClient),
    errors: [404, 409, 412],
    etag: true,
  }),
  delete: defineOperation({
    id: 'delete-oauth-client-v1',
    method: 'DELETE',
    path: '/oauth-clients/v1/{id}',
    group,
    summary: 'Delete a client; its tokens stop working',
    description:
      'Deletes a client. Its tokens stop working within a second. The last client that can administer the clients of the tenant cannot be deleted, nor the last application that holds one of its scopes.',
    rights: CHANGE,
    response: NO_CONTENT,
    errors: [404, 409, 412],
    etag: true,
  }),
  rotateSecret: defineOperation({
    id: 'rotate-oauth-client-secret-v1',
    method: 'POST',
    path: '/oauth-clients/v1/{id}/rotate-secret',
    group,
    summary: 'Give a client another secret, shown this once; the old one stays valid for some hours',
    description:
      'Gives a client another secret and returns it, this once. From then on the client is refused (401) while its identity has a capability that whoever rotated the secret lacked. The old secret and its tokens work for `overlapHours` more (24 if left out); with 0 they end within a second. At most two secrets are valid: another rotation within this time ends the oldest at once. 403 where the client has a scope that the caller lacks. Rotating the secret of a client that acts as an identity ties the two identities as making the client does: for 24 hours neither approves an exception that the other requested, or that is about the other.',
    rights: CHANGE,
    body: optionalJsonBody(secretRotation, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(oauthClientWithSecret),
    errors: [404, 412],
    etag: true,
  }),
  createBearerToken: defineOperation({
    id: 'create-bearer-token-v1',
    method: 'POST',
    path: '/oauth-clients/v1/{id}/bearer-tokens',
    group,
    summary: 'Give a client a static token for the SCIM routes of one source, shown this once',
    description:
      'Makes a static bearer token for a directory that cannot fetch access tokens, and returns it, this once. It opens the routes under `/scim/v2/{source}` of its source and nothing else, with the scope `scim:manage` of its client, until it expires after `expiresDays` (180 if left out), is deleted, or its client or its source is. At most two tokens of a client for one source are valid (409). 403 where the client has a scope that the caller lacks.',
    rights: CHANGE,
    body: jsonBody(bearerTokenCreation, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(newBearerToken, 201),
    errors: [404, 409],
  }),
  listBearerTokens: defineOperation({
    id: 'list-bearer-tokens-v1',
    method: 'GET',
    path: '/oauth-clients/v1/{id}/bearer-tokens',
    group,
    summary: 'List of the static tokens of a client',
    description: 'Lists the valid static tokens of a client, without the tokens themselves.',
    rights: READ,
    list: true,
    response: jsonResponse(bearerTokens),
    errors: [404],
  }),
  deleteBearerToken: defineOperation({
    id: 'delete-bearer-token-v1',
    method: 'DELETE',
    path: '/oauth-clients/v1/{id}/bearer-tokens/{tokenId}',
    params: { tokenId: pathId('The id of the token.') },
    group,
    summary: 'End a static token of a client',
    description: 'Ends a static token at once. 403 where the client has a scope that the caller lacks.',
    rights: CHANGE,
    response: NO_CONTENT,
    errors: [404],
  }),
} as const;
