import {
  type AccessModelRecord,
  type ExportedAccount,
  hasCompatibilityForms,
  IMPORT_WARNINGS_MAX,
  type ImportCounts,
  LINT_CODES,
  LINT_SEVERITIES,
  type LintCode,
  type LintSeverity,
  RECORD_KINDS,
  RECORD_TYPES,
  type RecordKind,
  type RelatedPolicy,
  type SodPolicyFields,
  type SodPolicyItem,
} from '@access-admin/domain';
import * as v from 'valibot';
import { assignments } from '../validation/access-window.ts';
import { externalEntries } from '../validation/attributes.ts';
import { chosen } from '../validation/chosen.ts';
import {
  anObject,
  closedObject,
  name,
  optionalAttribute,
  optionalInstant,
  optionalMillis,
  optionalName,
  recordId,
  reference,
  wholeNumber,
} from '../validation/fields.ts';
import { optionalGrants } from '../validation/grants.ts';
import { requestSchema, responsePart, responseSchema } from '../validation/named-schema.ts';
import { illegal } from '../validation/validate.ts';
import { authProfileEntries } from './auth-profiles.ts';
import { capabilities } from './auth-users.ts';
import { brandingEntries } from './branding.ts';
import { controlRecord } from './controls.ts';
import { type CriteriaOf, relatedPolicy, sodPolicyRecord } from './policies.ts';
import { lockoutEntries, networkEntries, sessionEntries } from './sign-in.ts';
import { accountDeletion, accountRecord, exportedAccount, sourceRecord } from './sources.ts';
import { uiMetadataEntries } from './ui-metadata.ts';

const tenantId = v.literal('tenant');

/** Upserts of settings. A tenant has one record of each kind, and omitted properties are reset. */
const settingRecords = {
  uiMetadata: v.strictObject({ kind: v.literal('uiMetadata'), id: tenantId, ...uiMetadataEntries }),
  branding: v.strictObject({ kind: v.literal('branding'), id: tenantId, ...brandingEntries }),
  lockoutConfig: v.strictObject({ kind: v.literal('lockoutConfig'), id: tenantId, ...partial(lockoutEntries) }),
  sessionConfig: v.strictObject({ kind: v.literal('sessionConfig'), id: tenantId, ...partial(sessionEntries) }),
  networkConfig: v.strictObject({ kind: v.literal('networkConfig'), id: tenantId, ...partial(networkEntries) }),
};

/** Makes all entries optional. `v.partial` would also accept an explicit `undefined`. */
function partial<E extends v.ObjectEntries>(entries: E): { [K in keyof E]: v.ExactOptionalSchema<E[K], undefined> } {
  const optional = Object.entries(entries).map(([name, schema]) => [name, v.exactOptional(schema)] as const);
  // biome-ignore lint/plugin/type-assertion: Entries do not keep which name has which schema; each name has its own here.
  return Object.fromEntries(optional) as { [K in keyof E]: v.ExactOptionalSchema<E[K], undefined> };
}

/** The username of a sign-in. */
const uid = v.pipe(
  name,
  v.check(
    (text) => !hasCompatibilityForms(text),
    illegal(
      (text) =>
        `must not have characters that stand for others, such as full-width letters and ligatures: write ${String(text).normalize('NFKC')}`,
    ),
  ),
);

const identityRecord = v.strictObject({
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
  active: v.exactOptional(v.boolean()),
  capabilities: v.exactOptional(capabilities),
  access: v.exactOptional(assignments),
  ...externalEntries,
});

/** Defaults the display name and the alias to the uid. */
const withNames = <T extends Named>() =>
  v.transform(
    (identity: T): T => ({
      ...identity,
      displayName: identity.displayName ?? identity.uid,
      alias: identity.alias ?? identity.uid,
    }),
  );

interface Named {
  readonly uid: string;
  readonly displayName: string | null;
  readonly alias: string | null;
}

/** The schema of an upsert of each kind of record. */
export const accessModelRecords = {
  entitlement: v.strictObject({
    kind: v.literal('entitlement'),
    id: recordId,
    name,
    source: optionalAttribute,
    grants: optionalGrants,
    ...externalEntries,
  }),
  accessProfile: v.strictObject({
    kind: v.literal('accessProfile'),
    id: recordId,
    name,
    entitlements: v.array(reference),
    ...externalEntries,
  }),
  role: v.strictObject({
    kind: v.literal('role'),
    id: recordId,
    name,
    accessProfiles: v.optional(v.array(reference), []),
    entitlements: v.optional(v.array(reference), []),
    ...externalEntries,
  }),
  identityProfile: v.strictObject({
    kind: v.literal('identityProfile'),
    id: recordId,
    name,
    authProfile: v.exactOptional(closedObject(partial(authProfileEntries))),
  }),
  identity: v.pipe(identityRecord, withNames<v.InferOutput<typeof identityRecord>>()),
  source: sourceRecord,
  account: accountRecord,
  sodPolicy: sodPolicyRecord,
  control: controlRecord,
  ...settingRecords,
} satisfies Record<RecordKind, v.GenericSchema>;

for (const kind of RECORD_KINDS) {
  const named = kind.charAt(0).toUpperCase() + kind.slice(1);
  requestSchema(`${named}Record`, accessModelRecords[kind]);
  responsePart(`Exported${named}`, kind === 'account' ? exportedAccount : accessModelRecords[kind]);
}

/** The entries of a record without its kind and id. */
function fieldsOf<E extends v.ObjectEntries & { readonly kind: unknown; readonly id: unknown }>({
  kind: _,
  id: __,
  ...entries
}: E): Omit<E, 'kind' | 'id'> {
  return entries;
}

const anyId = { id: v.exactOptional(recordId) };
const newId = { id: recordId };
const { entitlement, accessProfile, role, identityProfile } = accessModelRecords;
const newIdentity = closedObject({ ...newId, ...fieldsOf(identityRecord.entries) });
const changedIdentity = closedObject({ ...anyId, ...fieldsOf(identityRecord.entries) });

/** Bodies that create one record: import records without the kind. */
export const newRecords = {
  entitlement: requestSchema('CreateEntitlementRequest', closedObject({ ...newId, ...fieldsOf(entitlement.entries) })),
  accessProfile: requestSchema(
    'CreateAccessProfileRequest',
    closedObject({ ...newId, ...fieldsOf(accessProfile.entries) }),
  ),
  role: requestSchema('CreateRoleRequest', closedObject({ ...newId, ...fieldsOf(role.entries) })),
  identityProfile: requestSchema(
    'CreateIdentityProfileRequest',
    closedObject({ ...newId, ...fieldsOf(identityProfile.entries) }),
  ),
  identity: requestSchema('CreateIdentityRequest', v.pipe(newIdentity, withNames<v.InferOutput<typeof newIdentity>>())),
};

/** Bodies that replace one record, whose id is in the path. */
export const changedRecords = {
  entitlement: requestSchema('EntitlementFields', closedObject({ ...anyId, ...fieldsOf(entitlement.entries) })),
  accessProfile: requestSchema('AccessProfileFields', closedObject({ ...anyId, ...fieldsOf(accessProfile.entries) })),
  role: requestSchema('RoleFields', closedObject({ ...anyId, ...fieldsOf(role.entries) })),
  identityProfile: requestSchema(
    'IdentityProfileFields',
    closedObject({ ...anyId, ...fieldsOf(identityProfile.entries) }),
  ),
  identity: requestSchema(
    'IdentityFields',
    v.pipe(changedIdentity, withNames<v.InferOutput<typeof changedIdentity>>()),
  ),
};

const deletion = requestSchema(
  'RecordDeletion',
  v.pipe(
    v.looseObject({ kind: v.picklist(RECORD_KINDS), id: recordId, delete: v.literal(true) }),
    v.transform(({ kind, id }) => ({ kind, id, delete: true as const })),
  ),
);

/** The kinds whose records imports and exports write alike. */
const alike = [
  accessModelRecords.entitlement,
  accessModelRecords.accessProfile,
  accessModelRecords.role,
  accessModelRecords.identityProfile,
  accessModelRecords.source,
  accessModelRecords.identity,
  accessModelRecords.sodPolicy,
  accessModelRecords.control,
  accessModelRecords.uiMetadata,
  accessModelRecords.branding,
  accessModelRecords.lockoutConfig,
  accessModelRecords.sessionConfig,
  accessModelRecords.networkConfig,
] as const;

const byKind = requestSchema('AccessModelRecord', v.variant('kind', [...alike, accessModelRecords.account]));

/** Accepts `"delete": false`. */
const explicitUpsert = v.pipe(
  v.looseObject({ delete: v.boolean() }),
  v.transform(({ delete: _, ...record }): unknown => record),
  byKind,
);

/** Names the properties that a record's kind does not have. */
export function unknownProperties(record: object): readonly string[] {
  const { kind, delete: _, ...given }: { readonly kind?: unknown; readonly delete?: unknown } = record;
  const known = RECORD_KINDS.find((each) => each === kind);
  return known === undefined
    ? []
    : Object.keys(given).filter((each) => !Object.hasOwn(accessModelRecords[known].entries, each));
}

/** An import line: an upsert, or a delete, which ignores all but `kind` and `id`. */
export const accessModelRecord = chosen(v.union([byKind, deletion, accountDeletion]), (input) => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return anObject;
  if (!('delete' in input && Object.hasOwn(input, 'delete'))) return byKind;
  if (input.delete !== true) return explicitUpsert;
  return 'kind' in input && input.kind === 'account' ? accountDeletion : deletion;
});

/** A record as an export writes it. */
export type ExportedRecord =
  | Exclude<AccessModelRecord, { readonly delete: true } | { readonly kind: 'sodPolicy' | 'account' }>
  | ExportedAccount
  | ({ readonly kind: 'sodPolicy' } & Omit<SodPolicyFields, 'conflictingAccessCriteria'> & {
        readonly conflictingAccessCriteria: CriteriaOf<Required<SodPolicyItem>>;
      });

/** One line of the export of the access model. */
export const exportedRecord = responseSchema<ExportedRecord>('ExportedRecord')(
  v.variant('kind', [...alike, exportedAccount]),
);

const counts = closedObject({
  created: wholeNumber,
  updated: wholeNumber,
  deleted: wholeNumber,
  unchanged: wholeNumber,
});

/** The counts of an import by kind of record. */
export const recordCounts = closedObject(v.entriesFromList(RECORD_KINDS, counts));

/** A warning of an import: a finding of lint, an item that does not exist, lines that give the same record, or an account that could make no identity. */
export interface ImportWarning {
  readonly code: LintCode | 'UNKNOWN_ITEM' | 'REPEATED_RECORD' | 'ACCOUNT_WITHOUT_IDENTITY';
  readonly severity: LintSeverity;
  /** Null where the record is of another kind. */
  readonly policyId: string | null;
  /** What the warning is about; null when that is the whole policy. */
  readonly ref: { readonly type: (typeof RECORD_TYPES)[RecordKind]; readonly id: string } | null;
  /** The policies that a finding compares it with. */
  readonly related: readonly RelatedPolicy[];
  readonly text: string;
}

// One form for all: forms that differ by the value of a property alone are no union that generated clients can read.
const warning = closedObject({
  code: v.picklist([...LINT_CODES, 'UNKNOWN_ITEM', 'REPEATED_RECORD', 'ACCOUNT_WITHOUT_IDENTITY']),
  severity: v.picklist(LINT_SEVERITIES),
  policyId: v.nullable(v.string()),
  ref: v.nullable(closedObject({ type: v.picklist(Object.values(RECORD_TYPES)), id: v.string() })),
  related: v.array(relatedPolicy),
  text: v.string(),
});
responseSchema<ImportWarning>('ImportWarning')(warning);

/** The outcome of an import. */
export interface ImportResult {
  readonly counts: { readonly [K in RecordKind]: ImportCounts };
  /** Increases with every change of policies or of the catalogue that they refer to. */
  readonly policySetVersion: number;
  /**
   * At most 20 warnings of repeated records and 20 of accounts without an identity, then lint findings on the upserted policies,
   * access profiles and roles and on the deleted entitlements. The first 100 in all.
   */
  readonly warnings: readonly ImportWarning[];
}

/** Response of an import. */
export const importResult = responseSchema<ImportResult>('ImportResult')(
  closedObject({
    counts: recordCounts,
    policySetVersion: wholeNumber,
    warnings: v.pipe(v.array(warning), v.maxLength(IMPORT_WARNINGS_MAX)),
  }),
);
