import {
  ACCESS_TYPES,
  type AccessHolder,
  AUTH_PROFILE_TYPES,
  CAPABILITIES,
  type IdentityProfile,
  type ListedIdentity,
  type ShownAccessProfile,
  type ShownEntitlement,
  type ShownIdentity,
  type ShownRole,
} from '@access-admin/domain';
import * as v from 'valibot';
import { SEARCH_LENGTH_MIN } from '../limits.ts';
import type { FilterField } from '../query/filters.ts';
import { shownExternalEntries } from '../validation/attributes.ts';
import { closedObject, shownText, timestamp, wholeNumber } from '../validation/fields.ts';
import { responseSchema } from '../validation/named-schema.ts';

const byId = { operators: ['eq', 'in'], kind: 'text' } as const satisfies FilterField;
const byText = {
  operators: ['eq', 'sw', 'co'],
  kind: 'text',
  partLengthMin: SEARCH_LENGTH_MIN,
} as const satisfies FilterField;
const bySame = { operators: ['eq'], kind: 'text' } as const satisfies FilterField;

const byPart = { operators: ['co'], kind: 'text', partLengthMin: SEARCH_LENGTH_MIN } as const satisfies FilterField;
const EXTERNAL_FILTERS = { 'attributes.*': byId, externalId: bySame } as const;

/** The fields that `filters` of the list of identity profiles can compare. `any` is the id and the name. */
export const NAMED_FILTERS = { id: byId, name: byText, any: byPart } as const;
/** The fields that `filters` of the lists of roles and access profiles can compare. */
export const BUNDLE_FILTERS = { ...NAMED_FILTERS, ...EXTERNAL_FILTERS } as const;
/** The fields that `filters` of the list of entitlements can compare. */
export const ENTITLEMENT_FILTERS = { ...BUNDLE_FILTERS, source: bySame } as const;
/** The fields that `filters` of the list of identities can compare. */
export const IDENTITY_FILTERS = {
  id: byId,
  displayName: byText,
  uid: byText,
  email: byText,
  /** The id, the uid, the email and the display name at once. */
  any: byPart,
  ...EXTERNAL_FILTERS,
  identityProfileId: bySame,
} as const;

/** The fields that `sorters` of these lists can name. Names are sorted without case. */
export const NAMED_SORTERS = ['id', 'name'] as const;
/** The fields that `sorters` of the list of identities can name. */
export const IDENTITY_SORTERS = ['id', 'displayName'] as const;

const millis = v.nullable(wholeNumber);
const refTo = <T extends string>(type: T) => closedObject({ type: v.literal(type), id: v.string(), name: v.string() });
const accessRef = { type: v.picklist(ACCESS_TYPES), id: v.string(), name: v.string() };

const shownEntitlement = closedObject({
  id: v.string(),
  name: v.string(),
  source: shownText,
  grants: v.array(closedObject({ resourceType: v.string(), resourceId: v.string(), action: v.string() })),
  ...shownExternalEntries,
});

/** Response of the read of one entitlement. */
export const entitlement = responseSchema<ShownEntitlement>('Entitlement')(shownEntitlement);
/** Response of the list of entitlements. */
export const entitlements = responseSchema<readonly ShownEntitlement[]>()(v.array(shownEntitlement));

const content = {
  id: v.string(),
  name: v.string(),
  entitlements: v.array(refTo('ENTITLEMENT')),
  ...shownExternalEntries,
};
const shownAccessProfile = closedObject(content);

/** Response of the read of one access profile. */
export const accessProfile = responseSchema<ShownAccessProfile>('AccessProfile')(shownAccessProfile);
/** Response of the list of access profiles. */
export const accessProfiles = responseSchema<readonly ShownAccessProfile[]>()(v.array(shownAccessProfile));

const shownRole = closedObject({ ...content, accessProfiles: v.array(refTo('ACCESS_PROFILE')) });

/** Response of the read of one role. */
export const role = responseSchema<ShownRole>('Role')(shownRole);
/** Response of the list of roles. */
export const roles = responseSchema<readonly ShownRole[]>()(v.array(shownRole));

const shownIdentityProfile = closedObject({
  id: v.string(),
  name: v.string(),
  authProfile: closedObject({
    type: v.picklist(AUTH_PROFILE_TYPES),
    offNetwork: v.boolean(),
    untrustedGeography: v.boolean(),
    applicationId: shownText,
    applicationName: shownText,
  }),
});

/** Response of the read of one identity profile. */
export const identityProfile = responseSchema<IdentityProfile>('IdentityProfile')(shownIdentityProfile);
/** Response of the list of identity profiles. */
export const identityProfiles = responseSchema<readonly IdentityProfile[]>()(v.array(shownIdentityProfile));

const attributes = {
  id: v.string(),
  uid: v.string(),
  displayName: shownText,
  alias: shownText,
  firstname: shownText,
  lastname: shownText,
  email: shownText,
  personalEmail: shownText,
  phone: shownText,
  workPhone: shownText,
  identificationNumber: shownText,
  lastPasswordChangeDate: v.nullable(timestamp),
  lastLoginTimestamp: millis,
  currentLoginTimestamp: millis,
  lastUnlockTimestamp: v.nullable(timestamp),
  active: v.boolean(),
  capabilities: v.array(v.picklist(CAPABILITIES)),
  identityProfile: refTo('IDENTITY_PROFILE'),
  violations: closedObject({ open: wholeNumber, mitigated: wholeNumber }),
  ...shownExternalEntries,
};

/** Response of the list of identities. */
export const identities = responseSchema<readonly ListedIdentity[]>()(v.array(closedObject(attributes)));
/** Response of the read of one identity. */
export const identity = responseSchema<ShownIdentity>('Identity')(
  closedObject({
    ...attributes,
    assignments: v.array(
      closedObject({
        ...accessRef,
        start: v.nullable(timestamp),
        end: v.nullable(timestamp),
        source: v.exactOptional(v.string()),
        accountKey: v.exactOptional(v.string()),
      }),
    ),
  }),
);

/** Response of the lists of holders. */
export const holders = responseSchema<readonly AccessHolder[]>()(
  v.array(
    closedObject({
      identity: refTo('IDENTITY'),
      via: v.array(closedObject(accessRef)),
      start: v.nullable(timestamp),
      end: v.nullable(timestamp),
    }),
  ),
);
