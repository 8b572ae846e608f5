import type { OfSeveralTenants, ReadsAndWrites } from '../database.ts';
import { unlessAway } from './errors.ts';

/** So few that other work gets connections meanwhile. */
const TENANTS_AT_ONCE = 4;

/** What concerns several tenants, or none, where each tenant has a server, and shared data are on another one. */
export const onSeveralServers = ({ read, write }: Pick<ReadsAndWrites, 'read' | 'write'>): OfSeveralTenants => ({
  // A statement about several tenants would ask several servers, and fail with the first that is away.
  readOfTenants: async (tenants, query) => {
    const found: Awaited<ReturnType<typeof query>>[] = [];
    for (let at = 0; at < tenants.length; at += TENANTS_AT_ONCE) {
      const some = tenants.slice(at, at + TENANTS_AT_ONCE);
      const each = await Promise.all(some.map((tenant) => unlessAway(read((db) => query(db, [tenant])))));
      found.push(...each.filter((one) => one !== null));
    }
    return new Map(found.flatMap((one) => [...one]));
  },
  // What fails after it was recorded is not done.
  writeShared: (scope, { change, record }) =>
    write('shared', async (trx) => {
      const isChanged = await change(trx);
      if (isChanged) await write(scope, record);
      return isChanged;
    }),
});
