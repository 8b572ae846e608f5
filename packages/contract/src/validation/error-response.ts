import { isObject, type ReservationPrediction } from '@access-admin/domain';
import * as v from 'valibot';
import { closedObject } from './fields.ts';
import { responseSchema } from './named-schema.ts';

/** A text of an error response. */
export interface ErrorMessage {
  readonly locale: string;
  /** `DEFAULT` or `REQUEST`. */
  readonly localeOrigin: string;
  readonly text: string;
}

/** One issue of a request: where and how it is wrong, and the code of that issue alone. */
export interface ErrorCause extends ErrorMessage {
  readonly detailCode: string;
}

/** The body of an error response: what went wrong, and each single issue under `causes`. */
export interface ErrorResponse {
  /** Such as `400.1.1`. */
  readonly detailCode: string;
  /** Names the request in the log of the service. */
  readonly trackingId: string;
  readonly messages: readonly ErrorMessage[];
  readonly causes: readonly ErrorCause[];
  /** What a reservation would cause that is refused because of it; left out of other errors. */
  readonly prediction?: ReservationPrediction;
}

const message = { locale: v.string(), localeOrigin: v.string(), text: v.string() };

const PREDICTION =
  'What a reservation would cause that is refused because of it: a `ReservationPrediction`. Left out of other errors.';

/** The body of an error response, as a part of other schemas. */
export const errorBody: v.GenericSchema<unknown, ErrorResponse> = closedObject({
  detailCode: v.string(),
  trackingId: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  messages: v.array(closedObject(message)),
  causes: v.array(closedObject({ ...message, detailCode: v.string() })),
  // By its type alone: its schema has errors in it.
  prediction: v.exactOptional(
    v.pipe(
      v.custom<ReservationPrediction>(isObject),
      v.metadata({ description: PREDICTION, additionalProperties: true }),
    ),
  ),
});

/** Every response with a status of 400 and more. */
export const errorResponse = responseSchema<ErrorResponse>('Error')(errorBody);
