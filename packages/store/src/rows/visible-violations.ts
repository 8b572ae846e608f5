import { type RawBuilder, sql } from 'kysely';

/** The violations of a tenant that readers see: neither those of a round that is not concluded, nor those that a concluded one has replaced. */
export const visibleViolations = (tenant: string): RawBuilder<boolean> => {
  const round = sql`coalesce((select round from register_head where tenant = ${tenant}), 0)`;
  return sql`from_round <= ${round} and (until_round is null or until_round > ${round})`;
};
