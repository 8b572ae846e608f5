import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import type { Database } from '../database.ts';
import { OutcomeUnknown, StorageLocked, StorageUnavailable } from '../errors.ts';
import type { Guard } from '../retry.ts';
import { isConnectionLost, isLockTimeout } from './errors.ts';

interface IdempotentDeps {
  /** On connections that wait for locks only briefly. */
  readonly db: Kysely<Tables>;
  /** How long a transaction waits for a lock, where that is to be said in it: nodes of a cluster do not know the session's. */
  readonly lockMs: number | null;
  readonly guard: Guard;
  /** To find out the outcome of a transaction. */
  readonly guardLonger: Guard;
}

/** Runs once a commit has begun, after which a lost connection leaves the outcome open. */
type Commits = () => void;

/** Writes that may run twice need no record of themselves, and no turn among the writes of their tenant. */
export function createIdempotentWrites({
  db,
  lockMs,
  guard,
  guardLonger,
}: IdempotentDeps): Pick<Database, 'writeLease' | 'writeStatement' | 'writeIdempotent'> {
  /** Repeats a write until it is known whether it was stored. */
  const repeat = async <T>(write: (commits: Commits) => Promise<T>): Promise<T> => {
    let mayBeStored = false;
    const attempt = async () => {
      let isCommitting = false;
      try {
        return await write(() => {
          isCommitting = true;
        });
      } catch (cause) {
        mayBeStored ||= isCommitting && isConnectionLost(cause);
        return throwLocked(cause);
      }
    };
    try {
      return await guard(attempt);
    } catch (error) {
      if (!mayBeStored) throw error;
      return guardLonger(attempt).catch(throwOutcomeUnknown);
    }
  };
  return {
    writeLease: (statement) => guard(() => statement(db).catch(throwLocked)),
    writeStatement: (statement) =>
      repeat((commits) =>
        // Without a connection, nothing is sent that might be stored.
        db.connection().execute((connected) => {
          commits();
          return statement(connected);
        }),
      ),
    writeIdempotent: (transaction) =>
      repeat((commits) =>
        transact(db, async (trx) => {
          if (lockMs !== null) await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(trx);
          const value = await transaction(trx);
          commits();
          return value;
        }),
      ),
  };
}

/** Runs a transaction. A rollback that fails does not hide why there is one. */
async function transact<T>(db: Kysely<Tables>, work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> {
  const failures: unknown[] = [];
  const noteFailure = (error: unknown): never => {
    failures.push(error);
    throw error;
  };
  return db
    .transaction()
    .setIsolationLevel('read committed')
    .execute((trx) => work(trx).catch(noteFailure))
    .catch((outermost: unknown) => {
      const [error = outermost] = failures;
      throw error;
    });
}

function throwLocked(cause: unknown): never {
  throw isLockTimeout(cause) ? new StorageLocked('Another transaction has locked it.', { cause }) : cause;
}

function throwOutcomeUnknown(cause: unknown): never {
  throw cause instanceof StorageUnavailable
    ? new OutcomeUnknown('Whether a write was stored cannot be known.', { cause })
    : cause;
}
