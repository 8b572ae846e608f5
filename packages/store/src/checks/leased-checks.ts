import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { createLeasedQueue, type LeasedQueue } from '../queue/queue.ts';
import type { SodCheckRow } from '../schema/tables.ts';

/** The pending checks as work of workers, the oldest of a tenant first. */
export const createLeasedChecks = (database: Database): LeasedQueue<SodCheckRow> =>
  createLeasedQueue(database, {
    name: 'sod_check',
    id: 'request_id',
    pending: () => sql<boolean>`sod_check.state = 'PENDING'`,
    sharedPerAlone: 100,
    order: 'created, request_id',
    arisesFrom: ['checks'],
  });
