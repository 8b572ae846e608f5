import {
  ACCOUNT_CORRELATIONS,
  ACCOUNT_ID_LENGTH_MAX,
  type AccountOfRecord,
  accountRef,
  CORRELATION_RULES_MAX,
  isAccountField,
  isIdentityField,
  type ManualLink,
  SOURCE_DEFAULTS,
  SOURCE_GROUPS,
} from '@access-admin/domain';
import * as v from 'valibot';
import { SOURCE_DESCRIPTION_LENGTH_MAX, SOURCE_NAME_LENGTH_MAX } from '../limits.ts';
import { assignments } from '../validation/access-window.ts';
import { attributes } from '../validation/attributes.ts';
import {
  atMost,
  closedObject,
  inOneDirection,
  optionalAttribute,
  optionalName,
  optionalText,
  recordId,
  reference,
} from '../validation/fields.ts';
import { failsWith } from '../validation/validate.ts';

const ATTRIBUTE = 'or attributes. and the name of one';

const correlationRule = closedObject({
  account: v.pipe(
    v.string(),
    v.check(isAccountField, failsWith('IllegalValue', `must be id, name, email, ${ATTRIBUTE}`)),
  ),
  identity: v.pipe(
    v.string(),
    v.check(
      isIdentityField,
      failsWith('IllegalValue', `must be id, uid, email, externalId, identificationNumber, ${ATTRIBUTE}`),
    ),
  ),
});

const percent = v.pipe(
  v.number(),
  v.integer(failsWith('IllegalValue', 'must be a whole number')),
  v.minValue(0, failsWith('IllegalValue', 'must be 0 to 100')),
  v.maxValue(100, failsWith('IllegalValue', 'must be 0 to 100')),
);

/** The record of a source in imports and exports. */
export const sourceRecord = v.strictObject({
  kind: v.literal('source'),
  id: recordId,
  name: v.pipe(reference, atMost(SOURCE_NAME_LENGTH_MAX), inOneDirection),
  description: optionalText(SOURCE_DESCRIPTION_LENGTH_MAX),
  authoritative: v.optional(v.boolean(), SOURCE_DEFAULTS.authoritative),
  identityProfileId: v.optional(v.nullable(reference), SOURCE_DEFAULTS.identityProfileId),
  correlation: v.optional(
    v.pipe(
      v.array(correlationRule),
      v.maxLength(
        CORRELATION_RULES_MAX,
        failsWith('LimitExceeded', `must have at most ${CORRELATION_RULES_MAX} rules`),
      ),
    ),
    () => SOURCE_DEFAULTS.correlation.map((rule) => ({ ...rule })),
  ),
  ignoreDisabled: v.optional(v.boolean(), SOURCE_DEFAULTS.ignoreDisabled),
  deleteThresholdPercent: v.optional(percent, SOURCE_DEFAULTS.deleteThresholdPercent),
  groups: v.optional(v.picklist(SOURCE_GROUPS), SOURCE_DEFAULTS.groups),
});

const hasNoControls = (text: string): boolean => !/\p{Cc}/u.test(text);

/** The id of an account in its source. */
export const accountId = v.pipe(
  reference,
  atMost(ACCOUNT_ID_LENGTH_MAX),
  v.check(hasNoControls, failsWith('IllegalValue', 'must not have control characters')),
);

/** What a source says of an account. Without a name its id is its name. */
export const accountEntries = {
  id: accountId,
  name: v.exactOptional(v.pipe(reference, atMost(ACCOUNT_ID_LENGTH_MAX), inOneDirection)),
  displayName: optionalName,
  email: optionalAttribute,
  disabled: v.optional(v.boolean(), false),
  attributes: v.exactOptional(attributes),
  access: v.optional(assignments, []),
};

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
