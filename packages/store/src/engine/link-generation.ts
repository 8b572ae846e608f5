/** SQL: how often the links of the identity of a row have ended. */
export const presentGeneration = (table: 'sign_in_link' | 'pending_sign_in' | 'session'): string => `coalesce((
  select present.generation from link_generation present
  where present.tenant = ${table}.tenant and present.identity_id = ${table}.identity_id
), 0)`;

/** SQL: whether a row began without a link, or with one that has not ended otherwise than by its use. */
export const isOfValidLink = (table: 'pending_sign_in' | 'session'): string =>
  `(${table}.link_generation is null or ${table}.link_generation = ${presentGeneration(table)})`;
