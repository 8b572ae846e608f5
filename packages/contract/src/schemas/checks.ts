import { CHECK_CONTEXTS_MAX, CHECK_RESULT_BYTES_MAX, type SodCheck } from '@access-admin/domain';
import * as v from 'valibot';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../limits.ts';
import type { FilterFields } from '../query/filters.ts';
import { closedObject, timestamp, wholeNumber } from '../validation/fields.ts';
import { responsePart, responseSchema } from '../validation/named-schema.ts';
import { illegal } from '../validation/validate.ts';
import { basis, policyRef, remediation, violationContext } from './predictions.ts';

/** What an `Idempotency-Key` may be. */
export const idempotencyKey = v.pipe(
  v.string(),
  v.regex(
    new RegExp(`^[!-~]{1,${IDEMPOTENCY_KEY_LENGTH_MAX}}$`),
    illegal(`must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters`),
  ),
);

/** The header of a request that starts a check. */
export const checkHeaders = v.object({ 'Idempotency-Key': v.nullable(idempotencyKey) });

/** A check that is durably accepted. */
export type SodViolationCheck = Pick<SodCheck, 'requestId' | 'created'>;

/** Response of check. */
export const sodViolationCheck = responseSchema<SodViolationCheck>('Sodviolationcheck')(
  closedObject({ requestId: v.string(), created: timestamp }),
);

const STATES = ['PENDING', 'SUCCESS', 'ERROR'] as const;

/** The fields that `filters` of the list of checks can compare. */
export const SOD_CHECK_FILTERS = {
  state: { operators: ['eq', 'in'], kind: 'text', values: STATES },
  identityId: { operators: ['eq'], kind: 'text' },
} as const satisfies FilterFields;

/** A check as the list of checks shows it: whose it is, and without its result. */
export interface ListedSodCheck extends Omit<SodCheck, 'violationCheckResult'> {
  readonly identityId: string;
}

const listedSodCheck = responsePart(
  'ListedSodCheck',
  closedObject({
    requestId: v.string(),
    created: timestamp,
    identityId: v.string(),
    state: v.picklist(STATES),
    completed: v.nullable(timestamp),
  }),
);

/** Response of the list of checks. */
export const listedSodChecks = responseSchema<readonly ListedSodCheck[]>()(v.array(listedSodCheck));

const VIOLATION_COUNT = 'The number of all violations, those left out included.';
const OMITTED = `The violations that the result leaves out: it has at most ${CHECK_CONTEXTS_MAX} contexts and ${CHECK_RESULT_BYTES_MAX} bytes.`;

/** Response of the read of a check. */
export const sodCheck = responseSchema<SodCheck>('SodCheck')(
  closedObject({
    requestId: v.string(),
    created: timestamp,
    state: v.picklist(STATES),
    completed: v.nullable(timestamp),
    violationCheckResult: v.nullable(
      closedObject({
        message: v.nullable(v.string()),
        clientMetadata: v.nullable(v.record(v.string(), v.string())),
        violationContexts: v.array(violationContext),
        violatedPolicies: v.array(policyRef),
        violationCount: v.pipe(wholeNumber, v.metadata({ description: VIOLATION_COUNT })),
        omitted: v.pipe(wholeNumber, v.metadata({ description: OMITTED })),
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
