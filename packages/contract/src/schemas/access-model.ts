import {
  type AccessModelRecord,
  APPLICATION_ID_LENGTH_MAX,
  APPLICATION_NAME_LENGTH_MAX,
  AUTH_PROFILE_TYPES,
  hasCompatibilityForms,
  IMPORT_WARNINGS_MAX,
  type ImportCounts,
  type ImportWarning,
  RECORD_KINDS,
  RECORD_TYPES,
  type RecordKind,
  SOD_POLICY_AT_LEAST_MIN,
  SOD_POLICY_ITEMS_MAX,
  SOD_POLICY_LEVELS,
  SOD_POLICY_SIDES_MAX,
  SOD_POLICY_STATES,
  type SodPolicyFields,
  type SodPolicyItem,
} from '@access-admin/domain';
import * as v from 'valibot';
import { TAGS_MAX } from '../limits.ts';
import { assignments } from '../validation/access-window.ts';
import {
  atMost,
  closedObject,
  inOneDirection,
  name,
  optionalAttribute,
  optionalInstant,
  optionalLongText,
  optionalMillis,
  optionalName,
  optionalOwner,
  recordId,
  reference,
} from '../validation/fields.ts';
import { responseSchema } from '../validation/response-schema.ts';
import { issueText } from '../validation/validate.ts';
import { capabilities } from './administration/auth-users.ts';
import { controlRecord } from './control-record.ts';
import { settingRecords } from './setting-records.ts';
import { finding } from './sod-lint.ts';

const nullableShort = (lengthMax: number) =>
  v.nullable(
    v.pipe(
      v.string(),
      v.nonEmpty(issueText('LengthOutOfRange', `must have 1 to ${lengthMax} characters`)),
      atMost(lengthMax),
      inOneDirection,
    ),
  );

const authProfileSettings = closedObject({
  type: v.exactOptional(v.picklist(AUTH_PROFILE_TYPES)),
  offNetwork: v.exactOptional(v.boolean()),
  untrustedGeography: v.exactOptional(v.boolean()),
  applicationId: v.exactOptional(nullableShort(APPLICATION_ID_LENGTH_MAX)),
  applicationName: v.exactOptional(nullableShort(APPLICATION_NAME_LENGTH_MAX)),
});

// Responses show `deleted`: it is accepted and dropped, so that callers can send back what they have read.
const sodPolicyItem = v.pipe(
  closedObject({
    type: v.literal('ENTITLEMENT'),
    id: recordId,
    name: optionalName,
    deleted: v.exactOptional(v.literal(true)),
  }),
  v.transform(({ type, id, name: given }) => ({ type, id, name: given })),
);

const sodCriteria = closedObject({
  name: optionalName,
  criteriaList: v.pipe(
    v.array(sodPolicyItem),
    // The domain validates it.
    v.metadata({ minItems: 1, maxItems: SOD_POLICY_ITEMS_MAX }),
  ),
});

const twoSidedCriteria = closedObject({ leftCriteria: sodCriteria, rightCriteria: sodCriteria });

// The domain validates the number of sides and the range of `atLeast`.
const sides = (minItems: number, maxItems: number) => v.pipe(v.array(sodCriteria), v.metadata({ minItems, maxItems }));
const atLeast = (minimum: number, maximum: number) =>
  v.pipe(v.number(), v.integer(issueText('IllegalValue', 'must be a whole number')), v.metadata({ minimum, maximum }));

const kOfNCriteria = closedObject({
  criteria: sides(SOD_POLICY_AT_LEAST_MIN, SOD_POLICY_SIDES_MAX),
  atLeast: atLeast(SOD_POLICY_AT_LEAST_MIN, SOD_POLICY_SIDES_MAX),
});

const criticalAccessCriteria = closedObject({ criteria: sides(1, 1), atLeast: v.optional(atLeast(1, 1), 1) });

const anyCriteria = v.union([twoSidedCriteria, kOfNCriteria, criticalAccessCriteria]);

/** The criteria of a policy: two-sided, k-of-n, or critical access with one side. */
export const conflictingAccessCriteria: typeof anyCriteria = {
  ...anyCriteria,
  // A union reports only that no option fits. The number of `criteria` selects the form whose issues are reported.
  '~run': (dataset, config) => formOf(dataset.value)['~run'](dataset, config),
};

function formOf(input: unknown): (typeof anyCriteria.options)[number] {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, 'criteria')) return twoSidedCriteria;
  const { criteria } = input as { readonly criteria: unknown };
  return Array.isArray(criteria) && criteria.length === 1 ? criticalAccessCriteria : kOfNCriteria;
}

/** People sign in with it. */
const uid = v.pipe(
  name,
  v.check<string, (issue: v.CheckIssue<string>) => string>(
    (text) => !hasCompatibilityForms(text),
    ({ input }) =>
      issueText(
        'IllegalValue',
        `must not have characters that stand for others, such as full-width letters and ligatures: write ${input.normalize('NFKC')}`,
      ),
  ),
);

const nameOr = (given: string | null, uid: string): string | null => given ?? uid;

/** The schema of an upsert of each kind of record. */
export const accessModelRecords = {
  entitlement: closedObject({ kind: v.literal('entitlement'), id: recordId, name, source: optionalAttribute }),
  accessProfile: closedObject({
    kind: v.literal('accessProfile'),
    id: recordId,
    name,
    entitlements: v.array(reference),
  }),
  role: closedObject({
    kind: v.literal('role'),
    id: recordId,
    name,
    accessProfiles: v.optional(v.array(reference), []),
    entitlements: v.optional(v.array(reference), []),
  }),
  identityProfile: closedObject({
    kind: v.literal('identityProfile'),
    id: recordId,
    name,
    authProfile: v.exactOptional(authProfileSettings),
  }),
  identity: v.pipe(
    closedObject({
      kind: v.literal('identity'),
      id: recordId,
      uid,
      identityProfile: reference,
      displayName: optionalName,
      alias: optionalName,
      firstname: optionalAttribute,
      lastname: optionalAttribute,
      email: optionalAttribute,
      personalEmail: optionalAttribute,
      phone: optionalAttribute,
      workPhone: optionalAttribute,
      identificationNumber: optionalAttribute,
      lastPasswordChangeDate: optionalInstant,
      lastLoginTimestamp: optionalMillis,
      currentLoginTimestamp: optionalMillis,
      lastUnlockTimestamp: optionalInstant,
      capabilities: v.exactOptional(capabilities),
      access: v.exactOptional(assignments),
    }),
    v.transform((identity) => ({
      ...identity,
      displayName: nameOr(identity.displayName, identity.uid),
      alias: nameOr(identity.alias, identity.uid),
    })),
  ),
  sodPolicy: closedObject({
    kind: v.literal('sodPolicy'),
    id: recordId,
    name,
    description: optionalLongText,
    state: v.optional(v.picklist(SOD_POLICY_STATES), 'ENFORCED'),
    level: v.optional(v.picklist(SOD_POLICY_LEVELS), 'HIGH'),
    type: v.optional(v.literal('CONFLICTING_ACCESS_BASED'), 'CONFLICTING_ACCESS_BASED'),
    conflictingAccessCriteria,
    externalPolicyReference: optionalAttribute,
    compensatingControls: optionalLongText,
    correctionAdvice: optionalLongText,
    tags: v.optional(
      v.pipe(v.array(name), v.maxLength(TAGS_MAX, issueText('LimitExceeded', `must have at most ${TAGS_MAX} tags`))),
      [],
    ),
    ownerRef: optionalOwner,
  }),
  control: controlRecord,
  ...settingRecords,
} satisfies Record<RecordKind, v.GenericSchema>;

const deletion = v.pipe(
  v.looseObject({ kind: v.picklist(RECORD_KINDS), id: recordId, delete: v.literal(true) }),
  v.transform(({ kind, id }) => ({ kind, id, delete: true as const })),
);

const byKind = v.variant('kind', [
  accessModelRecords.entitlement,
  accessModelRecords.accessProfile,
  accessModelRecords.role,
  accessModelRecords.identityProfile,
  accessModelRecords.identity,
  accessModelRecords.sodPolicy,
  accessModelRecords.control,
  accessModelRecords.uiMetadata,
  accessModelRecords.lockoutConfig,
  accessModelRecords.sessionConfig,
  accessModelRecords.networkConfig,
]);

const upsert = v.lazy((input) => {
  const { kind } = Object(input) as { readonly kind?: unknown };
  const known = RECORD_KINDS.find((each) => each === kind);
  return known === undefined ? byKind : accessModelRecords[known];
});

/** An upsert may say that it does not delete. */
const explicitUpsert = v.pipe(
  v.looseObject({ delete: v.boolean() }),
  v.transform(({ delete: _, ...record }): unknown => record),
  upsert,
);

/** One line of an import: an upsert, or a delete, of which all but `kind` and `id` is ignored. */
export const accessModelRecord = v.lazy((input) => {
  // For a value that is not an object every schema reports the same issue.
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return accessModelRecords.entitlement;
  if (!Object.hasOwn(input, 'delete')) return upsert;
  return (input as { readonly delete: unknown }).delete === true ? deletion : explicitUpsert;
});

/** The criteria of a policy whose items are of type `Item`. */
export type CriteriaOf<Item> =
  | { readonly leftCriteria: SideOf<Item>; readonly rightCriteria: SideOf<Item> }
  | { readonly criteria: readonly SideOf<Item>[]; readonly atLeast: number };

interface SideOf<Item> {
  readonly name: string | null;
  readonly criteriaList: readonly Item[];
}

/** A record as an export writes it. */
export type ExportedRecord =
  | Exclude<AccessModelRecord, { readonly delete: true } | { readonly kind: 'sodPolicy' }>
  | ({ readonly kind: 'sodPolicy' } & Omit<SodPolicyFields, 'conflictingAccessCriteria'> & {
        readonly conflictingAccessCriteria: CriteriaOf<Required<SodPolicyItem>>;
      });

/** One line of the export of the access model. */
export const exportedRecord = responseSchema<ExportedRecord>()(byKind);

const counts = closedObject({
  created: v.number(),
  updated: v.number(),
  deleted: v.number(),
  unchanged: v.number(),
});

/** The counts of an import by kind of record. */
export const recordCounts = closedObject({
  entitlement: counts,
  accessProfile: counts,
  role: counts,
  identityProfile: counts,
  identity: counts,
  sodPolicy: counts,
  control: counts,
  uiMetadata: counts,
  lockoutConfig: counts,
  sessionConfig: counts,
  networkConfig: counts,
});

const warning = v.variant('code', [
  finding,
  closedObject({
    code: v.literal('REPEATED_RECORD'),
    severity: v.literal('WARNING'),
    policyId: v.nullable(v.string()),
    ref: closedObject({ type: v.picklist(Object.values(RECORD_TYPES)), id: v.string() }),
    related: v.pipe(v.array(v.never()), v.maxLength(0)),
    text: v.string(),
  }),
]);

/** What an import did. */
export interface ImportResult {
  readonly counts: { readonly [K in RecordKind]: ImportCounts };
  /** Increases with every change of policies or of the catalogue that they refer to. */
  readonly policySetVersion: number;
  /**
   * Records that several lines give, at most 20, then findings of lint on the given policies, access profiles and roles and on
   * the deleted entitlements: the first 100 in all.
   */
  readonly warnings: readonly ImportWarning[];
}

/** Response of an import. */
export const importResult = responseSchema<ImportResult>()(
  closedObject({
    counts: recordCounts,
    policySetVersion: v.number(),
    warnings: v.pipe(v.array(warning), v.maxLength(IMPORT_WARNINGS_MAX)),
  }),
);
