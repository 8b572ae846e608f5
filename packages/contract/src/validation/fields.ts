import {
  directionIssueText,
  isObject,
  plainTextIssueText,
  RESOURCE_ID,
  RESOURCE_ID_LENGTH_MAX,
  type TextIssue,
} from '@access-admin/domain';
import * as v from 'valibot';
import { ATTRIBUTE_LENGTH_MAX, NAME_LENGTH_MAX, TEXT_LENGTH_MAX } from '../limits.ts';
import { chosen } from './chosen.ts';
import { failsWith, illegal } from './validate.ts';

type Message = ReturnType<typeof failsWith>;

/** An object as a schema describes it. valibot's schemas of objects accept an array, so a check comes before them. */
export const objectAlone = <S extends v.GenericSchema>(schema: S) =>
  v.pipe(
    v.custom<v.InferInput<S>>(() => true),
    v.rawCheck(refuseOthers),
    schema,
  );

const refuseOthers = ({ dataset, addIssue }: v.RawCheckContext<unknown>) => {
  if (!isObject(dataset.value)) addIssue({ expected: 'Object' });
};

/** What is no object fails as this. */
export const anObject = objectAlone(v.never());

/** An object without unknown properties. */
export const closedObject = <E extends v.ObjectEntries>(entries: E) => objectAlone(v.strictObject(entries));

/** An object whose unknown properties are ignored. */
export const openObject = <E extends v.ObjectEntries>(entries: E) => objectAlone(v.object(entries));

const filled = v.nonEmpty<string, Message>(failsWith('RequiredMissing', 'must not be empty'));

/** At most `lengthMax` characters, counted as code points. */
export const atMost = (lengthMax: number) =>
  v.maxCodePoints<string, number, Message>(
    lengthMax,
    failsWith('LengthOutOfRange', `must have at most ${lengthMax} characters`),
  );

/** A name or text without characters that change its direction: they let a name look like another one. */
export const inOneDirection = v.check<string, Message>(
  (text) => directionIssueText(text) === null,
  illegal((text) => directionIssueText(String(text)) ?? ''),
);

/** The id of another record; the domain validates that it exists. */
export const reference = v.pipe(v.string(), filled);

/** The id of a record. */
export const recordId = v.pipe(
  v.string(),
  filled,
  v.maxLength(
    RESOURCE_ID_LENGTH_MAX,
    failsWith('LengthOutOfRange', `must have at most ${RESOURCE_ID_LENGTH_MAX} characters`),
  ),
  v.regex(RESOURCE_ID, illegal('must consist of letters, digits and : _ . - only, and not be . or ..')),
);

/** A required name: 1 to 256 characters. */
export const name = v.pipe(v.string(), filled, atMost(NAME_LENGTH_MAX), inOneDirection);

/** An optional text; left out counts as null. */
export const optionalText = (lengthMax: number) =>
  v.optional(v.nullable(v.pipe(v.string(), atMost(lengthMax), inOneDirection)), null);

/** An optional attribute of up to 512 characters; left out counts as null. */
export const optionalAttribute = optionalText(ATTRIBUTE_LENGTH_MAX);
/** An optional text of up to 4,000 characters; left out counts as null. */
export const optionalLongText = optionalText(TEXT_LENGTH_MAX);
/** An optional name of up to 256 characters; left out counts as null. */
export const optionalName = optionalText(NAME_LENGTH_MAX);

/** A name that requests may have and that is dropped. */
export const ignoredName = v.optional(v.nullable(v.pipe(v.string(), atMost(NAME_LENGTH_MAX))), null);

/** An instant in ISO 8601 with an offset, unchanged. */
export const instantText = v.pipe(
  v.string(),
  v.regex(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/,
    illegal('must be an instant in ISO 8601 with an offset, such as 2026-11-21T09:30:00Z'),
  ),
  v.check(isExistingInstant, illegal('must be an instant that exists, in the years 0 to 9999')),
);

const MIDNIGHT = '0000-00-00T00:00:00.000';

/** Converts an instant to UTC with milliseconds; further digits are cut off. What is in UTC is not taken apart, which saves time. */
export const toUtc = (text: string): string =>
  text.endsWith('Z')
    ? `${text.slice(0, -1).slice(0, MIDNIGHT.length)}${MIDNIGHT.slice(text.length - 1)}Z`
    : new Date(text).toISOString();

/** An instant in ISO 8601 with an offset, converted to UTC with milliseconds. */
export const instant = v.pipe(instantText, v.transform(toUtc));

/**
 * Rejects days and hours that do not exist, which `Date` would shift, and years outside of 0 to 9999, which `toISOString` writes
 * with a sign.
 */
function isExistingInstant(text: string): boolean {
  const utc = new Date(text);
  const year = utc.getUTCFullYear();
  const written = text.endsWith('Z') ? utc : new Date(`${text.slice(0, 16)}Z`);
  const isShifted =
    written.getUTCDate() !== Number(text.slice(8, 10)) || written.getUTCHours() !== Number(text.slice(11, 13));
  return year >= 0 && year <= 9999 && !isShifted;
}

/** A property that requests may have and that is dropped. */
export const ignored = v.exactOptional(v.pipe(v.unknown(), v.metadata({ description: 'Accepted and ignored.' })));

/** An instant in answers. */
export const timestamp = v.pipe(v.string(), v.isoTimestamp());

/** A text in answers, or null. */
export const shownText = v.nullable(v.string());

/** A whole number in answers. */
export const wholeNumber = v.pipe(v.number(), v.integer());

/** A whole number within bounds in requests. */
export function within(min: number, max: number) {
  const message = illegal(`must be a whole number from ${min} to ${max}`);
  return v.pipe(v.number(), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
}

/** A whole number within bounds in requests; left out counts as `byDefault`. */
export const optionalWithin = ({ min, max, byDefault }: Record<'min' | 'max' | 'byDefault', number>) =>
  v.optional(within(min, max), byDefault);

/** A text of 1 to `lengthMax` characters. */
export const textOf = (lengthMax: number) => {
  const message = failsWith('LengthOutOfRange', `must have 1 to ${lengthMax} characters`);
  return v.pipe(v.string(), v.nonEmpty(message), v.maxCodePoints(lengthMax, message));
};

/** An array whose length is checked before its items: each issue of a huge one would cost memory. */
export function listOfAtMost<S extends v.GenericSchema>(item: S, max: number, what: string | Message) {
  const message = typeof what === 'string' ? failsWith('LimitExceeded', `must have at most ${max} ${what}`) : what;
  const list = v.pipe(v.array(item), v.maxLength(max, message));
  const tooLong = v.never(message);
  return chosen(list, (input) => (Array.isArray(input) && input.length > max ? tooLong : list));
}

/** A rule of the domain, which reports the issues of a text; `index` is that of the part of the text that an issue is about. */
export const rule = (issuesOf: (text: string) => Iterable<TextIssue>) =>
  v.rawCheck<string>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const input = dataset.value;
    for (const { type, text, index: key } of issuesOf(input)) {
      const message = failsWith(type, text);
      if (key === undefined) addIssue({ message });
      else addIssue({ message, path: [{ type: 'unknown', origin: 'value', input, key, value: input }] });
    }
  });

/** A text without control characters, nor those that change its direction. */
export const plainText = rule((text) => {
  const issue = plainTextIssueText(text);
  return issue === null ? [] : [{ type: 'IllegalValue', text: issue }];
});

/** A property that is reset by null or, as in SailPoint, by the text `null`. */
export const resettable = <S extends v.GenericSchema<string, string>>(schema: S) => {
  const nullable = v.nullable(schema);
  const reset = v.pipe(
    v.literal('null'),
    v.transform(() => null),
  );
  return v.exactOptional(
    chosen<v.NullableSchema<S, undefined>>(nullable, (input) => (input === 'null' ? reset : nullable)),
  );
};

/** The keyword of an array whose items must not be repeated, for documents. */
export const UNIQUE_ITEMS = { uniqueItems: true };

/** An array without repeated items. */
export const distinct = <T>(list: v.GenericSchema<T[]>) =>
  v.pipe(
    list,
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const input = dataset.value;
      for (const [key, value] of input.entries())
        if (input.indexOf(value) < key)
          addIssue({ message: REPEATED, path: [{ type: 'array', origin: 'value', input, key, value }] });
    }),
    v.metadata(UNIQUE_ITEMS),
  );

const REPEATED = illegal('must not be repeated');

/** An optional instant; left out counts as null. */
export const optionalInstant = v.optional(v.nullable(instant), null);

/** A reference to an identity. Its name is accepted and dropped: answers have the present one. */
export const identityRef = v.pipe(
  closedObject({ type: v.literal('IDENTITY'), id: recordId, name: optionalName }),
  v.transform(({ type, id }): { type: 'IDENTITY'; id: string; name: string | null } => ({ type, id, name: null })),
);

/** An optional owner; left out counts as null. */
export const optionalOwner = v.optional(v.nullable(identityRef), null);

/** A reference to an identity in answers. */
export const shownIdentityRef = closedObject({
  type: v.literal('IDENTITY'),
  id: v.string(),
  name: v.nullable(v.string()),
});

/** Milliseconds since 1970; left out counts as null. */
export const optionalMillis = v.optional(
  v.nullable(
    v.pipe(
      v.number(),
      v.safeInteger(illegal('must be a whole number of milliseconds')),
      v.minValue(0, illegal('must not be negative')),
    ),
  ),
  null,
);
