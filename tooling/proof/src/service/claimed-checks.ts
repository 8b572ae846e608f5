import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from './open-sql.ts';

const CLAIM_MS = 2_000;

/** A claim as the queue has it. */
export interface Held {
  readonly requestId: string;
  readonly fence: number;
}

/** The checks that some worker has claimed and not yet ended. */
export async function readHeld(sql: Sql): Promise<readonly Held[]> {
  const rows = await sql.run(`select request_id, fence from sod_check where state = 'PENDING' and attempts > 0`);
  return rows.map((row) => ({ requestId: String(row['request_id']), fence: Number(row['fence']) }));
}

/** Resolves once a worker has claimed something, or has had ample time to. */
export async function claims(sql: Sql): Promise<void> {
  const endMs = performance.now() + CLAIM_MS;
  while (performance.now() < endMs && (await readHeld(sql)).length === 0) await delay(1);
}
