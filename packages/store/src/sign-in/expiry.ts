import type { Transaction } from 'kysely';
import type { Database, Reads } from '../engine/database.ts';
import type { Tables } from '../schema/tables.ts';

/** The removal of what has ended by itself: links, pending sign-ins, sessions and failures that no longer count. */
export interface SignInExpiryStore {
  /** Removes some of what had ended by an instant, of whichever tenant; true when there may be more. */
  removeExpired(endedByMs: number): Promise<boolean>;
}

// One call is bounded, however much there is; the transactions of its tenants share commits.
const ROWS_AT_ONCE = 200;

/** A row that has ended, with a removal that leaves it if it was prolonged meanwhile. */
interface Ended {
  readonly tenant: string;
  readonly remove: (trx: Transaction<Tables>) => Promise<unknown>;
}

type FindEnded = (database: Reads, endedByMs: number) => Promise<readonly Ended[]>;

export const createSignInExpiryStore = (database: Database): SignInExpiryStore => ({
  removeExpired: async (endedByMs) => {
    let isMore = false;
    for (const find of FINDS) {
      const ended = await find(database, endedByMs);
      if (ended.length === ROWS_AT_ONCE) isMore = true;
      await Promise.all(
        [...Map.groupBy(ended, ({ tenant }) => tenant)].map(([tenant, rows]) =>
          database.write({ tenant, changes: 'signIn', isSweep: true }, async (trx) => {
            for (const { remove } of rows) await remove(trx);
          }),
        ),
      );
    }
    return isMore;
  },
});

const byToken =
  (table: 'sign_in_link' | 'pending_sign_in' | 'session', column: 'expires_ms' | 'idle_expires_ms'): FindEnded =>
  async (database, endedByMs) => {
    const rows = await database.read((db) =>
      db
        .selectFrom(table)
        .select(['tenant', 'hash'])
        .where(db.dynamic.ref(column), '<=', endedByMs)
        .limit(ROWS_AT_ONCE)
        .execute(),
    );
    return rows.map(({ tenant, hash }) => ({
      tenant,
      remove: (trx) =>
        trx
          .deleteFrom(table)
          .where('tenant', '=', tenant)
          .where('hash', '=', hash)
          .where(trx.dynamic.ref(column), '<=', endedByMs)
          .execute(),
    }));
  };

const ofFailures: FindEnded = async (database, endedByMs) => {
  const rows = await database.read((db) =>
    db
      .selectFrom('sign_in_failure')
      .select(['tenant', 'kind', 'subject'])
      .where('expires_ms', '<=', endedByMs)
      .limit(ROWS_AT_ONCE)
      .execute(),
  );
  return rows.map(({ tenant, kind, subject }) => ({
    tenant,
    remove: (trx) =>
      trx
        .deleteFrom('sign_in_failure')
        .where('tenant', '=', tenant)
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .where('expires_ms', '<=', endedByMs)
        .execute(),
  }));
};

const FINDS: readonly FindEnded[] = [
  byToken('sign_in_link', 'expires_ms'),
  byToken('pending_sign_in', 'expires_ms'),
  byToken('session', 'expires_ms'),
  byToken('session', 'idle_expires_ms'),
  ofFailures,
];
