import { randomBytes } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import { isUnremembered, lineOf, type Scope } from '../database.ts';
import { OutcomeUnknown } from '../errors.ts';
import type { Retry } from '../retry.ts';
import { CHANNEL } from './commit-signal.ts';
import { isConnectionLost } from './errors.ts';

interface TransactionDeps {
  readonly db: Kysely<Tables>;
  /** For what must be known, however long it takes. */
  readonly retryPatiently: Retry;
  /** Told of an error that may mean that other connections are dead too. */
  noticeLost(error: unknown): void;
}

interface Transacted<T> {
  readonly value: T;
  /** Whether anything was written. */
  readonly isChange: boolean;
}

type Work<T> = (trx: Transaction<Tables>) => Promise<T>;

/** One transaction, alone with the data of its scope. When it rejects, nothing of it is stored, as far as can be known. */
export async function transact<T>(deps: TransactionDeps, scope: Scope, work: Work<T>): Promise<Transacted<T>> {
  const writeId = randomBytes(12).toString('hex');
  const finished: { readonly value: T; readonly write: Write | null }[] = [];
  try {
    await begin(deps.db).execute(async (trx) => {
      await lock(trx, scope);
      const value = await work(trx);
      finished.push({ value, write: await noteWrite(trx, scope, writeId) });
    });
  } catch (error) {
    deps.noticeLost(error);
    const [{ write } = { write: null }] = finished;
    // Unless the connection was lost with the answer to the commit, it has not taken effect.
    if (write === null || !isConnectionLost(error) || !(await wasCommitted(deps, scope, write))) throw error;
  }
  const [transacted] = finished;
  if (transacted === undefined) throw new Error('A transaction was committed before its end.');
  return { value: transacted.value, isChange: transacted.write !== null };
}

/** Each statement must see what was committed before it, by those it has waited for. */
const begin = (db: Kysely<Tables>) => db.transaction().setIsolationLevel('read committed');

/** Waits for those who write in the same scope. */
async function lock(trx: Transaction<Tables>, scope: Scope): Promise<void> {
  const name = `access-admin:${lineOf(scope)}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

interface Write {
  readonly id: string;
  /** Of the write before it in the same scope. */
  readonly previousId: string | null;
}

/** The number of no transaction: no look finds it. */
const NOBODY = sql`'0'::xid8`;

/** Tells the other processes once it is committed, unless they need not know; null where nothing was written. */
async function noteWrite(trx: Transaction<Tables>, scope: Scope, id: string): Promise<Write | null> {
  const how = isUnremembered(scope)
    ? { changedBy: NOBODY, kept: sql`tenant_change.changed_by`, notify: sql`null` }
    : { changedBy: sql`pg_current_xact_id()`, kept: sql`excluded.changed_by`, notify: sql`pg_notify(${CHANNEL}, '')` };
  const { rows } = await sql<{ previousId: string | null }>`
    with written as (
      insert into tenant_change (tenant, changed_by, write_id)
      select ${lineOf(scope)}, ${how.changedBy}, ${id} where pg_current_xact_id_if_assigned() is not null
      on conflict (tenant) do update set changed_by = ${how.kept}, write_id = excluded.write_id
      returning tenant
    )
    select ${how.notify}, (
      select write_id from tenant_change where tenant = ${lineOf(scope)}
    ) as "previousId" from written`.execute(trx);
  const [row] = rows;
  return row === undefined ? null : { id, previousId: row.previousId };
}

const UNKNOWN = 'The storage went away, and what became of a write cannot be known.';

/** Rejects where another has written in the same scope since, so that it cannot be known. */
async function wasCommitted({ db, retryPatiently }: TransactionDeps, scope: Scope, write: Write): Promise<boolean> {
  const latestId = await retryPatiently(() =>
    begin(db).execute(async (trx) => {
      // The server may not have learnt yet that the connection is lost: waits for the end of that transaction.
      await lock(trx, scope);
      const { rows } = await sql<{ write_id: string }>`
        select write_id from tenant_change where tenant = ${lineOf(scope)}`.execute(trx);
      return rows[0]?.write_id ?? null;
    }),
  ).catch((cause) => {
    throw new OutcomeUnknown(UNKNOWN, { cause });
  });
  if (latestId === write.id) return true;
  if (latestId === write.previousId) return false;
  throw new OutcomeUnknown(UNKNOWN);
}
