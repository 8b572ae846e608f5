import {
  type Branding,
  configuredSettings,
  type ExportRecord,
  mapSides,
  type RecordKind,
  type SignInSettings,
  type SodCriteria,
  type UiMetadata,
} from '@access-admin/domain';
import { rowToAccessProfile, rowToEntitlement, rowToRole } from '../access/records/catalogue-codec.ts';
import { rowToIdentity } from '../access/records/identity-codec.ts';
import { rowToIdentityProfile } from '../access/records/identity-profile-codec.ts';
import { rowToAccount, rowToSource } from '../access/sources/codec.ts';
import { rowToControl } from '../governance/controls/codec.ts';
import { rowToSodPolicy } from '../policies/rulebook/policy-codec.ts';
import type {
  AccessProfileRow,
  AccountRow,
  ControlRow,
  EntitlementRow,
  IdentityProfileRow,
  IdentityRow,
  RoleRow,
  SodPolicyRow,
  SourceRow,
} from '../schema/tables.ts';

type RecordOf<K extends RecordKind> = Extract<ExportRecord, { readonly kind: K }>;

// One function for each kind. A record has what an import accepts, without the values that an import fills in itself.

export const entitlementRecord = (row: EntitlementRow): ExportRecord =>
  withoutNulls({ kind: 'entitlement', ...rowToEntitlement(row) });

export const accessProfileRecord = (row: AccessProfileRow): ExportRecord => ({
  kind: 'accessProfile',
  ...rowToAccessProfile(row),
});

export const roleRecord = (row: RoleRow): ExportRecord => ({ kind: 'role', ...rowToRole(row) });

export const identityProfileRecord = (row: IdentityProfileRow): ExportRecord => ({
  kind: 'identityProfile',
  ...rowToIdentityProfile(row),
});

export const identityRecord = (row: IdentityRow): ExportRecord =>
  withoutNulls({ kind: 'identity', ...rowToIdentity(row) });

export function sourceRecord(row: SourceRow): ExportRecord {
  const { created: _, modified: __, lastLoad: ___, ...source } = rowToSource(row);
  return withoutNulls<RecordOf<'source'>>({ kind: 'source', ...source });
}

export function accountRecord(row: AccountRow): ExportRecord {
  const { source, id, name, displayName, email, disabled, ...account } = rowToAccount(row);
  return {
    kind: 'account',
    source,
    id,
    name,
    ...(displayName === null ? {} : { displayName }),
    ...(email === null ? {} : { email }),
    disabled,
    ...(account.attributes === undefined ? {} : { attributes: account.attributes }),
    access: account.access,
    identityId: account.identityId,
    correlation: account.correlation,
    ...(account.madeIdentityId === null ? {} : { madeIdentityId: account.madeIdentityId }),
  };
}

export function sodPolicyRecord(row: SodPolicyRow): ExportRecord {
  const {
    created: _created,
    modified: _modified,
    creatorId: _creatorId,
    modifierId: _modifierId,
    tags,
    ownerRef,
    attributes,
    scheduled,
    conflictingAccessCriteria,
    ...fields
  } = rowToSodPolicy(row);
  return withoutNulls<RecordOf<'sodPolicy'>>({
    kind: 'sodPolicy',
    ...fields,
    conflictingAccessCriteria: mapSides(conflictingAccessCriteria, criteriaRecord),
    tags: tags.length > 0 ? tags : null,
    attributes: isEmpty(attributes) ? null : attributes,
    scheduled: scheduled || null,
    ownerRef: ownerRef && withoutNulls(ownerRef),
  });
}

export function controlRecord(row: ControlRow): ExportRecord {
  const { created: _, modified: __, owner, secondaryOwners, ...fields } = rowToControl(row);
  return withoutNulls<RecordOf<'control'>>({
    kind: 'control',
    ...fields,
    owner: owner && withoutNulls(owner),
    secondaryOwners: secondaryOwners.map((each) => withoutNulls(each)),
  });
}

export const brandingRecord = (branding: Branding): ExportRecord =>
  withoutNulls<RecordOf<'branding'>>({ kind: 'branding', id: 'tenant', ...branding });

export const uiMetadataRecord = (metadata: UiMetadata): ExportRecord =>
  withoutNulls<RecordOf<'uiMetadata'>>({ kind: 'uiMetadata', id: 'tenant', ...metadata });

/** The settings of sign-in that have other values than those of a tenant that has set none. */
export function* signInRecords(settings: SignInSettings): Generator<ExportRecord, void> {
  const { lockout, session, network } = configuredSettings(settings);
  if (lockout !== undefined) yield { kind: 'lockoutConfig', id: 'tenant', ...lockout };
  if (session !== undefined) yield { kind: 'sessionConfig', id: 'tenant', ...session };
  if (network !== undefined) yield { kind: 'networkConfig', id: 'tenant', ...network };
}

const criteriaRecord = ({ name, criteriaList }: SodCriteria): SodCriteria =>
  withoutNulls({ name, criteriaList: criteriaList.map((item) => withoutNulls(item)) });

const isEmpty = (object: object): boolean => Object.keys(object).length === 0;

// An import reads a missing field as null, so the type stays that of the complete record.
const withoutNulls = <T extends object>(record: { readonly [K in keyof T]: T[K] | null }): T =>
  // biome-ignore lint/plugin/type-assertion: The members of a copy by entries are not known to have the types of the record.
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)) as T;
