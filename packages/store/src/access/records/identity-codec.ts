import {
  type AuthUser,
  type Capability,
  foldUid,
  heldAccess,
  type Identity,
  type TimedAccessRef,
} from '@access-admin/domain';
import type { IdentityRow } from '../../schema/tables.ts';
import { packAccess, unpackAccess } from './access-codec.ts';
import { columnsToExternal, externalToColumns } from './external-codec.ts';

type CapabilityColumns = Pick<IdentityRow, 'capabilities' | 'is_org_admin'>;

export const capabilitiesToColumns = (capabilities: readonly Capability[]): CapabilityColumns => ({
  capabilities: JSON.stringify(capabilities),
  is_org_admin: Number(capabilities.includes('ORG_ADMIN')),
});

export const parseCapabilities = (text: string): readonly Capability[] => JSON.parse(text);

/** What a row of an identity has besides its record. */
interface IdentityRowParts {
  readonly revision: number;
  readonly createdMs: number;
  /** The access of its accounts that counts. */
  readonly granted?: readonly (readonly TimedAccessRef[])[];
}

export const identityToRow = (
  tenant: string,
  identity: Identity,
  { revision, createdMs, granted = [] }: IdentityRowParts,
): IdentityRow => ({
  tenant,
  id: identity.id,
  revision,
  created_ms: createdMs,
  ...capabilitiesToColumns(identity.capabilities),
  active: Number(identity.active),
  identity_profile: identity.identityProfile,
  uid: identity.uid,
  uid_folded: foldUid(identity.uid),
  display_name: identity.displayName,
  alias: identity.alias,
  firstname: identity.firstname,
  lastname: identity.lastname,
  email: identity.email,
  personal_email: identity.personalEmail,
  phone: identity.phone,
  work_phone: identity.workPhone,
  identification_number: identity.identificationNumber,
  last_password_change_date: identity.lastPasswordChangeDate,
  last_login_timestamp: identity.lastLoginTimestamp,
  current_login_timestamp: identity.currentLoginTimestamp,
  last_unlock_timestamp: identity.lastUnlockTimestamp,
  ...externalToColumns(identity),
  ...accessToColumns(identity.access, granted),
});

/** The columns of what an identity holds: the access of its own record, and that which its accounts grant. */
export function accessToColumns(
  own: readonly TimedAccessRef[],
  granted: readonly (readonly TimedAccessRef[])[],
): Pick<IdentityRow, 'access' | 'own_access'> {
  const ownText = packAccess(own);
  const access = granted.length === 0 ? ownText : packAccess(heldAccess(own, granted));
  return { access, own_access: access === ownText ? null : ownText };
}

/** The record of an identity, whose access is its own. */
export const rowToIdentity = (row: IdentityRow): Identity => ({
  id: row.id,
  uid: row.uid,
  identityProfile: row.identity_profile,
  ...rowToAttributes(row),
  active: row.active === 1,
  capabilities: parseCapabilities(row.capabilities),
  access: unpackAccess(row.own_access ?? row.access),
  ...columnsToExternal(row),
});

/** A row without what auth users have not. */
type AuthUserRow = Pick<IdentityRow, (typeof AUTH_USER_COLUMNS)[number]>;

export const rowToAuthUser = (row: AuthUserRow): AuthUser => ({
  tenant: row.tenant,
  id: row.id,
  uid: row.uid,
  profile: row.identity_profile,
  ...rowToAttributes(row),
  capabilities: parseCapabilities(row.capabilities),
});

const rowToAttributes = (row: AuthUserRow) => ({
  displayName: row.display_name,
  alias: row.alias,
  firstname: row.firstname,
  lastname: row.lastname,
  email: row.email,
  personalEmail: row.personal_email,
  phone: row.phone,
  workPhone: row.work_phone,
  identificationNumber: row.identification_number,
  lastPasswordChangeDate: row.last_password_change_date,
  lastLoginTimestamp: row.last_login_timestamp,
  currentLoginTimestamp: row.current_login_timestamp,
  lastUnlockTimestamp: row.last_unlock_timestamp,
});

/** The columns of an identity without its access, which may be long. */
export const AUTH_USER_COLUMNS = [
  'tenant',
  'id',
  'revision',
  'capabilities',
  'is_org_admin',
  'identity_profile',
  'uid',
  'display_name',
  'alias',
  'firstname',
  'lastname',
  'email',
  'personal_email',
  'phone',
  'work_phone',
  'identification_number',
  'last_password_change_date',
  'last_login_timestamp',
  'current_login_timestamp',
  'last_unlock_timestamp',
] as const satisfies (keyof IdentityRow)[];
