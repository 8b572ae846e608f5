import {
  ACCESS_TYPES,
  type Basis,
  CHECK_CONTEXTS_MAX,
  CHECK_RESULT_BYTES_MAX,
  SOD_POLICY_LEVELS,
  type SodCheck,
  type ViolationPrediction,
} from '@access-admin/domain';
import * as v from 'valibot';
import { type ErrorResponse, errorBody } from '../validation/error-response.ts';
import { closedObject } from '../validation/fields.ts';
import { responseSchema } from '../validation/response-schema.ts';

const accessPath = closedObject({
  source: v.picklist(['ASSIGNED', 'REQUESTED']),
  path: v.array(closedObject({ type: v.picklist(ACCESS_TYPES), id: v.string(), name: v.string() })),
});
const violationItem = closedObject({
  type: v.literal('ENTITLEMENT'),
  id: v.string(),
  name: v.string(),
  existing: v.boolean(),
  // Only with `include=via`.
  via: v.exactOptional(v.array(accessPath)),
  viaMore: v.exactOptional(v.number()),
});
const violationSide = closedObject({ criteriaList: v.array(violationItem) });
const namedViolationSide = closedObject({ name: v.nullable(v.string()), criteriaList: v.array(violationItem) });
const policyRef = closedObject({ type: v.literal('SOD_POLICY'), id: v.string(), name: v.string() });

/** The sides of the policy that the identity is or would be on, two-sided or k-of-n; of critical access the only side. */
export const conflict = v.union([
  closedObject({ leftCriteria: violationSide, rightCriteria: violationSide }),
  closedObject({ criteria: v.array(namedViolationSide), atLeast: v.number() }),
]);

/** The exception that covers a violation. */
export const coveringException = closedObject({ id: v.string(), end: v.pipe(v.string(), v.isoTimestamp()) });

/** One violation of a prediction or a check. */
export const violationContext = closedObject({
  policy: closedObject({ ...policyRef.entries, level: v.picklist(SOD_POLICY_LEVELS) }),
  preexisting: v.boolean(),
  conflictingAccessCriteria: conflict,
  // Only with `include=via`.
  correctionAdvice: v.exactOptional(v.nullable(v.string())),
  compensatingControls: v.exactOptional(v.nullable(v.string())),
  // Where an approved exception covers the violation.
  exception: v.exactOptional(coveringException),
});

const basis = { policySetVersion: v.number(), asOf: v.pipe(v.string(), v.isoTimestamp()) };

const accessRefs = v.array(closedObject({ type: v.picklist(ACCESS_TYPES), id: v.string() }));
const remediation = closedObject({
  drop: closedObject({ accessRefs, optimal: v.boolean() }),
  revoke: v.nullable(closedObject({ assignments: accessRefs, optimal: v.boolean() })),
});

const prediction = closedObject({
  violationContexts: v.array(violationContext),
  // Only with `include=remediation`.
  remediation: v.exactOptional(remediation),
  ...basis,
});

/** Response of predict. */
export const violationPrediction = responseSchema<ViolationPrediction & Basis>()(prediction);

/** The result of one request of a batch; `index` counts the requests from 0. */
export type BatchResult = { readonly index: number } & (
  | { readonly status: 200; readonly body: ViolationPrediction & Basis }
  | { readonly status: 400 | 404 | 413 | 503; readonly body: ErrorResponse }
);

/** One line of the response of a batch of predictions. */
export const batchResult = responseSchema<BatchResult>()(
  v.variant('status', [
    closedObject({ index: v.number(), status: v.literal(200), body: prediction }),
    closedObject({ index: v.number(), status: v.picklist([400, 404, 413, 503]), body: errorBody }),
  ]),
);

/** A check that is durably accepted. */
export type SodViolationCheck = Pick<SodCheck, 'requestId' | 'created'>;

/** Response of check. */
export const sodViolationCheck = responseSchema<SodViolationCheck>()(
  closedObject({ requestId: v.string(), created: v.pipe(v.string(), v.isoTimestamp()) }),
);

const VIOLATION_COUNT = 'The number of all violations, those left out included.';
const OMITTED = `The violations that the result leaves out: it has at most ${CHECK_CONTEXTS_MAX} contexts and ${CHECK_RESULT_BYTES_MAX} bytes.`;

/** Response of the read of a check. */
export const sodCheck = responseSchema<SodCheck>()(
  closedObject({
    requestId: v.string(),
    created: v.pipe(v.string(), v.isoTimestamp()),
    state: v.picklist(['PENDING', 'SUCCESS', 'ERROR']),
    completed: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
    violationCheckResult: v.nullable(
      closedObject({
        message: v.nullable(v.string()),
        clientMetadata: v.nullable(v.record(v.string(), v.string())),
        violationContexts: v.array(violationContext),
        violatedPolicies: v.array(policyRef),
        violationCount: v.pipe(v.number(), v.metadata({ description: VIOLATION_COUNT })),
        omitted: v.pipe(v.number(), v.metadata({ description: OMITTED })),
        // Only with `include=remediation`.
        remediation: v.exactOptional(remediation),
        // Absent where the check read no data.
        policySetVersion: v.exactOptional(basis.policySetVersion),
        asOf: v.exactOptional(basis.asOf),
      }),
    ),
  }),
);

const RECEIPT =
  'A compact JWS (RFC 7515, `typ` `sod-receipt+json`) over `{tenant, requestId, identityId, requestSha256, resultSha256, policySetVersion, asOf, violatedPolicies}`.';

/** Response of the read of a receipt. */
export const sodReceiptText = responseSchema<string>()(
  v.pipe(v.string(), v.regex(/^[\w-]+\.[\w-]+\.[\w-]+$/), v.metadata({ description: RECEIPT })),
);
