import {
  ATTRIBUTE_NAME,
  ATTRIBUTE_VALUE_LENGTH_MAX,
  ATTRIBUTES_MAX,
  directionIssueText,
  EXTERNAL_ID_LENGTH_MAX,
  sortedAttributes,
} from '@access-admin/domain';
import * as v from 'valibot';
import { atMost, inOneDirection, optionalText } from './fields.ts';
import { textsByName } from './texts-by-name.ts';
import { illegal } from './validate.ts';

const BAD_NAME = illegal('the name must have 1 to 64 letters, digits and _ . -, and begin with a letter');

/** What another system says of a record: texts by name, sorted by name. */
export const attributes = v.pipe(
  textsByName({
    max: ATTRIBUTES_MAX,
    what: 'attributes',
    faultOfName: (name) => (ATTRIBUTE_NAME.test(name) ? null : BAD_NAME),
    names: { pattern: ATTRIBUTE_NAME.source },
    lengthMax: ATTRIBUTE_VALUE_LENGTH_MAX,
    issueOfText: directionIssueText,
  }),
  v.transform(sortedAttributes),
);

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
