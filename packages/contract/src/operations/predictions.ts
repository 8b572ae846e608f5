import { type OperationRights, SOD_INCLUDES } from '@access-admin/domain';
import { parseBatchLines } from '../bodies/batch-lines.ts';
import { BATCH_BODY_BYTES_MAX, SOD_BODY_BYTES_MAX } from '../limits.ts';
import { batchResult, identityWithNewAccess, violationPrediction } from '../schemas/predictions.ts';
import { defineOperation, jsonBody, jsonResponse, linesBody, ndjsonResponse } from './define-operation.ts';

const group = 'SOD Violations';

const PREDICT: OperationRights = {
  scopes: ['sod-violations:read', 'sod-violations:manage'],
  capabilities: ['ORG_ADMIN', 'POLICY_ADMIN'],
  resource: 'SOD_VIOLATION',
};

/** The operations that predict violations of SOD policies. */
export const PREDICTIONS = {
  predict: defineOperation({
    id: 'start-predict-sod-violations-v1',
    method: 'POST',
    path: '/sod-violations/v1/predict',
    group,
    summary: 'Violations that granting access items to an identity would cause',
    description:
      'Says at once which SOD policies an identity would violate if it were granted the given access, before the access is granted. The answer contains the violations to which the new access contributes; `preexisting` is true where the identity already violates the policy. Nothing is stored.',
    rights: PREDICT,
    includes: SOD_INCLUDES,
    body: jsonBody(identityWithNewAccess, SOD_BODY_BYTES_MAX),
    response: jsonResponse(violationPrediction),
    errors: [404],
    hasNoEffect: true,
  }),
  predictBatch: defineOperation({
    id: 'start-predict-sod-violations-batch-v1',
    method: 'POST',
    path: '/sod-violations/v1/predict/batch',
    group,
    summary: 'Predictions for up to 1,000 requests, one a line; each is answered as if it were alone',
    description:
      'Predicts for many requests in one call. The body has one request of predict a line (NDJSON); the answer has one line for each, in the same order, with the status and body that a single call would get.',
    rights: PREDICT,
    includes: SOD_INCLUDES,
    body: linesBody({ schema: identityWithNewAccess, bytesMax: BATCH_BODY_BYTES_MAX, parse: parseBatchLines }),
    response: ndjsonResponse(batchResult),
    keepsBody: true,
    hasNoEffect: true,
  }),
} as const;
