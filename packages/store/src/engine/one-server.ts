import type { OfSeveralTenants, ReadsAndWrites } from './database.ts';

/** What concerns several tenants, or none, where the rows of all are on one server. */
export const onOneServer = ({ read, write }: Pick<ReadsAndWrites, 'read' | 'write'>): OfSeveralTenants => ({
  readOfTenants: (tenants, query) => read((db) => query(db, tenants)),
  writeShared: (scope, { change, record }) =>
    write(scope, async (trx) => {
      const isChanged = await change(trx);
      if (isChanged) await record(trx);
      return isChanged;
    }),
});
