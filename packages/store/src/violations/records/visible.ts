import { type RawBuilder, sql } from 'kysely';
import type { SodViolationRow } from '../../schema/tables.ts';

/** The violations of a tenant that readers see: neither those of a round that is not concluded, nor those that a concluded one has replaced. */
export const visibleViolations = (tenant: string): RawBuilder<boolean> =>
  visibleAsOf(sql`coalesce((select round from register_head where tenant = ${tenant}), 0)`);

/** The violations that readers see as of the last staged round that was concluded. Null where there was none: they see all. */
export const visibleIn = ({ round }: { readonly round: number | null }): RawBuilder<boolean> | null =>
  round === null ? null : visibleAsOf(sql`${round}`);

const visibleAsOf = (round: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`from_round <= ${round} and (until_round is null or until_round > ${round})`;

/** Whether readers see a row, as of that round. */
export const isVisible = (row: Pick<SodViolationRow, 'from_round' | 'until_round'>, round: number | null): boolean =>
  round === null || (row.from_round <= round && (row.until_round === null || row.until_round > round));
