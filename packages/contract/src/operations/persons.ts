import { IDENTITY_CONFIRMATION, type OperationRights } from '@access-admin/domain';
import { personalRecord, personErasure } from '../schemas/persons.ts';
import { defineOperation, jsonResponse, ndjsonResponse } from './define-operation.ts';

const group = 'Look-ups';

const MANAGE: OperationRights = {
  scopes: ['access-model:manage'],
  capabilities: ['ORG_ADMIN'],
  resource: 'IDENTITY',
};

/** The rights of people over what is kept of them. */
export const PERSONS = {
  export: defineOperation({
    id: 'export-personal-data-v1',
    method: 'GET',
    path: '/identities/v1/{id}/personal-data',
    group,
    summary: 'All that names a person, one record a line',
    description:
      'Returns all that names a person, also after the deletion of the identity, one record a line (NDJSON): `kind` tells what it is. Secrets, such as hashes of passwords, are left out.',
    rights: MANAGE,
    response: ndjsonResponse(personalRecord),
    errors: [404],
  }),
  erase: defineOperation({
    id: 'erase-identity-v1',
    method: 'POST',
    path: '/identities/v1/{id}/erasure',
    group,
    summary: 'Replace the texts of a deleted identity by a pseudonym; this cannot be undone',
    description:
      'Has the id, the names and the attributes of a deleted identity replaced by a pseudonym: in events, ended violations, reports, completed checks and the audit log. Workers do so within minutes. An audit event that was changed has `erased` with the SHA-256 of what stood there, and a later event of this operation attests it, by which the log is verified. An identity that exists, and a pseudonym, are 409, an id that nothing names 404. Repeating the request has the same answer.',
    rights: MANAGE,
    confirmation: IDENTITY_CONFIRMATION,
    response: jsonResponse(personErasure, 202),
    errors: [400, 404, 409],
  }),
} as const;
