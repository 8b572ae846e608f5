import { type OperationRights, parseRecordPatch, type SingleKind } from '@access-admin/domain';
import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import { changedRecords, newRecords } from '../schemas/access-model.ts';
import { accessProfile, entitlement, identity, identityProfile, role } from '../schemas/look-ups.ts';
import type { ResponseSchema } from '../validation/named-schema.ts';
import { defineOperation, jsonBody, jsonResponse, NO_CONTENT, patchBody } from './define-operation.ts';

const group = 'Look-ups';

const rightsOf = (resource: OperationRights['resource']): OperationRights => ({
  scopes: ['access-model:manage'],
  capabilities: ['ORG_ADMIN'],
  resource,
});

interface SingleRecord<N extends string, P extends string, K extends SingleKind, R> {
  /** Its name in ids of operations. */
  readonly name: N;
  readonly path: P;
  readonly kind: K;
  readonly resource: OperationRights['resource'];
  /** In texts, with its article. */
  readonly text: string;
  readonly response: ResponseSchema<R>;
}

const LIKE_AN_IMPORT = 'Its rules, refusals and events are those of an import of this record.';

/** The operations that change one record of a kind. */
const changesOf = <const N extends string, const P extends string, K extends SingleKind, R>({
  name,
  path,
  kind,
  resource,
  text,
  response,
}: SingleRecord<N, P, K, R>) =>
  ({
    create: defineOperation({
      id: `create-${name}-v1`,
      method: 'POST',
      path,
      group,
      summary: `Create ${text}`,
      description: `Creates ${text}: the record of an import without \`kind\`. ${LIKE_AN_IMPORT}`,
      rights: rightsOf(resource),
      body: jsonBody(newRecords[kind], SMALL_BODY_BYTES_MAX),
      response: jsonResponse(response, 201),
      errors: [409],
    }),
    put: defineOperation({
      id: `put-${name}-v1`,
      method: 'PUT',
      path: `${path}/{id}`,
      group,
      summary: `Replace ${text}`,
      description: `Replaces ${text}, as an import of the whole record does. ${LIKE_AN_IMPORT}`,
      rights: rightsOf(resource),
      body: jsonBody(changedRecords[kind], SMALL_BODY_BYTES_MAX),
      response: jsonResponse(response),
      errors: [404, 409, 412],
      etag: true,
    }),
    patch: defineOperation({
      id: `patch-${name}-v1`,
      method: 'PATCH',
      path: `${path}/{id}`,
      group,
      summary: `Change ${text}`,
      description: `Changes ${text} by a JSON Patch (RFC 6902) of its record without \`kind\` and \`id\`. ${LIKE_AN_IMPORT}`,
      rights: rightsOf(resource),
      body: patchBody(parseRecordPatch(kind)),
      response: jsonResponse(response),
      errors: [404, 409, 412],
      etag: true,
    }),
    delete: defineOperation({
      id: `delete-${name}-v1`,
      method: 'DELETE',
      path: `${path}/{id}`,
      group,
      summary: `Delete ${text}`,
      description: `Deletes ${text}. ${LIKE_AN_IMPORT}`,
      rights: rightsOf(resource),
      response: NO_CONTENT,
      errors: [404, 409, 412],
      etag: true,
    }),
  }) as const;

/** The operations that change one record of the access model. */
export const RECORDS = {
  identity: changesOf({
    name: 'identity',
    path: '/identities/v1',
    kind: 'identity',
    resource: 'IDENTITY',
    text: 'an identity',
    response: identity,
  }),
  entitlement: changesOf({
    name: 'entitlement',
    path: '/entitlements/v1',
    kind: 'entitlement',
    resource: 'ENTITLEMENT',
    text: 'an entitlement',
    response: entitlement,
  }),
  accessProfile: changesOf({
    name: 'access-profile',
    path: '/access-profiles/v1',
    kind: 'accessProfile',
    resource: 'ACCESS_PROFILE',
    text: 'an access profile',
    response: accessProfile,
  }),
  role: changesOf({
    name: 'role',
    path: '/roles/v1',
    kind: 'role',
    resource: 'ROLE',
    text: 'a role',
    response: role,
  }),
  identityProfile: changesOf({
    name: 'identity-profile',
    path: '/identity-profiles/v1',
    kind: 'identityProfile',
    resource: 'AUTH_PROFILE',
    text: 'an identity profile',
    response: identityProfile,
  }),
} as const;
