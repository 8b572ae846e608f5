import { sql } from 'kysely';
import type { LeasedTable } from '../queue/leased-table.ts';

/** The pending checks as work of workers, the oldest of a tenant first. */
export const LEASED_CHECKS = {
  name: 'sod_check',
  id: 'request_id',
  pending: () => sql<boolean>`sod_check.state = 'PENDING'`,
  sharedPerAlone: 20,
  claimedTwice: 'claimed_twice',
  order: 'created, request_id',
  arisesFrom: ['checks'],
} as const satisfies LeasedTable;
