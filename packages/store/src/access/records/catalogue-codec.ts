import type { AccessProfile, Entitlement, Role } from '@access-admin/domain';
import type { AccessProfileRow, EntitlementRow, RoleRow } from '../../schema/tables.ts';
import { columnsToExternal, externalToColumns } from './external-codec.ts';

export const entitlementToRow = (
  tenant: string,
  { id, name, source, grants, ...external }: Entitlement,
): EntitlementRow => ({
  tenant,
  id,
  name,
  source,
  grants: grants === undefined ? null : JSON.stringify(grants),
  ...externalToColumns(external),
});

export const rowToEntitlement = ({ id, name, source, grants, ...row }: EntitlementRow): Entitlement => ({
  id,
  name,
  source,
  ...(grants === null ? {} : { grants: JSON.parse(grants) }),
  ...columnsToExternal(row),
});

export const accessProfileToRow = (
  tenant: string,
  { id, name, entitlements, ...external }: AccessProfile,
): AccessProfileRow => ({
  tenant,
  id,
  name,
  entitlements: JSON.stringify(entitlements),
  ...externalToColumns(external),
});

export const rowToAccessProfile = ({ id, name, entitlements, ...row }: AccessProfileRow): AccessProfile => ({
  id,
  name,
  entitlements: JSON.parse(entitlements),
  ...columnsToExternal(row),
});

export const roleToRow = (tenant: string, { id, name, accessProfiles, entitlements, ...external }: Role): RoleRow => ({
  tenant,
  id,
  name,
  access_profiles: JSON.stringify(accessProfiles),
  entitlements: JSON.stringify(entitlements),
  ...externalToColumns(external),
});

export const rowToRole = ({ id, name, access_profiles, entitlements, ...row }: RoleRow): Role => ({
  id,
  name,
  accessProfiles: JSON.parse(access_profiles),
  entitlements: JSON.parse(entitlements),
  ...columnsToExternal(row),
});
