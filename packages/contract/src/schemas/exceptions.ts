import { SOD_EXCEPTION_STATES, type SodException } from '@access-admin/domain';
import * as v from 'valibot';
import { JUSTIFICATION_LENGTH_MAX } from '../limits.ts';
import type { FilterFields } from '../query/filters.ts';
import { atMost, closedObject, inOneDirection, instant, reference } from '../validation/fields.ts';
import { requestSchema, responseSchema } from '../validation/named-schema.ts';
import { failsWith } from '../validation/validate.ts';

/** The fields that `filters` of the list of exceptions can compare. */
export const SOD_EXCEPTION_FILTERS = {
  policyId: { operators: ['eq'], kind: 'text' },
  identityId: { operators: ['eq'], kind: 'text' },
  state: { operators: ['eq', 'in'], kind: 'text', values: SOD_EXCEPTION_STATES },
  end: { operators: ['ge', 'le'], kind: 'instant' },
} as const satisfies FilterFields;

/** Request that creates an exception. */
export const newSodException = requestSchema(
  'NewSodException',
  closedObject({
    policyId: reference,
    identityId: reference,
    start: instant,
    end: instant,
    justification: v.pipe(
      reference,
      v.check((text) => text.trim() !== '', failsWith('RequiredMissing', 'must not be empty')),
      atMost(JUSTIFICATION_LENGTH_MAX),
      inOneDirection,
    ),
  }),
);

/** Request that approves or revokes an exception: an empty object. */
export const exceptionTransition = closedObject({});

const timestamp = v.pipe(v.string(), v.isoTimestamp());

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
});

/** Response of the operations on one exception. */
export const sodException = responseSchema<SodException>('SodException')(shownException);

/** Response of the list of exceptions. */
export const sodExceptions = responseSchema<readonly SodException[]>()(v.array(shownException));
