import { type RawBuilder, sql } from 'kysely';

type LinkedTable = 'sign_in_link' | 'used_sign_in_link' | 'pending_sign_in' | 'session';

/** SQL, from SQL for the tenant: how often the sign-in links of a row's identity were revoked. */
const presentGeneration = (table: LinkedTable, tenant: string): string => `coalesce((
  select present.generation from link_generation present
  where present.tenant = ${tenant} and present.identity_id = ${table}.identity_id
), 0)`;

export type UsedLinkColumn =
  | 'passkey.used_link'
  | 'recovery_code.used_link'
  | 'account.password_used_link'
  | 'account.totp_used_link'
  | 'pending_sign_in.used_link'
  | 'session.used_link';

/** SQL, from SQL for the tenant: true if the column is null, or its used link was not revoked. */
const isOfPresentUsedLink = (column: UsedLinkColumn, tenant: string): string => `(${column} is null or exists (
  select 1 from used_sign_in_link where used_sign_in_link.tenant = ${tenant} and used_sign_in_link.hash = ${column}
    and used_sign_in_link.generation = ${presentGeneration('used_sign_in_link', tenant)}
))`;

/** SQL, from SQL for the tenant: true if neither the link that a row began with nor its used link was revoked. */
export const isOfValidLink = (table: 'pending_sign_in' | 'session', tenant: string): string =>
  `(${table}.link_generation is null or ${table}.link_generation = ${presentGeneration(table, tenant)})
    and ${isOfPresentUsedLink(`${table}.used_link`, tenant)}`;

/** Binds the tenant as a parameter, because Citus does not allow the column of an outer table here. */
const withTenant = <T>(text: (tenant: string) => string, tenant: string): RawBuilder<T> =>
  sql<T>`${sql.join(
    text('$')
      .split('$')
      .map((each) => sql.raw(each)),
    sql`${tenant}`,
  )}`;

/** `presentGeneration` for Kysely. */
export const generationOfTenant = (table: LinkedTable, tenant: string): RawBuilder<number> =>
  withTenant((given) => presentGeneration(table, given), tenant);

/** `isOfValidLink` for Kysely. */
export const isOfValidLinkOfTenant = (table: 'pending_sign_in' | 'session', tenant: string): RawBuilder<boolean> =>
  withTenant((given) => `(${isOfValidLink(table, given)})`, tenant);

/** `isOfPresentUsedLink` for Kysely. */
export const isOfPresentUsedLinkOfTenant = (column: UsedLinkColumn, tenant: string): RawBuilder<boolean> =>
  withTenant((given) => isOfPresentUsedLink(column, given), tenant);
