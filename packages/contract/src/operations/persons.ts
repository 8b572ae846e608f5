import type { OperationRights } from '@access-admin/domain';
import { personalRecord } from '../schemas/persons.ts';
import { defineOperation, ndjsonResponse } from './define-operation.ts';

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
    example: { path: { id: 'i-0001' }, varies: true },
  }),
} as const;
