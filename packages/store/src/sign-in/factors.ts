import type { AdminGroup } from '@access-admin/domain';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { rowToAuthProfile } from '../access/records/identity-profile-codec.ts';
import type { IdentityProfileRow, Tables } from '../schema/tables.ts';
import { isOfPresentUsedLink, type UsedLinkColumn } from './link-generation.ts';

const flag = (condition: RawBuilder<unknown>) => sql<number>`case when ${condition} then 1 else 0 end`;

/** Adds the auth profiles of identities of a tenant, and which kinds of factors they have. */
export const withFactors = <O>(identities: SelectQueryBuilder<Tables, 'identity', O>, tenant: string) => {
  const present = (column: UsedLinkColumn) => isOfPresentUsedLink(column, tenant);
  return identities
    .innerJoin('identity_profile as profile', (join) =>
      join.onRef('profile.tenant', '=', 'identity.tenant').onRef('profile.id', '=', 'identity.identity_profile'),
    )
    .leftJoin('sign_in_account as account', (join) =>
      join.onRef('account.tenant', '=', 'identity.tenant').onRef('account.identity_id', '=', 'identity.id'),
    )
    .selectAll('profile')
    .select([
      'identity.active',
      flag(sql`account.password_hash is not null and ${present('account.password_used_link')}`).as('has_password'),
      flag(sql`account.totp_secret is not null and ${present('account.totp_used_link')}`).as('has_totp'),
      // A subquery names its tenant by a parameter, as its statement does.
      flag(sql`exists (
        select 1 from passkey
        where passkey.tenant = ${tenant} and passkey.identity_id = identity.id and ${present('passkey.used_link')}
      )`).as('has_passkey'),
    ]);
};

interface FactorsRow extends IdentityProfileRow {
  readonly active: number;
  readonly has_password: number;
  readonly has_totp: number;
  readonly has_passkey: number;
}

export const rowToFactors = ({ active, has_password, has_totp, has_passkey, ...profile }: FactorsRow): AdminGroup => ({
  active: active === 1,
  authProfile: rowToAuthProfile(profile),
  hasPassword: has_password === 1,
  hasTotp: has_totp === 1,
  hasPasskey: has_passkey === 1,
});
