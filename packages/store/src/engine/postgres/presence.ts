import type { Query } from './query.ts';

const KEY = `hashtextextended('access-admin:presence', 0)`;

/**
 * Shows that a process uses the database, for as long as the connection lasts; false while the layout of the database is changed,
 * which waits for nobody: it is refused while a process is there.
 */
export const showPresence = (query: Query): Promise<boolean> => tryLock(query, `pg_try_advisory_lock_shared(${KEY})`);

/** Whether nobody changes the layout of the database now. */
export const isLayoutSettled = (query: Query): Promise<boolean> =>
  tryLock(query, `pg_try_advisory_xact_lock_shared(${KEY})`);

/** Keeps processes away for as long as the connection lasts; false when one is there. */
export const keepOthersAway = (query: Query): Promise<boolean> => tryLock(query, `pg_try_advisory_lock(${KEY})`);

async function tryLock(query: Query, lock: string): Promise<boolean> {
  const [row] = await query<{ locked: boolean }>(`select ${lock} as locked`);
  return row?.locked === true;
}
