import { type RawBuilder, sql } from 'kysely';

type LinkedTable = 'sign_in_link' | 'used_sign_in_link' | 'pending_sign_in' | 'session';

/** SQL, from that of the tenant: how often the links of the identity of a row have ended. */
const presentGeneration = (table: LinkedTable, tenant: string): string => `coalesce((
  select present.generation from link_generation present
  where present.tenant = ${tenant} and present.identity_id = ${table}.identity_id
), 0)`;

/** A column that names a used link, or null. */
export type UsedLinkColumn =
  | 'passkey.used_link'
  | 'recovery_code.used_link'
  | 'account.password_used_link'
  | 'account.totp_used_link'
  | 'pending_sign_in.used_link'
  | 'session.used_link';

/** SQL, from that of the tenant: whether a column names no used link, or one that has not ended. */
const isOfPresentUsedLink = (column: UsedLinkColumn, tenant: string): string => `(${column} is null or exists (
  select 1 from used_sign_in_link where used_sign_in_link.tenant = ${tenant} and used_sign_in_link.hash = ${column}
    and used_sign_in_link.generation = ${presentGeneration('used_sign_in_link', tenant)}
))`;

/**
 * SQL, from that of the tenant: whether a row began without a link, or with one that has not ended otherwise than by its use,
 * and goes back to no used link that has ended.
 */
export const isOfValidLink = (table: 'pending_sign_in' | 'session', tenant: string): string =>
  `(${table}.link_generation is null or ${table}.link_generation = ${presentGeneration(table, tenant)})
    and ${isOfPresentUsedLink(`${table}.used_link`, tenant)}`;

/** Builds SQL with the tenant as a parameter. On Citus it must not be the column of another table in a subquery. */
const withTenant = <T>(text: (tenant: string) => string, tenant: string): RawBuilder<T> =>
  sql<T>`${sql.join(
    text('$')
      .split('$')
      .map((each) => sql.raw(each)),
    sql`${tenant}`,
  )}`;

/** `presentGeneration` for a statement of Kysely. */
export const generationOfTenant = (table: LinkedTable, tenant: string): RawBuilder<number> =>
  withTenant((given) => presentGeneration(table, given), tenant);

/** `isOfValidLink` for a statement of Kysely. */
export const isOfValidLinkOfTenant = (table: 'pending_sign_in' | 'session', tenant: string): RawBuilder<boolean> =>
  withTenant((given) => `(${isOfValidLink(table, given)})`, tenant);

/** `isOfPresentUsedLink` for a statement of Kysely. */
export const isOfPresentUsedLinkOfTenant = (column: UsedLinkColumn, tenant: string): RawBuilder<boolean> =>
  withTenant((given) => isOfPresentUsedLink(column, given), tenant);
