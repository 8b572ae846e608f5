import type { OperationRights } from '@access-admin/domain';
import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import {
  ACCOUNT_FILTERS,
  account,
  accountIdentity,
  accounts,
  SOURCE_FILTERS,
  source,
  sourceFields,
  sourcePatch,
  sources,
} from '../schemas/sources.ts';
import { defineOperation, jsonBody, jsonResponse, NO_CONTENT, patchBody } from './define-operation.ts';
import { pathId } from './path-parameters.ts';

const group = 'Sources';

const rightsOn = (resource: 'SOURCE' | 'ACCOUNT') =>
  ({
    READ: { scopes: ['access-model:read', 'access-model:manage'], capabilities: ['ORG_ADMIN'], resource },
    MANAGE: { scopes: ['access-model:manage'], capabilities: ['ORG_ADMIN'], resource },
  }) as const satisfies Readonly<Record<string, OperationRights>>;

const { READ, MANAGE } = rightsOn('SOURCE');
const ACCOUNT_RIGHTS = rightsOn('ACCOUNT');

const ACCOUNT = { key: pathId('The `key` of the account.') };

/** The operations on sources and their accounts. */
export const SOURCES = {
  list: defineOperation({
    id: 'list-sources-v1',
    method: 'GET',
    path: '/sources/v1',
    group,
    summary: 'List of sources',
    description: 'Lists the systems that data of the tenant comes from.',
    rights: READ,
    list: true,
    filters: SOURCE_FILTERS,
    response: jsonResponse(sources),
  }),
  create: defineOperation({
    id: 'create-source-v1',
    method: 'POST',
    path: '/sources/v1',
    group,
    summary: 'Create a source',
    description:
      'Creates a source: a system that accounts come from. `correlation` has the rules by which an account finds its identity: the first one that exactly one identity meets, whatever the case and outer spaces. Accounts of an `authoritative` source make the identities that no rule finds, and keep their display names, email addresses and attributes. Without an `id` the service makes one. A tenant can have at most 100 sources (409).',
    rights: MANAGE,
    body: jsonBody(sourceFields, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(source, 201),
    errors: [409],
  }),
  get: defineOperation({
    id: 'get-source-v1',
    method: 'GET',
    path: '/sources/v1/{id}',
    group,
    summary: 'One source',
    description: 'Returns one source.',
    rights: READ,
    response: jsonResponse(source),
    errors: [404],
    etag: true,
  }),
  put: defineOperation({
    id: 'put-source-v1',
    method: 'PUT',
    path: '/sources/v1/{id}',
    group,
    summary: 'Replace a source',
    description:
      'Replaces a source as a whole; properties that are left out get their defaults. Other rules link all accounts of the source anew, except those that were linked by hand.',
    rights: MANAGE,
    body: jsonBody(sourceFields, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(source),
    errors: [404, 412],
    etag: true,
  }),
  patch: defineOperation({
    id: 'patch-source-v1',
    method: 'PATCH',
    path: '/sources/v1/{id}',
    group,
    summary: 'Change a source',
    description:
      'Changes a source by a JSON Patch (RFC 6902). `id`, `created`, `modified` and `lastLoad` cannot be changed.',
    rights: MANAGE,
    body: patchBody(sourcePatch.parse),
    response: jsonResponse(source),
    errors: [404, 409, 412],
    etag: true,
  }),
  delete: defineOperation({
    id: 'delete-source-v1',
    method: 'DELETE',
    path: '/sources/v1/{id}',
    group,
    summary: 'Delete a source with its accounts',
    description:
      'Deletes a source with its accounts, and takes what these grant from their identities. The identities that it has made stay.',
    rights: MANAGE,
    response: NO_CONTENT,
    errors: [404, 412],
    etag: true,
  }),
  listAccounts: defineOperation({
    id: 'list-accounts-v1',
    method: 'GET',
    path: '/accounts/v1',
    group,
    summary: 'List of accounts',
    description:
      'Lists the accounts of all sources, by key. `correlation` tells how an account came to its identity: by a `RULE`, `MANUAL` by hand, by none (`NONE`), or not, because a rule finds several (`AMBIGUOUS`). `identityId eq null` finds those that belong to nobody.',
    rights: ACCOUNT_RIGHTS.READ,
    list: true,
    filters: ACCOUNT_FILTERS,
    response: jsonResponse(accounts),
  }),
  getAccount: defineOperation({
    id: 'get-account-v1',
    method: 'GET',
    path: '/accounts/v1/{key}',
    params: ACCOUNT,
    group,
    summary: 'One account',
    description: 'Returns one account by its key.',
    rights: ACCOUNT_RIGHTS.READ,
    response: jsonResponse(account),
    errors: [404],
    etag: true,
  }),
  linkAccount: defineOperation({
    id: 'put-account-identity-v1',
    method: 'PUT',
    path: '/accounts/v1/{key}/identity',
    params: ACCOUNT,
    group,
    summary: 'Give an account its identity by hand',
    description:
      'Links an account to an identity by hand, or to none (`null`). Loads and imports that say nothing of it keep that, until the identity is deleted.',
    rights: ACCOUNT_RIGHTS.MANAGE,
    body: jsonBody(accountIdentity, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(account),
    errors: [404, 412],
    etag: true,
  }),
};
