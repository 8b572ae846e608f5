import * as v from 'valibot';
import { responseSchema } from '../validation/named-schema.ts';

/** One line of the export of personal data: `kind` tells what it is, and its other properties are as the service keeps them. */
export interface PersonalRecord {
  readonly kind: string;
  readonly [property: string]: unknown;
}

/** One line of the export of personal data. */
export const personalRecord = responseSchema<PersonalRecord>('PersonalRecord')(v.looseObject({ kind: v.string() }));
