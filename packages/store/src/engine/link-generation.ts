import { type RawBuilder, sql } from 'kysely';

type LinkedTable = 'sign_in_link' | 'pending_sign_in' | 'session';

/** SQL, from that of the tenant: how often the links of the identity of a row have ended. */
const presentGeneration = (table: LinkedTable, tenant: string): string => `coalesce((
  select present.generation from link_generation present
  where present.tenant = ${tenant} and present.identity_id = ${table}.identity_id
), 0)`;

/** SQL, from that of the tenant: whether a row began without a link, or with one that has not ended otherwise than by its use. */
export const isOfValidLink = (table: 'pending_sign_in' | 'session', tenant: string): string =>
  `(${table}.link_generation is null or ${table}.link_generation = ${presentGeneration(table, tenant)})`;

/** Builds SQL with the tenant as a parameter. On Citus it must not be the column of another table in a subquery. */
function withTenant<T>(text: (tenant: string) => string, tenant: string): RawBuilder<T> {
  const [before = '', after = ''] = text('$').split('$');
  return sql<T>`${sql.raw(before)}${tenant}${sql.raw(after)}`;
}

/** `presentGeneration` for a statement of Kysely. */
export const generationOfTenant = (table: LinkedTable, tenant: string): RawBuilder<number> =>
  withTenant((given) => presentGeneration(table, given), tenant);

/** `isOfValidLink` for a statement of Kysely. */
export const isOfValidLinkOfTenant = (table: 'pending_sign_in' | 'session', tenant: string): RawBuilder<boolean> =>
  withTenant((given) => isOfValidLink(table, given), tenant);
