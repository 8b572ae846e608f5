import { parseImportLines } from '../bodies/import-lines.ts';
import { IMPORT_BODY_BYTES_MAX } from '../limits.ts';
import { exportedRecord, importResult } from '../schemas/access-model.ts';
import { defaults, jsonResponse, ndjsonResponse, type Operation } from './definition.ts';

const group = 'Access Model';

/** The import and the export of the access model. */
export const ACCESS_MODEL_OPERATIONS: readonly Operation[] = [
  {
    ...defaults,
    id: 'import-access-model-v1',
    method: 'POST',
    path: '/access-model/v1/import',
    group,
    summary: 'Upsert and delete records of the access model, all or none',
    body: {
      mediaType: 'application/x-ndjson',
      bytesMax: IMPORT_BODY_BYTES_MAX,
      schema: null,
      parse: parseImportLines,
    },
    response: jsonResponse(importResult),
    errorStatuses: [409],
  },
  {
    ...defaults,
    id: 'export-access-model-v1',
    method: 'GET',
    path: '/access-model/v1/export',
    group,
    summary: 'All records of the access model, in an order in which they can be imported',
    response: ndjsonResponse(exportedRecord),
  },
];
