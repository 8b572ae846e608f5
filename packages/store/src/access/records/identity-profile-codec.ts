import type { AuthProfile, AuthProfileSettings, AuthProfileType, IdentityProfile } from '@access-admin/domain';
import type { IdentityProfileRow } from '../../schema/tables.ts';

type SettingsColumns = Omit<IdentityProfileRow, 'tenant' | 'id' | 'name'>;

export const identityProfileToRow = (
  tenant: string,
  { id, name, authProfile }: IdentityProfile,
): IdentityProfileRow => ({
  tenant,
  id,
  name,
  ...settingsToColumns(authProfile),
});

export const rowToIdentityProfile = (row: IdentityProfileRow): IdentityProfile => ({
  id: row.id,
  name: row.name,
  authProfile: rowToSettings(row),
});

export const rowToAuthProfile = (row: IdentityProfileRow): AuthProfile => ({
  id: row.id,
  name: row.name,
  ...rowToSettings(row),
  // Read-only, and never set.
  strongAuthLogin: false,
});

export const settingsToColumns = (settings: AuthProfileSettings): SettingsColumns => ({
  type: settings.type,
  off_network: Number(settings.offNetwork),
  untrusted_geography: Number(settings.untrustedGeography),
  application_id: settings.applicationId,
  application_name: settings.applicationName,
});

/** The type of an auth profile from its column. */
export const columnToAuthProfileType = (type: string): AuthProfileType => type as AuthProfileType;

const rowToSettings = (row: IdentityProfileRow): AuthProfileSettings => ({
  type: columnToAuthProfileType(row.type),
  offNetwork: row.off_network === 1,
  untrustedGeography: row.untrusted_geography === 1,
  applicationId: row.application_id,
  applicationName: row.application_name,
});
