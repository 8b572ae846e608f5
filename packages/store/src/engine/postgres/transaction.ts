import { randomBytes } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import { OutcomeUnknown } from '../errors.ts';
import type { Retry } from '../retry.ts';
import { keepsCaches, queueNameOf, type Scope } from '../scope.ts';
import { CHANNEL, UNCACHED } from './commit-signal.ts';
import { isConnectionLost } from './errors.ts';

interface TransactionDeps {
  readonly db: Kysely<Tables>;
  /** A retry with a longer limit, to find out the outcome of a write. */
  readonly retryLonger: Retry;
  /** Receives errors that may mean that other connections are dead too. */
  reportLostConnection(error: unknown): void;
}

export interface Transacted<T> {
  readonly value: T;
  /** Whether anything was written. */
  readonly isChange: boolean;
}

/** The work of a transaction, which is alone with the data of its scope once it has awaited `lock`. */
type LockingWork<T> = (trx: Transaction<Tables>, lock: () => Promise<void>) => Promise<T>;

/** Runs one transaction, alone with the data of its scope. When it rejects, nothing is stored, unless the error is `OutcomeUnknown`. */
export const transact = <T>(
  deps: TransactionDeps,
  scope: Scope,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<Transacted<T>> =>
  transactLocking(deps, scope, async (trx, lock) => {
    await lock();
    return work(trx);
  });

/** The same for work that locks the scope itself. */
export async function transactLocking<T>(
  deps: TransactionDeps,
  scope: Scope,
  work: LockingWork<T>,
): Promise<Transacted<T>> {
  const writeId = randomBytes(12).toString('hex');
  const finished: { readonly value: T; readonly write: Write | null }[] = [];
  try {
    await begin(deps.db).execute(async (trx) => {
      const value = await work(trx, () => lockScope(trx, scope));
      finished.push({ value, write: await recordWriteMarker(trx, scope, writeId) });
    });
  } catch (error) {
    deps.reportLostConnection(error);
    const [{ write } = { write: null }] = finished;
    // Only a connection lost during the commit leaves the outcome open.
    if (write === null || !isConnectionLost(error) || !(await wasCommitted(deps, scope, write))) throw error;
  }
  const [transacted] = finished;
  if (transacted === undefined) throw new Error('A transaction was committed before its end.');
  return { value: transacted.value, isChange: transacted.write !== null };
}

/** Each statement must see the commits that its lock has waited for. */
const begin = (db: Kysely<Tables>) => db.transaction().setIsolationLevel('read committed');

/** Waits for other writes in the same scope. */
async function lockScope(trx: Transaction<Tables>, scope: Scope): Promise<void> {
  const name = `access-admin:${queueNameOf(scope)}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

interface Write {
  readonly id: string;
  /** The id of the previous write in the same scope. */
  readonly previousId: string | null;
}

/** A number that no transaction has, so that no poll finds it. */
const NO_TRANSACTION = sql`'0'::xid8`;

/** Of what keeps the caches, only the register tells events for which readers wait. */
const notifyUncached = (scope: Scope) =>
  scope !== 'shared' && scope.changes === 'register' ? sql`pg_notify(${CHANNEL}, ${UNCACHED})` : sql`null`;

/** Records the write under its id and notifies other processes at the commit; null when nothing was written. */
async function recordWriteMarker(trx: Transaction<Tables>, scope: Scope, id: string): Promise<Write | null> {
  const how = keepsCaches(scope)
    ? { changedBy: NO_TRANSACTION, kept: sql`tenant_change.changed_by`, notify: notifyUncached(scope) }
    : { changedBy: sql`pg_current_xact_id()`, kept: sql`excluded.changed_by`, notify: sql`pg_notify(${CHANNEL}, '')` };
  const { rows } = await sql<{ previousId: string | null }>`
    with written as (
      insert into tenant_change (tenant, changed_by, write_id)
      select ${queueNameOf(scope)}, ${how.changedBy}, ${id} where pg_current_xact_id_if_assigned() is not null
      on conflict (tenant) do update set changed_by = ${how.kept}, write_id = excluded.write_id
      returning tenant
    )
    select ${how.notify}, (
      select write_id from tenant_change where tenant = ${queueNameOf(scope)}
    ) as "previousId" from written`.execute(trx);
  const [row] = rows;
  return row === undefined ? null : { id, previousId: row.previousId };
}

const UNKNOWN = 'The storage became unavailable, and the outcome of a write is unknown.';

/** Rejects with `OutcomeUnknown` when another write in the scope has replaced the marker. */
async function wasCommitted({ db, retryLonger }: TransactionDeps, scope: Scope, write: Write): Promise<boolean> {
  const latestId = await retryLonger(() =>
    begin(db).execute(async (trx) => {
      // The server may not know yet that the connection is lost, so this waits for the end of that transaction.
      await lockScope(trx, scope);
      const { rows } = await sql<{ write_id: string }>`
        select write_id from tenant_change where tenant = ${queueNameOf(scope)}`.execute(trx);
      return rows[0]?.write_id ?? null;
    }),
  ).catch((cause) => {
    throw new OutcomeUnknown(UNKNOWN, { cause });
  });
  if (latestId === write.id) return true;
  if (latestId === write.previousId) return false;
  throw new OutcomeUnknown(UNKNOWN);
}
