import * as v from 'valibot';
import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import { newOauthClient, oauthClient, oauthClientWithSecret } from '../schemas/oauth-clients.ts';
import { answer, json, type Operation, plain } from './definition.ts';

const group = 'OAuth Clients';

/** The operations on OAuth clients. */
export const OAUTH_CLIENT_OPERATIONS: readonly Operation[] = [
  {
    ...plain,
    id: 'create-oauth-client-v1',
    method: 'POST',
    path: '/oauth-clients/v1',
    group,
    summary: 'Register a client; its secret is shown this once',
    body: json(newOauthClient, SMALL_BODY_BYTES_MAX),
    answer: answer(oauthClientWithSecret, 201),
  },
  {
    ...plain,
    id: 'list-oauth-clients-v1',
    method: 'GET',
    path: '/oauth-clients/v1',
    group,
    summary: 'List of clients',
    answer: answer(v.array(oauthClient)),
    list: true,
  },
  {
    ...plain,
    id: 'get-oauth-client-v1',
    method: 'GET',
    path: '/oauth-clients/v1/{id}',
    group,
    summary: 'One client',
    answer: answer(oauthClient),
    refusals: [404],
  },
  {
    ...plain,
    id: 'delete-oauth-client-v1',
    method: 'DELETE',
    path: '/oauth-clients/v1/{id}',
    group,
    summary: 'Delete a client; its tokens stop working',
    answer: { status: 204, mediaType: null, schema: null },
    refusals: [404],
  },
];
