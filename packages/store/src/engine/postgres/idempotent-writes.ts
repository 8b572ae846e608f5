import { type Kysely, sql } from 'kysely';
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

/** Writes that may run twice need no record of themselves, and no turn among the writes of their tenant. */
export function createIdempotentWrites({
  db,
  lockMs,
  guard,
  guardLonger,
}: IdempotentDeps): Pick<Database, 'writeStatement' | 'writeIdempotent'> {
  return {
    writeStatement: (statement) => guard(() => statement(db).catch(throwLocked)),
    writeIdempotent: async (transaction) => {
      let isCommitting = false;
      let mayBeStored = false;
      const attempt = async () => {
        isCommitting = false;
        const failures: unknown[] = [];
        try {
          return await db
            .transaction()
            .setIsolationLevel('read committed')
            .execute(async (trx) => {
              try {
                if (lockMs !== null) await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(trx);
                const value = await transaction(trx);
                isCommitting = true;
                return value;
              } catch (error) {
                failures.push(error);
                throw error;
              }
            });
        } catch (outermost) {
          // A rollback that fails would hide why there is one.
          const [error = outermost] = failures;
          mayBeStored ||= isCommitting && isConnectionLost(error);
          return throwLocked(error);
        }
      };
      try {
        return await guard(attempt);
      } catch (error) {
        if (!mayBeStored) throw error;
        return guardLonger(attempt).catch(throwOutcomeUnknown);
      }
    },
  };
}

function throwLocked(cause: unknown): never {
  throw isLockTimeout(cause) ? new StorageLocked('Another transaction has locked it.', { cause }) : cause;
}

function throwOutcomeUnknown(cause: unknown): never {
  throw cause instanceof StorageUnavailable
    ? new OutcomeUnknown('Whether a write was stored cannot be known.', { cause })
    : cause;
}
