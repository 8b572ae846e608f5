import { isResourceId, RESOURCE_ID_LENGTH_MAX } from '@access-admin/domain';
import * as v from 'valibot';
import { ATTRIBUTE_LENGTH_MAX, NAME_LENGTH_MAX, TEXT_LENGTH_MAX } from '../limits.ts';
import { fault } from './validate.ts';

/** An object without unknown properties, and no array. */
export function closedObject<E extends v.ObjectEntries>(entries: E): v.StrictObjectSchema<E, undefined> {
  // Without a prototype, or `constructor` would count as a known property.
  const schema = v.strictObject(Object.setPrototypeOf({ ...entries }, null) as E);
  return {
    ...schema,
    // valibot takes an array for an object.
    '~run': (dataset, config) => schema['~run'](Array.isArray(dataset.value) ? { value: null } : dataset, config),
  };
}

const filled = v.nonEmpty<string, string>(fault('RequiredMissing', 'must not be empty'));

/** At most so many characters, counted as code points, of which there are never more than code units. The limit is there to be published. */
export const atMost = (lengthMax: number) => ({
  ...v.check<string, string>(
    (text) => text.length <= lengthMax || [...text].length <= lengthMax,
    fault('LengthOutOfRange', `must have at most ${lengthMax} characters`),
  ),
  lengthMax,
});

/** A reference to an object by its id; whether there is one is decided later. */
export const reference = v.pipe(v.string(), filled);

/** The id of a record, as written. */
export const recordId = v.pipe(
  v.string(),
  filled,
  v.maxLength(
    RESOURCE_ID_LENGTH_MAX,
    fault('LengthOutOfRange', `must have at most ${RESOURCE_ID_LENGTH_MAX} characters`),
  ),
  v.check(isResourceId, fault('IllegalValue', 'must consist of letters, digits and : _ . - only, and not be . or ..')),
);

/** A required name: 1 to 256 characters. */
export const name = v.pipe(v.string(), filled, atMost(NAME_LENGTH_MAX));

/** An optional text; left out counts as null. */
const optionalText = (lengthMax: number) => v.optional(v.nullable(v.pipe(v.string(), atMost(lengthMax))), null);

/** An optional attribute of up to 512 characters; left out counts as null. */
export const optionalAttribute = optionalText(ATTRIBUTE_LENGTH_MAX);
/** An optional text of up to 4,000 characters; left out counts as null. */
export const optionalLongText = optionalText(TEXT_LENGTH_MAX);
/** An optional name of up to 256 characters; left out counts as null. */
export const optionalName = optionalText(NAME_LENGTH_MAX);

/** A moment with an offset in ISO 8601, as it is written. */
export const writtenMoment = v.pipe(
  v.string(),
  v.regex(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/,
    fault('IllegalValue', 'must be a moment in ISO 8601 with an offset'),
  ),
  v.check(isRealMoment, fault('IllegalValue', 'must be a moment that exists, in the years 0 to 9999')),
);

/** A moment in UTC with milliseconds; what is finer is cut off. */
export const toUtc = (text: string): string => new Date(text).toISOString();

/** A moment with an offset in ISO 8601, brought to UTC with milliseconds. */
export const moment = v.pipe(writtenMoment, v.transform(toUtc));

/** Date shifts days that do not exist, and writes years outside of 0 to 9999 as nobody reads them: what is kept must be readable again. */
function isRealMoment(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  const wall = new Date(`${text.slice(0, 16)}Z`);
  return year >= 0 && year <= 9999 && !Number.isNaN(wall.getTime()) && wall.toISOString().startsWith(text.slice(0, 16));
}

/** An optional moment; left out counts as null. */
export const optionalMoment = v.optional(v.nullable(moment), null);

/** Milliseconds since 1970; left out counts as null. */
export const optionalMillis = v.optional(
  v.nullable(
    v.pipe(
      v.number(),
      v.safeInteger(fault('IllegalValue', 'must be a whole number of milliseconds')),
      v.minValue(0, fault('IllegalValue', 'must not be negative')),
    ),
  ),
  null,
);
