import { RIGHTS_TO_READ } from '@access-admin/domain';
import { parseImportLines } from '../bodies/import-lines.ts';
import { IMPORT_BODY_BYTES_MAX } from '../limits.ts';
import { parsePolicySetVersion } from '../query/parameters.ts';
import type { QueryParameter } from '../query/parse-query.ts';
import { accessModelRecord, exportedRecord, importResult } from '../schemas/access-model.ts';
import { defineOperation, jsonResponse, linesBody, ndjsonResponse } from './define-operation.ts';

const group = 'Access Model';

/** The import and the export of the access model. */
export const ACCESS_MODEL = {
  import: defineOperation({
    id: 'import-access-model-v1',
    method: 'POST',
    path: '/access-model/v1/import',
    group,
    summary: 'Upsert and delete records of the access model, all or none',
    description:
      'Creates, replaces and deletes records of the access model: entitlements, access profiles, roles, identity profiles, sources, identities, accounts, SOD policies, controls, UI metadata, branding and the settings of sign-in. The body has one record a line (NDJSON); `"delete": true` deletes the record with that kind and id. All lines take effect, or none does and the causes name the lines. A caller that acts as an identity changes neither `uid` nor `identityProfile` of itself, or of an identity with a capability that it lacks (403). Another `uid` ends the sessions, links and pending sign-ins of an identity.',
    rights: { scopes: ['access-model:manage'], capabilities: ['ORG_ADMIN'], resource: 'ACCESS_MODEL' },
    body: linesBody({ schema: accessModelRecord, bytesMax: IMPORT_BODY_BYTES_MAX, parse: parseImportLines }),
    query: {
      ifPolicySetVersion: {
        description:
          'The policy-set version that the import is made for. If the present one is another, the answer is 412 and nothing changes.',
        parse: parsePolicySetVersion,
      } satisfies QueryParameter<number | null>,
    },
    response: jsonResponse(importResult),
    errors: [409, 412],
    keepsBody: true,
  }),
  export: defineOperation({
    id: 'export-access-model-v1',
    method: 'GET',
    path: '/access-model/v1/export',
    group,
    summary: 'All records of the access model, in an order in which they can be imported',
    description:
      'Returns all records of the access model, one a line (NDJSON), in an order in which they can be imported into another tenant.',
    rights: RIGHTS_TO_READ.ACCESS_MODEL,
    response: ndjsonResponse(exportedRecord),
  }),
} as const;
