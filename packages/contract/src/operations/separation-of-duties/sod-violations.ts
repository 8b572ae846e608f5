import { SOD_INCLUDES } from '@access-admin/domain';
import { parseBatchLines } from '../../bodies/batch-lines.ts';
import { BATCH_BODY_BYTES_MAX, SOD_BODY_BYTES_MAX } from '../../limits.ts';
import { identityWithNewAccess } from '../../new-access/schema.ts';
import {
  batchResult,
  sodCheck,
  sodReceiptText,
  sodViolationCheck,
  violationPrediction,
} from '../../schemas/sod-violations.ts';
import { defaults, joseResponse, jsonBody, jsonResponse, ndjsonResponse, type Operation } from '../definition.ts';

const group = 'SOD Violations';

/** The operations that predict and check violations of SOD policies. */
export const SOD_VIOLATION_OPERATIONS: readonly Operation[] = [
  {
    ...defaults,
    id: 'start-predict-sod-violations-v1',
    method: 'POST',
    path: '/sod-violations/v1/predict',
    group,
    summary: 'Violations that granting access items to an identity would cause',
    body: jsonBody(identityWithNewAccess, SOD_BODY_BYTES_MAX),
    response: jsonResponse(violationPrediction),
    includes: SOD_INCLUDES,
    errorStatuses: [404],
  },
  {
    ...defaults,
    id: 'start-predict-sod-violations-batch-v1',
    method: 'POST',
    path: '/sod-violations/v1/predict/batch',
    group,
    summary: 'Predictions for up to 1,000 requests, one a line; each is answered as if it were alone',
    body: {
      mediaType: 'application/x-ndjson',
      bytesMax: BATCH_BODY_BYTES_MAX,
      schema: identityWithNewAccess,
      parse: parseBatchLines,
    },
    response: ndjsonResponse(batchResult),
    includes: SOD_INCLUDES,
  },
  {
    ...defaults,
    id: 'start-violation-check-v1',
    method: 'POST',
    path: '/sod-violations/v1/check',
    group,
    summary: 'Start an asynchronous verification for an identity with new access',
    body: jsonBody(identityWithNewAccess, SOD_BODY_BYTES_MAX),
    response: jsonResponse(sodViolationCheck, 202),
    includes: SOD_INCLUDES,
    idempotencyKey: true,
    errorStatuses: [404],
  },
  {
    ...defaults,
    id: 'get-violation-check-v1',
    method: 'GET',
    path: '/sod-violations/v1/check/{requestId}',
    group,
    summary: 'State and result of a verification; `Prefer: wait=N` holds the answer until it is done',
    response: jsonResponse(sodCheck),
    errorStatuses: [404],
  },
  {
    ...defaults,
    id: 'get-violation-check-receipt-v1',
    method: 'GET',
    path: '/sod-violations/v1/check/{requestId}/receipt',
    group,
    summary: 'Signed receipt of a verification, which anyone with the public keys can verify offline',
    response: joseResponse(sodReceiptText),
    errorStatuses: [404, 409],
  },
];
