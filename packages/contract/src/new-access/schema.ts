import { ACCESS_TYPES } from '@access-admin/domain';
import * as v from 'valibot';
import { ACCESS_REFS_MAX, METADATA_KEY_LENGTH_MAX, METADATA_KEYS_MAX, METADATA_VALUE_LENGTH_MAX } from '../limits.ts';
import { toTimedAccessRef, windowEntries } from '../validation/access-window.ts';
import { closedObject, ignoredName, instantText, reference, toUtc } from '../validation/fields.ts';
import { issueText } from '../validation/validate.ts';
import { parseNewAccess } from './parse.ts';

// Callers of SailPoint send `name`: it is accepted and dropped.
const refEntries = { type: v.picklist(ACCESS_TYPES), id: reference, name: ignoredName };

/** A requested access item. */
const timedAccessRef = v.pipe(
  closedObject({ ...refEntries, ...windowEntries }),
  v.transform(({ name: _, ...ref }) => ref),
  toTimedAccessRef,
);

const isObject = (input: unknown): input is Record<string, string> =>
  typeof input === 'object' && input !== null && !Array.isArray(input);

const characters = (text: string) => [...text].length;

/**
 * Metadata of the caller. valibot's `record` would drop keys such as `constructor`: this schema keeps the object as it
 * is.
 */
export const clientMetadata = v.pipe(
  v.custom<Record<string, string>>(isObject, issueText('IllegalValue', 'must be an object of strings')),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const entries = Object.entries(dataset.value);
    if (entries.length > METADATA_KEYS_MAX)
      return addIssue({ message: issueText('LimitExceeded', `must have at most ${METADATA_KEYS_MAX} keys`) });
    for (const [key, value] of entries) {
      const message = entryIssueText(key, value);
      if (message !== null)
        addIssue({ message, path: [{ type: 'object', origin: 'value', input: dataset.value, key, value }] });
    }
  }),
  v.metadata({
    maxProperties: METADATA_KEYS_MAX,
    propertyNames: { minLength: 1, maxLength: METADATA_KEY_LENGTH_MAX },
    additionalProperties: { type: 'string', maxLength: METADATA_VALUE_LENGTH_MAX },
  }),
);

function entryIssueText(key: string, value: unknown): string | null {
  if (key === '' || characters(key) > METADATA_KEY_LENGTH_MAX)
    return issueText('LengthOutOfRange', `the key must have 1 to ${METADATA_KEY_LENGTH_MAX} characters`);
  if (typeof value !== 'string') return issueText('IllegalValue', 'must be a string');
  if (characters(value) > METADATA_VALUE_LENGTH_MAX)
    return issueText('LengthOutOfRange', `must have at most ${METADATA_VALUE_LENGTH_MAX} characters`);
  return null;
}

const AT = 'The instant to evaluate, ISO 8601 with an offset; without it, every instant from now on.';

const optionalEvaluationTime = v.optional(
  v.nullable(v.pipe(instantText, v.metadata({ description: AT }), v.transform(toUtc))),
  null,
);

/** Access items. The length is checked before the items, so that a huge list is rejected at once. */
const listOf = <S extends v.GenericSchema>(item: S) =>
  v.pipe(
    v.array(v.unknown()),
    v.maxLength(ACCESS_REFS_MAX, issueText('LimitExceeded', `must have at most ${ACCESS_REFS_MAX} access refs`)),
    v.array(item),
  );

/** Access items that a role or an access profile would gain. */
export const addedRefs = listOf(
  v.pipe(
    closedObject(refEntries),
    v.transform(({ name: _, ...ref }) => ref),
  ),
);

/** Request of predict and check, as a schema alone. */
export const identityWithNewAccessSchema = closedObject({
  identityId: reference,
  accessRefs: listOf(timedAccessRef),
  clientMetadata: v.optional(v.nullable(clientMetadata), null),
  at: optionalEvaluationTime,
});

/** Request of predict and check. The most frequent one: legal documents are parsed without the schema. */
export const identityWithNewAccess: typeof identityWithNewAccessSchema = {
  ...identityWithNewAccessSchema,
  '~run': (dataset, config) => {
    const value = parseNewAccess(dataset.value);
    return value === null
      ? identityWithNewAccessSchema['~run'](dataset, config)
      : { typed: true, value: value as v.InferOutput<typeof identityWithNewAccessSchema> };
  },
};
