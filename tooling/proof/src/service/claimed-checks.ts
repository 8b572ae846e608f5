import { waitUntil } from '../campaign/wait-until.ts';
import type { Sql } from './open-database.ts';

const CLAIM_MS = 2_000;

/** A claim as the queue stores it. */
export interface Claim {
  readonly requestId: string;
  readonly fence: number;
  /** How often it was claimed. */
  readonly attempts: number;
}

async function readChecks(sql: Sql, condition: string): Promise<readonly Claim[]> {
  const rows = await sql.run(`select request_id, fence, attempts from sod_check where ${condition}`);
  return rows.map((row) => ({
    requestId: String(row['request_id']),
    fence: Number(row['fence']),
    attempts: Number(row['attempts']),
  }));
}

/** The checks that a worker has claimed and not yet completed. */
export const readClaims = (sql: Sql) => readChecks(sql, `state = 'PENDING' and attempts > 0`);

/** Those of the claims that another worker has taken over. Not those that their own worker has completed: a stopped one may have sent that before. */
export async function readTakenOver(sql: Sql, held: readonly Claim[]): Promise<readonly Claim[]> {
  if (held.length === 0) return [];
  const now = await readChecks(sql, `request_id in (${held.map(({ requestId }) => `'${requestId}'`).join()})`);
  const claims = new Map(now.map(({ requestId, attempts }) => [requestId, attempts]));
  return held.filter(({ requestId, attempts }) => (claims.get(requestId) ?? 0) > attempts);
}

/** Resolves once a worker has claimed a check, or after ample time. */
export const awaitClaims = (sql: Sql) =>
  waitUntil(async () => (await readClaims(sql)).length > 0, { msMax: CLAIM_MS, everyMs: 1 });

/** Waits until every check that is pending now is completed; resolves with the number of those that are not in time. */
export async function awaitPending(sql: Sql, msMax: number): Promise<number> {
  const readPending = async () =>
    new Set((await readChecks(sql, `state = 'PENDING'`)).map(({ requestId }) => requestId));
  let waiting = await readPending();
  const isDone = async () => {
    waiting = waiting.intersection(await readPending());
    return waiting.size === 0;
  };
  await waitUntil(isDone, { msMax });
  return waiting.size;
}

/** The service gives a check up after so many attempts that ended with their worker. */
const ATTEMPTS_MAX = 5;

/** Waits until no check is in its last attempt, so that killing one more worker gives none up. */
export const awaitAttemptsLeft = (sql: Sql, msMax: number): Promise<boolean> =>
  waitUntil(async () => (await readChecks(sql, `state = 'PENDING' and attempts >= ${ATTEMPTS_MAX - 1}`)).length === 0, {
    msMax,
  });
