import {
  ACCESS_TYPES,
  type Basis,
  PREDICTED_CONTEXTS_MAX,
  PREDICTED_EXPLAINED_MAX,
  SOD_POLICY_LEVELS,
  type ViolationPrediction,
} from '@access-admin/domain';
import * as v from 'valibot';
import { ACCESS_REFS_MAX, METADATA_KEY_LENGTH_MAX, METADATA_KEYS_MAX, METADATA_VALUE_LENGTH_MAX } from '../limits.ts';
import { requestedRef, toTimedAccessRef, windowEntries } from '../validation/access-window.ts';
import { type ErrorResponse, errorBody } from '../validation/error-response.ts';
import {
  closedObject,
  ignoredName,
  instantText,
  listOfAtMost,
  reference,
  timestamp,
  toUtc,
  wholeNumber,
} from '../validation/fields.ts';
import { requestSchema, responsePart, responseSchema } from '../validation/named-schema.ts';
import { isLongerThan, textsByName } from '../validation/texts-by-name.ts';
import { failsWith } from '../validation/validate.ts';

// Callers of SailPoint send `name`: it is accepted and dropped.
const refEntries = { type: v.picklist(ACCESS_TYPES), id: reference, name: ignoredName };

/** A requested access item with its window. */
export const timedAccessRef = requestSchema(
  'RequestedAccess',
  v.pipe(requestedRef({ ...refEntries, ...windowEntries }), toTimedAccessRef()),
);

const BAD_KEY = failsWith('LengthOutOfRange', `the key must have 1 to ${METADATA_KEY_LENGTH_MAX} characters`);

/** Metadata of the caller. */
export const clientMetadata = textsByName({
  max: METADATA_KEYS_MAX,
  what: 'keys',
  faultOfName: (key) => (key === '' || isLongerThan(key, METADATA_KEY_LENGTH_MAX) ? BAD_KEY : null),
  names: { minLength: 1, maxLength: METADATA_KEY_LENGTH_MAX },
  lengthMax: METADATA_VALUE_LENGTH_MAX,
});

const AT = 'The instant to evaluate, ISO 8601 with an offset; without it, every instant from now on.';

const optionalEvaluationTime = v.optional(
  v.nullable(v.pipe(instantText, v.metadata({ description: AT }), v.transform(toUtc))),
  null,
);

/** Access items. */
export const accessRefsOf = <S extends v.GenericSchema>(item: S) => listOfAtMost(item, ACCESS_REFS_MAX, 'access refs');

/** Access items that a role or an access profile would gain. */
export const addedRefs = accessRefsOf(
  v.pipe(
    requestedRef(refEntries),
    v.transform(({ name: _, ...ref }) => ref),
  ),
);

/** Request of predict and check. */
export const identityWithNewAccess = requestSchema(
  'Identitywithnewaccess',
  closedObject({
    identityId: reference,
    accessRefs: accessRefsOf(timedAccessRef),
    clientMetadata: v.optional(v.nullable(clientMetadata), null),
    at: optionalEvaluationTime,
  }),
);

const PENDING =
  'The live reservations by which alone it comes. Only with `include=pending`, and in what a reservation tells.';

const accessPath = closedObject({
  source: v.picklist(['ASSIGNED', 'REQUESTED']),
  path: v.array(
    closedObject({
      type: v.picklist([...ACCESS_TYPES, 'ACCOUNT']),
      id: v.string(),
      name: v.string(),
      source: v.exactOptional(v.string()),
    }),
  ),
});
const violationItem = responsePart(
  'ConflictItem',
  closedObject({
    type: v.literal('ENTITLEMENT'),
    id: v.string(),
    name: v.string(),
    existing: v.boolean(),
    pending: v.exactOptional(
      v.pipe(
        v.array(closedObject({ reservationId: v.string(), reference: v.nullable(v.string()) })),
        v.metadata({ description: PENDING }),
      ),
    ),
    // Only with `include=via`.
    via: v.exactOptional(v.array(accessPath)),
    viaMore: v.exactOptional(wholeNumber),
  }),
);
const violationSide = responsePart('ConflictSide', closedObject({ criteriaList: v.array(violationItem) }));
const namedViolationSide = responsePart(
  'NamedConflictSide',
  closedObject({ name: v.nullable(v.string()), criteriaList: v.array(violationItem) }),
);
const policyRefEntries = { type: v.literal('SOD_POLICY'), id: v.string(), name: v.string() };

/** A reference to a policy. */
export const policyRef = closedObject(policyRefEntries);

/** The sides of the policy that the identity is or would be on, two-sided or k-of-n; of critical access the only side. */
export const conflict = v.union([
  responsePart('TwoSidedConflict', closedObject({ leftCriteria: violationSide, rightCriteria: violationSide })),
  responsePart('KOfNConflict', closedObject({ criteria: v.array(namedViolationSide), atLeast: wholeNumber })),
]);

/** The exception that covers a violation. */
export const coveringException = closedObject({ id: v.string(), end: timestamp });

const EXCEPTION =
  'The approved exception that covers all violating moments of the answer. Null where there is one that covers a part of them or none, or that the requested access ends. Absent where there is none.';
const EXCEPTION_ENDS = 'When the exception that covers a part of them ends. Present only where `exception` is null.';

/** One violation of a prediction or a check. */
export const violationContext = responsePart(
  'ViolationContext',
  closedObject({
    policy: closedObject({ ...policyRefEntries, level: v.picklist(SOD_POLICY_LEVELS) }),
    preexisting: v.boolean(),
    conflictingAccessCriteria: conflict,
    // Only with `include=via`.
    correctionAdvice: v.exactOptional(v.nullable(v.string())),
    compensatingControls: v.exactOptional(v.nullable(v.string())),
    exception: v.exactOptional(v.pipe(v.nullable(coveringException), v.metadata({ description: EXCEPTION }))),
    exceptionEnds: v.exactOptional(v.pipe(timestamp, v.metadata({ description: EXCEPTION_ENDS }))),
  }),
);

/** What an answer is based on. */
export const basis = { policySetVersion: wholeNumber, asOf: timestamp };

const accessRefs = v.array(closedObject({ type: v.picklist(ACCESS_TYPES), id: v.string() }));
const revokedAssignment = closedObject({
  type: v.picklist(ACCESS_TYPES),
  id: v.string(),
  sources: v.exactOptional(v.array(v.string())),
});

/** What to drop or revoke, so that no violation is left. */
export const remediation = closedObject({
  drop: closedObject({ accessRefs, optimal: v.boolean() }),
  revoke: v.nullable(closedObject({ assignments: v.array(revokedAssignment), optimal: v.boolean() })),
});

const VIOLATION_COUNT = 'The number of all violations. Only where some are left out.';
const OMITTED = `The number of violations that the answer leaves out: it shows the first ${PREDICTED_CONTEXTS_MAX}, or ${PREDICTED_EXPLAINED_MAX} with \`include\`.`;
const VIOLATED_POLICIES = 'All violated policies. Only where violations are left out.';

const prediction = closedObject({
  violationContexts: v.array(violationContext),
  violationCount: v.exactOptional(v.pipe(wholeNumber, v.metadata({ description: VIOLATION_COUNT }))),
  omitted: v.exactOptional(v.pipe(wholeNumber, v.metadata({ description: OMITTED }))),
  violatedPolicies: v.exactOptional(v.pipe(v.array(policyRef), v.metadata({ description: VIOLATED_POLICIES }))),
  // Only with `include=remediation`.
  remediation: v.exactOptional(remediation),
  ...basis,
});

/** Response of predict. */
export const violationPrediction = responseSchema<ViolationPrediction & Basis>('Violationprediction')(prediction);

/** The result of one request of a batch; `index` counts the requests from 0. */
export type BatchResult = { readonly index: number } & (
  | { readonly status: 200; readonly body: ViolationPrediction & Basis }
  | { readonly status: 400 | 404 | 413 | 503; readonly body: ErrorResponse }
);

/** One line of the response of a batch of predictions. */
export const batchResult = responseSchema<BatchResult>('BatchResult')(
  v.variant('status', [
    v.strictObject({ index: wholeNumber, status: v.literal(200), body: prediction }),
    v.strictObject({ index: wholeNumber, status: v.picklist([400, 404, 413, 503]), body: errorBody }),
  ]),
);
