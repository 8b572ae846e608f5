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
  takeTurns: ({ listInTurn }) => {
    // Each list is read from the table, so only the turn is to be remembered.
    let servedLast = '';
    return {
      list: (nowMs) => listInTurn(nowMs, servedLast),
      remove: (tenant) => {
        servedLast = tenant;
      },
      removeAlone: () => {},
      add: () => {},
    };
  },
  unlessBlocked: (work) => work,
  // Given the name itself, both engines may look through all rows of the tenant.
  joinedTenant: (_, column) => column,
});
