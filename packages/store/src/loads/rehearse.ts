import { addToSummary, EMPTY_LOAD_SUMMARY, type LoadSummary } from '@access-admin/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Pause } from '../engine/concurrency/pauses.ts';
import type { Database } from '../engine/database.ts';
import { tenantScope } from '../engine/scope.ts';
import type { Tables } from '../schema/tables.ts';
import { applyPiece, deleteUnseen, type LoadInPieces } from './apply.ts';
import { countViolations } from './count-violations.ts';
import type { LoadClaim } from './load.ts';
import { BEGINNING_OF_CHANGES, readPiece, STEPS } from './pieces.ts';

/** A dry run of a load. */
interface Rehearsal extends LoadInPieces {
  readonly claim: LoadClaim;
  readonly mode: string;
}

/** Takes back a transaction, whose outcome is known by then. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed';
  readonly summary: LoadSummary;
  constructor(summary: LoadSummary) {
    super();
    this.summary = summary;
  }
}

/**
 * Applies a load in one transaction, and takes that back: what it tells is exactly what the load would do. Meanwhile nothing else
 * is written of the tenant, or on SQLite of any.
 */
export async function rehearse(database: Database, load: Rehearsal, pause: Pause): Promise<LoadSummary> {
  const rehearsing = database.writeAlone(tenantScope(load.claim.tenant), async (trx): Promise<never> => {
    const summary = await applyAll(trx, load, pause);
    const { tenant, time } = load.auditContext;
    const after = { read: <T>(query: (db: Kysely<Tables>) => Promise<T>) => query(trx) };
    // No other transaction changes the tenant meanwhile.
    const states = { tenant, before: database, after, nowMs: Date.parse(time) };
    throw new Rehearsed(addToSummary(summary, { violations: await countViolations(states, pause) }));
  });
  return rehearsing.catch((error: unknown) => {
    if (error instanceof Rehearsed) return error.summary;
    throw error;
  });
}

async function applyAll(trx: Transaction<Tables>, load: Rehearsal, pause: Pause): Promise<LoadSummary> {
  let summary = EMPTY_LOAD_SUMMARY;
  const next = (after: Parameters<typeof readPiece>[2]) => readPiece(trx, load.claim, after);
  for (let piece = await next(BEGINNING_OF_CHANGES); piece !== null; piece = await next(piece)) {
    await pause();
    if (piece.step !== STEPS.faults) summary = addToSummary(summary, await applyPiece(trx, load, piece));
  }
  for (let after: string | null = load.mode === 'FULL' ? '' : null; after !== null; ) {
    await pause();
    const deleted = await deleteUnseen(trx, load, after);
    summary = addToSummary(summary, deleted.summary);
    after = deleted.last;
  }
  return summary;
}
