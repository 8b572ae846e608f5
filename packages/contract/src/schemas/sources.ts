import {
  ACCESS_TYPES,
  ACCOUNT_CORRELATIONS,
  ACCOUNT_ID_LENGTH_MAX,
  type AccountOfRecord,
  accountRef,
  CANDIDATES_MAX,
  CORRELATION_RULES_MAX,
  EXTERNAL_ID_LENGTH_MAX,
  isAccountField,
  isIdentityField,
  type ManualLink,
  type ShownAccount,
  SOURCE_DEFAULTS,
  SOURCE_GROUPS,
  type Source,
} from '@access-admin/domain';
import * as v from 'valibot';
import { NAME_LENGTH_MAX, SOURCE_DESCRIPTION_LENGTH_MAX, SOURCE_NAME_LENGTH_MAX } from '../limits.ts';
import type { FilterFields } from '../query/filters.ts';
import { assignments } from '../validation/access-window.ts';
import { attributes, shownAttributes } from '../validation/attributes.ts';
import {
  atMost,
  closedObject,
  instant,
  listOfAtMost,
  optionalAttribute,
  optionalName,
  optionalText,
  plainText,
  recordId,
  reference,
  timestamp,
  within,
} from '../validation/fields.ts';
import { requestSchema, responseSchema } from '../validation/named-schema.ts';
import { resourcePatch } from '../validation/patch.ts';
import { failsWith, illegal } from '../validation/validate.ts';

const ATTRIBUTE = 'or attributes. and the name of one';

const correlationRule = closedObject({
  account: v.pipe(reference, v.check(isAccountField, illegal(`must be id, name, email, ${ATTRIBUTE}`))),
  identity: v.pipe(
    reference,
    v.check(isIdentityField, illegal(`must be id, uid, email, externalId, identificationNumber, ${ATTRIBUTE}`)),
  ),
});

/** The record of a source in imports and exports. */
export const sourceRecord = v.strictObject({
  kind: v.literal('source'),
  id: recordId,
  name: v.pipe(reference, atMost(SOURCE_NAME_LENGTH_MAX), plainText),
  description: optionalText(SOURCE_DESCRIPTION_LENGTH_MAX),
  authoritative: v.optional(v.boolean(), SOURCE_DEFAULTS.authoritative),
  identityProfileId: v.optional(v.nullable(reference), SOURCE_DEFAULTS.identityProfileId),
  correlation: v.optional(listOfAtMost(correlationRule, CORRELATION_RULES_MAX, 'rules'), () =>
    SOURCE_DEFAULTS.correlation.map((rule) => ({ ...rule })),
  ),
  ignoreDisabled: v.optional(v.boolean(), SOURCE_DEFAULTS.ignoreDisabled),
  deleteThresholdPercent: v.optional(within(0, 100), SOURCE_DEFAULTS.deleteThresholdPercent),
  groups: v.optional(v.picklist(SOURCE_GROUPS), SOURCE_DEFAULTS.groups),
});

const hasNoControls = (text: string): boolean => !/\p{Cc}/u.test(text);

/** The id of an account in its source. */
export const accountId = v.pipe(
  reference,
  atMost(ACCOUNT_ID_LENGTH_MAX),
  v.check(hasNoControls, illegal('must not have control characters')),
);

/** What a source says of an account. Without a name its id is its name. */
export const accountEntries = {
  id: accountId,
  name: v.exactOptional(v.pipe(reference, atMost(ACCOUNT_ID_LENGTH_MAX), plainText)),
  displayName: optionalName,
  email: optionalAttribute,
  disabled: v.optional(v.boolean(), false),
  attributes: v.exactOptional(attributes),
  access: v.optional(assignments, []),
};

/** What a source says of an account, without its kind. */
export const accountFields = v.strictObject(accountEntries);

const REQUIRED = failsWith('RequiredMissing', 'is required');

/** The fields of a group of SCIM, once a request has set them. */
export const scimGroupFields = closedObject({
  displayName: v.pipe(v.string(REQUIRED), v.regex(/\S/, REQUIRED), atMost(NAME_LENGTH_MAX)),
  externalId: v.nullable(v.pipe(v.string(), atMost(EXTERNAL_ID_LENGTH_MAX))),
});

const accountUpsert = v.strictObject({
  kind: v.literal('account'),
  source: recordId,
  ...accountEntries,
  identityId: v.exactOptional(v.nullable(reference)),
  correlation: v.exactOptional(v.picklist(ACCOUNT_CORRELATIONS)),
  madeIdentityId: v.exactOptional(v.nullable(reference)),
});

type AccountUpsert = v.InferOutput<typeof accountUpsert>;

/**
 * The record of an account in imports. An `identityId` links it by hand, unless `correlation` says that it came by a rule. Left
 * out, the link stays as it is.
 */
export const accountRecord = v.pipe(
  accountUpsert,
  v.check(
    ({ correlation, identityId }) => correlation !== 'MANUAL' || identityId !== undefined,
    failsWith('RequiredMissing', 'identityId is required where correlation is MANUAL'),
  ),
  v.transform(
    ({ identityId, correlation, ...account }: AccountUpsert): { readonly kind: 'account' } & AccountOfRecord => {
      const manual = manualLinkOf({ identityId, correlation });
      return {
        ...account,
        name: account.name ?? account.id,
        id: accountRef(account.source, account.id),
        account: account.id,
        ...(manual === undefined ? {} : { manual }),
      };
    },
  ),
);

function manualLinkOf({
  identityId,
  correlation = 'MANUAL',
}: {
  readonly identityId: string | null | undefined;
  readonly correlation: AccountUpsert['correlation'];
}): ManualLink | null | undefined {
  if (correlation !== 'MANUAL') return null;
  return identityId === undefined ? undefined : { identityId };
}

/** A record that deletes an account. */
export const accountDeletion = v.pipe(
  v.looseObject({ kind: v.literal('account'), source: recordId, id: accountId, delete: v.literal(true) }),
  v.transform(({ kind, source, id }) => ({ kind, id: accountRef(source, id), delete: true as const })),
);

/** The record of an account in exports. */
export const exportedAccount = v.strictObject({
  kind: v.literal('account'),
  source: v.string(),
  id: v.string(),
  name: v.string(),
  displayName: v.exactOptional(v.string()),
  email: v.exactOptional(v.string()),
  disabled: v.boolean(),
  attributes: v.exactOptional(attributes),
  access: assignments,
  identityId: v.nullable(v.string()),
  correlation: v.picklist(ACCOUNT_CORRELATIONS),
  madeIdentityId: v.exactOptional(v.string()),
});

/** The fields that `filters` of the list of sources can compare. */
export const SOURCE_FILTERS = {
  id: { operators: ['eq', 'in'], kind: 'text' },
  name: { operators: ['eq', 'in', 'sw', 'co'], kind: 'text' },
} as const satisfies FilterFields;

/** The fields that `filters` of the list of accounts can compare. */
export const ACCOUNT_FILTERS = {
  source: { operators: ['eq', 'in'], kind: 'text' },
  identityId: { operators: ['eq'], kind: 'text', isNullable: true },
  correlation: { operators: ['eq', 'in'], kind: 'text', values: ACCOUNT_CORRELATIONS },
  name: { operators: ['sw', 'co'], kind: 'text' },
  disabled: { operators: ['eq'], kind: 'text', values: ['true', 'false'] },
} as const satisfies FilterFields;

const { kind: _, id: __, ...fields } = sourceRecord.entries;

/** Request that creates or replaces a source. Read-only properties are accepted and dropped. */
export const sourceFields = requestSchema(
  'SourceFields',
  v.pipe(
    closedObject({
      ...fields,
      id: v.exactOptional(recordId),
      created: v.exactOptional(instant),
      modified: v.exactOptional(instant),
      lastLoad: v.exactOptional(v.nullable(v.string())),
    }),
    v.transform(({ created: _created, modified: _modified, lastLoad: _lastLoad, ...source }) => source),
  ),
);

/** Patches of a source as answers show it. */
export const sourcePatch = resourcePatch(sourceFields, {
  id: 'readOnly',
  name: 'required',
  description: 'optional',
  authoritative: 'required',
  identityProfileId: 'optional',
  correlation: 'required',
  ignoreDisabled: 'required',
  deleteThresholdPercent: 'required',
  groups: 'required',
  created: 'readOnly',
  modified: 'readOnly',
  lastLoad: 'readOnly',
});

const shownSource = closedObject({
  id: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  authoritative: v.boolean(),
  identityProfileId: v.nullable(v.string()),
  correlation: v.array(closedObject({ account: v.string(), identity: v.string() })),
  ignoreDisabled: v.boolean(),
  deleteThresholdPercent: v.pipe(v.number(), v.integer(), v.maxValue(100)),
  groups: v.picklist(SOURCE_GROUPS),
  created: timestamp,
  modified: timestamp,
  lastLoad: v.nullable(v.string()),
});

/** Response of the operations on one source. */
export const source = responseSchema<Source>('Source')(shownSource);

/** Response of the list of sources. */
export const sources = responseSchema<readonly Source[]>()(v.array(shownSource));

const shownAccount = closedObject({
  key: v.string(),
  source: v.string(),
  id: v.string(),
  name: v.string(),
  displayName: v.nullable(v.string()),
  email: v.nullable(v.string()),
  disabled: v.boolean(),
  attributes: shownAttributes,
  access: v.array(
    closedObject({
      type: v.picklist(ACCESS_TYPES),
      id: v.string(),
      start: v.nullable(timestamp),
      end: v.nullable(timestamp),
    }),
  ),
  identityId: v.nullable(v.string()),
  correlation: v.picklist(ACCOUNT_CORRELATIONS),
  candidates: v.pipe(v.array(v.string()), v.maxLength(CANDIDATES_MAX)),
});

/** Response of the operations on one account. */
export const account = responseSchema<ShownAccount>('Account')(shownAccount);

/** Response of the list of accounts. */
export const accounts = responseSchema<readonly ShownAccount[]>()(v.array(shownAccount));

/** Request that gives an account its identity by hand; null for none. */
export const accountIdentity = requestSchema('AccountIdentity', closedObject({ identityId: v.nullable(reference) }));
