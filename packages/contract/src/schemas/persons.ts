import * as v from 'valibot';
import { closedObject } from '../validation/fields.ts';
import { responseSchema } from '../validation/named-schema.ts';

/** One line of the export of personal data: `kind` tells what it is, and its other properties are as the service keeps them. */
export interface PersonalRecord {
  readonly kind: string;
  readonly [property: string]: unknown;
}

/** One line of the export of personal data. */
export const personalRecord = responseSchema<PersonalRecord>('PersonalRecord')(v.looseObject({ kind: v.string() }));

/** A person that is being erased. */
export interface PersonErasure {
  /** What takes the place of the texts of the person. */
  readonly pseudonym: string;
}

/** Response of the request to erase a person. */
export const personErasure = responseSchema<PersonErasure>('PersonErasure')(
  closedObject({ pseudonym: v.pipe(v.string(), v.regex(/^erased-[0-9a-f]{8}$/)) }),
);
