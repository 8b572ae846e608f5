import { sql } from 'kysely';
import { inParts } from '../concurrency/in-parts.ts';
import type { OfSeveralTenants, ReadsAndWrites } from '../database.ts';
import type { ChangedTenants } from './changed-tenants.ts';
import { rememberTurns } from './remembered-turns.ts';

/** So few that other work gets connections meanwhile. */
const TENANTS_AT_ONCE = 4;

/** What concerns several tenants, or none, where tenants are spread over several servers and shared tables are on another. */
export const onSeveralServers = (
  { read, write }: Pick<ReadsAndWrites, 'read' | 'write'>,
  changedTenants: ChangedTenants,
): OfSeveralTenants => ({
  // A statement about several tenants would ask several servers, and fail with the first that is away.
  readOfTenants: async (tenants, query) => {
    const found: Awaited<ReturnType<typeof query>>[] = [];
    for (const some of inParts(tenants, TENANTS_AT_ONCE)) {
      const each = await Promise.all(
        some.map((tenant) => changedTenants.unlessAway(read((db) => query(db, [tenant])))),
      );
      found.push(...each.filter((one) => one !== null));
    }
    return new Map(found.flatMap((one) => [...one]));
  },
  // The record commits first, in its own transaction: if the change then fails, the log tells of a change that was not made.
  writeShared: (scope, { change, record }) =>
    write('shared', async (trx) => {
      const isChanged = await change(trx);
      if (isChanged) await write(scope, record);
      return isChanged;
    }),
  // Citus has no recursion over shards, so that a look is at all tenants.
  takeTurns: (work) => rememberTurns(changedTenants, work),
  unlessBlocked: changedTenants.unlessBlocked,
  // Citus finds the shard of a statement by a parameter.
  joinedTenant: (tenant) => sql`${tenant}`,
});
