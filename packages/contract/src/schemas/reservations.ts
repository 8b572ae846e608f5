import {
  ACCESS_TYPES,
  ON_CONFLICT,
  RESERVATION_HOURS_DEFAULT,
  RESERVATION_HOURS_MAX,
  SOD_RESERVATION_STATES,
  type SodReservation,
} from '@access-admin/domain';
import * as v from 'valibot';
import { REFERENCE_LENGTH_MAX } from '../limits.ts';
import type { FilterFields } from '../query/filters.ts';
import { closedObject, optionalText, optionalWithin, reference, timestamp, wholeNumber } from '../validation/fields.ts';
import { requestSchema, responsePart, responseSchema } from '../validation/named-schema.ts';
import { failsWith } from '../validation/validate.ts';
import { accessRefsOf, basis, clientMetadata, policyRef, timedAccessRef, violationContext } from './predictions.ts';

/** The fields that `filters` of the list of reservations can compare. */
export const SOD_RESERVATION_FILTERS = {
  identityId: { operators: ['eq', 'in'], kind: 'text' },
  state: { operators: ['eq', 'in'], kind: 'text', values: SOD_RESERVATION_STATES },
  reference: { operators: ['eq', 'sw'], kind: 'text' },
} as const satisfies FilterFields;

/** The fields that `sorters` of the list can name. */
export const SOD_RESERVATION_SORTERS = ['created', 'expires'] as const;

/** Request that reserves access. */
export const newSodReservation = requestSchema(
  'CreateSodReservationRequest',
  closedObject({
    identityId: reference,
    accessRefs: v.pipe(accessRefsOf(timedAccessRef), v.nonEmpty(failsWith('RequiredMissing', 'must not be empty'))),
    ttlHours: optionalWithin({ min: 1, max: RESERVATION_HOURS_MAX, byDefault: RESERVATION_HOURS_DEFAULT }),
    reference: optionalText(REFERENCE_LENGTH_MAX),
    onConflict: v.optional(v.picklist(ON_CONFLICT), 'REFUSE'),
    clientMetadata: v.optional(v.nullable(clientMetadata), null),
  }),
);

const VIOLATION_COUNT = 'The number of all violations. Only where some are left out.';
const OMITTED = 'The number of violations that are left out. Only where some are.';
const VIOLATED_POLICIES = 'All violated policies. Only where violations are left out.';

const reservationPrediction = responsePart(
  'ReservationPrediction',
  closedObject({
    violationContexts: v.array(violationContext),
    violationCount: v.exactOptional(v.pipe(wholeNumber, v.metadata({ description: VIOLATION_COUNT }))),
    omitted: v.exactOptional(v.pipe(wholeNumber, v.metadata({ description: OMITTED }))),
    violatedPolicies: v.exactOptional(v.pipe(v.array(policyRef), v.metadata({ description: VIOLATED_POLICIES }))),
    ...basis,
  }),
);

const shownReservation = closedObject({
  id: v.string(),
  identityId: v.string(),
  accessRefs: v.array(
    closedObject({
      type: v.picklist(ACCESS_TYPES),
      id: v.string(),
      start: v.exactOptional(v.string()),
      end: v.exactOptional(v.string()),
    }),
  ),
  state: v.picklist(SOD_RESERVATION_STATES),
  created: timestamp,
  expires: timestamp,
  ended: v.nullable(timestamp),
  reference: v.nullable(v.string()),
  clientMetadata: v.nullable(v.record(v.string(), v.string())),
  clientId: v.string(),
  requesterId: v.nullable(v.string()),
  prediction: reservationPrediction,
});

/** Response of the operations on one reservation. */
export const sodReservation = responseSchema<SodReservation>('SodReservation')(shownReservation);

/** Response of the list of reservations. */
export const sodReservations = responseSchema<readonly SodReservation[]>()(v.array(shownReservation));
