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
  type SodPolicyFields,
  type SodPolicyItem,
} from '@access-admin/domain';
import * as v from 'valibot';
import { assignments } from '../validation/access-window.ts';
import {
  atMost,
  closedObject,
  inOneDirection,
  name,
  notAnObject,
  optionalAttribute,
  optionalInstant,
  optionalMillis,
  optionalName,
  recordId,
  reference,
} from '../validation/fields.ts';
import { responseSchema } from '../validation/named-schema.ts';
import { failsWith } from '../validation/validate.ts';
import { capabilities } from './auth-users.ts';
import { controlRecord } from './controls.ts';
import { type CriteriaOf, finding, sodPolicyRecord } from './policies.ts';
import { lockoutEntries, networkEntries, sessionEntries } from './sign-in.ts';
import { uiOrigins, uiText } from './ui-metadata.ts';

const nullableShort = (lengthMax: number) =>
  v.nullable(
    v.pipe(
      v.string(),
      v.nonEmpty(failsWith('LengthOutOfRange', `must have 1 to ${lengthMax} characters`)),
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

const tenantId = v.literal('tenant');

/** The schemas of an upsert of the settings, of which a tenant has one record each. What is left out is reset. */
const settingRecords = {
  uiMetadata: v.strictObject({
    kind: v.literal('uiMetadata'),
    id: tenantId,
    iFrameWhitelist: uiOrigins,
    usernameLabel: uiText,
    usernameEmptyText: uiText,
  }),
  lockoutConfig: v.strictObject({ kind: v.literal('lockoutConfig'), id: tenantId, ...partial(lockoutEntries) }),
  sessionConfig: v.strictObject({ kind: v.literal('sessionConfig'), id: tenantId, ...partial(sessionEntries) }),
  networkConfig: v.strictObject({ kind: v.literal('networkConfig'), id: tenantId, ...partial(networkEntries) }),
};

/** Properties that may be left out. */
function partial<E extends v.ObjectEntries>(entries: E): { [K in keyof E]: v.ExactOptionalSchema<E[K], undefined> } {
  const optional = Object.entries(entries).map(([name, schema]) => [name, v.exactOptional(schema)] as const);
  // biome-ignore lint/plugin/type-assertion: Entries do not keep which name has which schema; each name has its own here.
  return Object.fromEntries(optional) as { [K in keyof E]: v.ExactOptionalSchema<E[K], undefined> };
}

/** People sign in with it. */
const uid = v.pipe(
  name,
  v.check(
    (text) => !hasCompatibilityForms(text),
    failsWith(
      'IllegalValue',
      (text) =>
        `must not have characters that stand for others, such as full-width letters and ligatures: write ${String(text).normalize('NFKC')}`,
    ),
  ),
);

const nameOr = (given: string | null, uid: string): string | null => given ?? uid;

/** The schema of an upsert of each kind of record. */
export const accessModelRecords = {
  entitlement: v.strictObject({ kind: v.literal('entitlement'), id: recordId, name, source: optionalAttribute }),
  accessProfile: v.strictObject({
    kind: v.literal('accessProfile'),
    id: recordId,
    name,
    entitlements: v.array(reference),
  }),
  role: v.strictObject({
    kind: v.literal('role'),
    id: recordId,
    name,
    accessProfiles: v.optional(v.array(reference), []),
    entitlements: v.optional(v.array(reference), []),
  }),
  identityProfile: v.strictObject({
    kind: v.literal('identityProfile'),
    id: recordId,
    name,
    authProfile: v.exactOptional(authProfileSettings),
  }),
  identity: v.pipe(
    v.strictObject({
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
  sodPolicy: sodPolicyRecord,
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
  const { kind }: { readonly kind?: unknown } = Object(input);
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
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return notAnObject;
  if (!('delete' in input && Object.hasOwn(input, 'delete'))) return upsert;
  return input.delete === true ? deletion : explicitUpsert;
});

/** A record as an export writes it. */
export type ExportedRecord =
  | Exclude<AccessModelRecord, { readonly delete: true } | { readonly kind: 'sodPolicy' }>
  | ({ readonly kind: 'sodPolicy' } & Omit<SodPolicyFields, 'conflictingAccessCriteria'> & {
        readonly conflictingAccessCriteria: CriteriaOf<Required<SodPolicyItem>>;
      });

/** One line of the export of the access model. */
export const exportedRecord = responseSchema<ExportedRecord>('ExportedRecord')(byKind);

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
  v.strictObject({
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
export const importResult = responseSchema<ImportResult>('ImportResult')(
  closedObject({
    counts: recordCounts,
    policySetVersion: v.number(),
    warnings: v.pipe(v.array(warning), v.maxLength(IMPORT_WARNINGS_MAX)),
  }),
);
