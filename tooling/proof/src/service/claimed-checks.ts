import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from './open-database.ts';

const CLAIM_MS = 2_000;
const POLL_MS = 10;

/** A claim as the queue stores it. */
export interface Claim {
  readonly requestId: string;
  readonly fence: number;
}

/** The checks that a worker has claimed and not yet completed. */
export async function readClaims(sql: Sql): Promise<readonly Claim[]> {
  const rows = await sql.run(`select request_id, fence from sod_check where state = 'PENDING' and attempts > 0`);
  return rows.map((row) => ({ requestId: String(row['request_id']), fence: Number(row['fence']) }));
}

/** Resolves once a worker has claimed a check, or after ample time. */
export async function awaitClaims(sql: Sql): Promise<void> {
  const endMs = performance.now() + CLAIM_MS;
  while (performance.now() < endMs && (await readClaims(sql)).length === 0) await delay(1);
}

/** Waits until every check that is pending now is completed; resolves with the number of those that are not in time. */
export async function awaitPending(sql: Sql, msMax: number): Promise<number> {
  const endMs = performance.now() + msMax;
  const pending = async () => {
    const rows = await sql.run(`select request_id from sod_check where state = 'PENDING'`);
    return new Set(rows.map((row) => String(row['request_id'])));
  };
  let waiting = await pending();
  while (waiting.size > 0 && performance.now() < endMs) {
    await delay(POLL_MS);
    waiting = waiting.intersection(await pending());
  }
  return waiting.size;
}
