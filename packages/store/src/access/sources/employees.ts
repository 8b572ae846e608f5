import { EMPLOYEES, FIRST_AUTH_PROFILE, type IdentityProfile, type Source } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { upsertRows } from '../../query/model-tables.ts';
import type { Tables } from '../../schema/tables.ts';
import { identityProfileToRow } from '../records/identity-profile-codec.ts';
import { putEntries } from '../search/write-entries.ts';

/** The id of the profile of the identities that a source makes. */
export const profileOf = ({ identityProfileId }: Source): string => identityProfileId ?? EMPLOYEES.id;

/** Creates the profile of employees if a source that makes identities needs it and it is missing. Returns it then. */
export async function ensureProfile(
  trx: Transaction<Tables>,
  tenant: string,
  source: Source,
): Promise<IdentityProfile | null> {
  if (source.identityProfileId !== null) return null;
  const stored = await trx
    .selectFrom('identity_profile')
    .select('id')
    .where('tenant', '=', tenant)
    .where('id', '=', EMPLOYEES.id)
    .executeTakeFirst();
  if (stored !== undefined) return null;
  const profile = { ...EMPLOYEES, authProfile: FIRST_AUTH_PROFILE };
  const rows = [identityProfileToRow(tenant, profile)];
  await upsertRows(trx, 'identity_profile', rows);
  await putEntries(trx, 'identity_profile', rows);
  return profile;
}
