import type { AccessProfile, Entitlement, Role } from '@access-admin/domain';
import type { AccessProfileRow, EntitlementRow, RoleRow } from '../../schema/tables.ts';

export const entitlementToRow = (tenant: string, { id, name, source }: Entitlement): EntitlementRow => ({
  tenant,
  id,
  name,
  source,
});

export const rowToEntitlement = ({ id, name, source }: EntitlementRow): Entitlement => ({ id, name, source });

export const accessProfileToRow = (tenant: string, { id, name, entitlements }: AccessProfile): AccessProfileRow => ({
  tenant,
  id,
  name,
  entitlements: JSON.stringify(entitlements),
});

export const rowToAccessProfile = ({ id, name, entitlements }: AccessProfileRow): AccessProfile => ({
  id,
  name,
  entitlements: JSON.parse(entitlements),
});

export const roleToRow = (tenant: string, { id, name, accessProfiles, entitlements }: Role): RoleRow => ({
  tenant,
  id,
  name,
  access_profiles: JSON.stringify(accessProfiles),
  entitlements: JSON.stringify(entitlements),
});

export const rowToRole = ({ id, name, access_profiles, entitlements }: RoleRow): Role => ({
  id,
  name,
  accessProfiles: JSON.parse(access_profiles),
  entitlements: JSON.parse(entitlements),
});
