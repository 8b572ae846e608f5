import { EXCEPTION_DECISIONS, SOD_EXCEPTION_STATES, SOD_POLICY_LEVELS, type SodException } from '@access-admin/domain';
import * as v from 'valibot';
import { DECISION_COMMENT_LENGTH_MAX, JUSTIFICATION_LENGTH_MAX } from '../limits.ts';
import type { FilterFields } from '../query/filters.ts';
import { atMost, closedObject, inOneDirection, instant, reference, timestamp } from '../validation/fields.ts';
import { requestSchema, responseSchema } from '../validation/named-schema.ts';
import { failsWith } from '../validation/validate.ts';
import { conflict } from './predictions.ts';

/** The fields that `filters` of the list of exceptions can compare. */
export const SOD_EXCEPTION_FILTERS = {
  policyId: { operators: ['eq'], kind: 'text' },
  identityId: { operators: ['eq'], kind: 'text' },
  requesterId: { operators: ['eq'], kind: 'text' },
  state: { operators: ['eq', 'in'], kind: 'text', values: SOD_EXCEPTION_STATES },
  end: { operators: ['ge', 'le'], kind: 'instant' },
} as const satisfies FilterFields;

/** Request that creates an exception. */
export const newSodException = requestSchema(
  'CreateSodExceptionRequest',
  closedObject({
    policyId: reference,
    identityId: reference,
    start: instant,
    end: instant,
    justification: v.pipe(
      reference,
      v.regex(/\S/, failsWith('RequiredMissing', 'must not be empty')),
      atMost(JUSTIFICATION_LENGTH_MAX),
      inOneDirection,
    ),
  }),
);

/** Request that approves or revokes an exception, perhaps with a comment. */
export const exceptionTransition = closedObject({
  comment: v.exactOptional(
    v.pipe(
      v.string(),
      v.minLength(1, failsWith('LengthOutOfRange', 'must have at least 1 character')),
      atMost(DECISION_COMMENT_LENGTH_MAX),
      inOneDirection,
    ),
  ),
});

const DIGEST =
  'SHA-256, in lower-case hexadecimal digits, of the canonical JSON (RFC 8785) of name, level and criteria of the policy and of the conflicting items: `{name, level, criteria: {atLeast, sides: [{name, items}]}, conflictingItems}`, items by their ids in code-unit order.';
const TERMS =
  'What an approval would be of while the exception is requested, and what it was of afterwards. Null where there is no conflict, and where it was never approved.';

const terms = closedObject({
  policyName: v.string(),
  level: v.picklist(SOD_POLICY_LEVELS),
  conflictingAccessCriteria: conflict,
  digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/), v.metadata({ description: DIGEST })),
});

const decision = closedObject({
  action: v.picklist(EXCEPTION_DECISIONS),
  by: closedObject({ identityId: v.string(), displayName: v.nullable(v.string()) }),
  at: timestamp,
  comment: v.nullable(v.string()),
});

const shownException = closedObject({
  id: v.string(),
  policyId: v.string(),
  identityId: v.string(),
  start: timestamp,
  end: timestamp,
  justification: v.string(),
  state: v.picklist(SOD_EXCEPTION_STATES),
  requesterId: v.string(),
  created: timestamp,
  approverId: v.nullable(v.string()),
  approved: v.nullable(timestamp),
  revokerId: v.nullable(v.string()),
  revoked: v.nullable(timestamp),
  voided: v.nullable(timestamp),
  terms: v.pipe(v.nullable(terms), v.metadata({ description: TERMS })),
  decisions: v.array(decision),
});

/** Response of the operations on one exception. */
export const sodException = responseSchema<SodException>('SodException')(shownException);

/** Response of the list of exceptions. */
export const sodExceptions = responseSchema<readonly SodException[]>()(v.array(shownException));
