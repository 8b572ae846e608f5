import {
  ATTRIBUTE_VALUE_LENGTH_MAX,
  ATTRIBUTES_MAX,
  type Attributes,
  directionIssueText,
  EXTERNAL_ID_LENGTH_MAX,
  isAttributeName,
  sortedAttributes,
} from '@access-admin/domain';
import * as v from 'valibot';
import { atMost, inOneDirection, optionalText } from './fields.ts';
import { failsWith } from './validate.ts';

const isObject = (input: unknown): input is Attributes =>
  typeof input === 'object' && input !== null && !Array.isArray(input);

/** What another system says of a record: texts by name, sorted by name. */
export const attributes = v.pipe(
  v.custom<Attributes>(isObject, failsWith('IllegalValue', 'must be an object of strings')),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const entries = Object.entries(dataset.value);
    if (entries.length > ATTRIBUTES_MAX)
      return addIssue({ message: failsWith('LimitExceeded', `must have at most ${ATTRIBUTES_MAX} attributes`) });
    for (const [key, given] of entries) {
      const message = isAttributeName(key) ? faultOf(given) : BAD_NAME;
      if (message !== null)
        addIssue({ message, path: [{ type: 'object', origin: 'value', input: dataset.value, key, value: given }] });
    }
  }),
  v.metadata({
    maxProperties: ATTRIBUTES_MAX,
    propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,63}$' },
    additionalProperties: { type: 'string', maxLength: ATTRIBUTE_VALUE_LENGTH_MAX },
  }),
  v.transform(sortedAttributes),
);

const BAD_NAME = failsWith(
  'IllegalValue',
  'the name must have 1 to 64 letters, digits and _ . -, and begin with a letter',
);

function faultOf(given: unknown): ReturnType<typeof failsWith> | null {
  if (typeof given !== 'string') return failsWith('IllegalValue', 'must be a string');
  if ([...given].length > ATTRIBUTE_VALUE_LENGTH_MAX)
    return failsWith('LengthOutOfRange', `must have at most ${ATTRIBUTE_VALUE_LENGTH_MAX} characters`);
  const issue = directionIssueText(given);
  return issue === null ? null : failsWith('IllegalValue', issue);
}

/** The attributes of a record; left out counts as none. */
export const optionalAttributes = v.optional(attributes, {});

/** The id of a record in another system; left out counts as null. */
export const optionalExternalId = optionalText(EXTERNAL_ID_LENGTH_MAX);

/** What other systems say of a record of the access model; what is left out may stay as it is. */
export const externalEntries = {
  attributes: v.exactOptional(attributes),
  externalId: v.exactOptional(v.nullable(v.pipe(v.string(), atMost(EXTERNAL_ID_LENGTH_MAX), inOneDirection))),
};

/** The attributes of a record in answers. */
export const shownAttributes = v.record(v.string(), v.string());

/** External data in answers. */
export const shownExternalEntries = { attributes: shownAttributes, externalId: v.nullable(v.string()) };
