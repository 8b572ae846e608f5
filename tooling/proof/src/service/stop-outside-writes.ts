import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from './open-database.ts';
import type { Fleet } from './open-fleet.ts';
import { signalAll } from './process-slot.ts';

const TRIES_MAX = 50;
const AGAIN_MS = 20;

/** Stops all workers while none is inside a write, which would hold up the writes of the API. */
export async function stopOutsideWrites({ workers, database }: Fleet, sql: Sql): Promise<void> {
  for (let tries = 1; ; tries++) {
    signalAll(workers, 'SIGSTOP');
    if ((await canWrite(sql, database.path !== null)) || tries === TRIES_MAX) return;
    signalAll(workers, 'SIGCONT');
    await delay(AGAIN_MS);
  }
}

/** Whether nothing holds the lock of all writes, or on PostgreSQL the locks of a tenant's events and data. */
async function canWrite(sql: Sql, isSqlite: boolean): Promise<boolean> {
  try {
    if (isSqlite) {
      await sql.run('pragma busy_timeout = 20');
      await sql.run('begin immediate');
      await sql.run('rollback');
    } else {
      await sql.run('select sequence from event_head for update nowait');
      await sql.run('select tenant from tenant for update nowait');
    }
    return true;
  } catch {
    return false;
  } finally {
    if (isSqlite) await sql.run('pragma busy_timeout = 5000');
  }
}
