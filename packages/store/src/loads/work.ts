import {
  type AuditContext,
  addToSummary,
  EMPTY_LOAD_SUMMARY,
  type LoadRefusal,
  type LoadSummary,
  lossesToConfirm,
  newEvent,
} from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { findSource } from '../access/sources/store.ts';
import type { Database } from '../engine/database.ts';
import { tenantScope } from '../engine/scope.ts';
import type { LeasedTable } from '../queue/leased-table.ts';
import { createLeases, type Leases } from '../queue/leases.ts';
import { createLeasedQueue } from '../queue/queue.ts';
import { recordChanges } from '../record/audit/append-event.ts';
import { appendEvents } from '../record/events/append-events.ts';
import type { SourceLoadRow, Tables } from '../schema/tables.ts';
import { applyPiece, deleteUnseen, type LoadInPieces, LoadStopped } from './apply.ts';
import { openUntilMs, rowToLoad } from './codec.ts';
import { examineLoad } from './examine.ts';
import type { LoadClaim, LoadStep, LoadStore, LoadTurn } from './load.ts';
import { BEGINNING_OF_CHANGES, type PiecePlace, readPiece, STEPS } from './pieces.ts';
import { rehearse } from './rehearse.ts';

/** The loads that run as work of workers, the oldest of a tenant first. */
const LEASED_LOADS = {
  name: 'source_load',
  id: 'load_id',
  pending: () => sql<boolean>`source_load.state = 'RUNNING'`,
  sharedPerAlone: 4,
  order: 'created, load_id',
  arisesFrom: ['any'],
} as const satisfies LeasedTable;

/** How far a load has come: the piece that was applied last, or the account up to which those that it lacks are deleted. */
type Progress = Pick<PiecePlace, 'part' | 'piece'> & { readonly step: number; readonly account?: string };

/** The columns that a step of a load changes. */
type StepColumns = Partial<SourceLoadRow>;

/** How a load ends. */
interface LoadEnd extends Partial<Pick<SourceLoadRow, 'deletes' | 'message' | 'summary'>> {
  readonly state: 'SUCCESS' | 'REFUSED' | 'ERROR';
  readonly reason?: LoadRefusal;
}

export function createLoadWork(database: Database): Leases<LoadClaim> & Pick<LoadStore, 'advance' | 'fail'> {
  const queue = createLeasedQueue(database, LEASED_LOADS);

  /** Takes a step in one transaction, while the claim is the latest. */
  const step = (
    claim: LoadClaim,
    take: (trx: Transaction<Tables>) => Promise<{ readonly next: LoadStep; readonly set: StepColumns }>,
  ): Promise<LoadStep> =>
    database.writeAlone(tenantScope(claim.tenant), async (trx) => {
      if (!(await queue.hold(trx, keyOf(claim)))) return 'lost';
      const { next, set } = await take(trx);
      await trx
        .updateTable('source_load')
        // What has come this far does not end its workers.
        .set({ attempts: 1, ...set })
        .where('tenant', '=', claim.tenant)
        .where('load_id', '=', claim.loadId)
        .execute();
      return next;
    });

  const end = (claim: LoadClaim, now: string, { state, ...ended }: LoadEnd): Promise<LoadStep> =>
    step(claim, async (trx) => {
      const row = await readRow(trx, claim);
      if (row === null) throw new Error(`the load ${claim.loadId} is missing`);
      const hasChanged = row.progress !== null && row.dry_run === 0;
      if (hasChanged) await tellEnd(trx, { ...row, ...ended, state }, now);
      const canConfirm = ended.reason === 'DELETES_ABOVE_THRESHOLD';
      const dueMs = canConfirm ? openUntilMs(now) : 0;
      return { next: 'done', set: { ...ended, state, completed: now, fence: claim.fence + 1, due_ms: dueMs } };
    });

  const examine = async (claim: LoadClaim, row: SourceLoadRow, { now, pause }: LoadTurn): Promise<LoadStep> => {
    const { tenant, source: id } = claim;
    const source = await database.read((db) => findSource(db, tenant, id));
    if (source === null) throw new LoadStopped('The source was deleted.');
    const { summary: found, ...losses } = await examineLoad(database, { ...claim, mode: row.mode }, pause);
    const summary = JSON.stringify(found);
    if (found.faultCount > 0) return end(claim, now, { state: 'REFUSED', reason: 'FAULTS', summary });
    const deletes = lossesToConfirm(losses, source);
    if (deletes !== null && deletes !== row.confirmed) {
      const told = addToSummary(found, { accounts: { ...found.accounts, deleted: losses.deleted } });
      const message = `It would delete, or take all access from, ${deletes} accounts: commit it with that number as confirmDeletes.`;
      const reason = 'DELETES_ABOVE_THRESHOLD';
      return end(claim, now, { state: 'REFUSED', reason, deletes, message, summary: JSON.stringify(told) });
    }
    return step(claim, async () => ({
      next: 'more',
      set: { summary, progress: JSON.stringify(BEGINNING_OF_CHANGES) },
    }));
  };

  const advance = async (claim: LoadClaim, turn: LoadTurn): Promise<LoadStep> => {
    const row = await database.read((db) => readRow(db, claim));
    if (row === null) return 'lost';
    if (row.progress === null) return examine(claim, row, turn);
    const load = loadOf(row, turn.now);
    if (row.dry_run === 1) {
      const summary = addToSummary(
        summaryOf(row),
        await rehearse(database, { ...load, claim, mode: row.mode }, turn.pause),
      );
      return end(claim, turn.now, { state: 'SUCCESS', summary: JSON.stringify(summary) });
    }
    const progress: Progress = JSON.parse(row.progress);
    const advanced = (piece: Partial<LoadSummary>, to: Progress): StepColumns => ({
      summary: JSON.stringify(addToSummary(summaryOf(row), piece)),
      progress: JSON.stringify(to),
    });
    const piece = progress.step === STEPS.deletion ? null : await database.read((db) => readPiece(db, claim, progress));
    if (piece !== null && piece.step !== STEPS.faults)
      return step(claim, async (trx) => {
        const { part, piece: number } = piece;
        const set = advanced(await applyPiece(trx, load, piece), { step: piece.step, part, piece: number });
        return { next: 'more', set };
      });
    if (row.mode === 'FULL' && progress.account !== LAST)
      return step(claim, async (trx) => {
        const { summary, last } = await deleteUnseen(trx, load, progress.account ?? '');
        const to = { step: STEPS.deletion, part: 0, piece: 0, account: last ?? LAST };
        return { next: 'more', set: advanced(summary, to) };
      });
    return end(claim, turn.now, { state: 'SUCCESS' });
  };

  return {
    ...createLeases(queue, { toClaim: rowToClaim, keyOf }),
    advance: (claim, turn) =>
      advance(claim, turn).catch((error: unknown) => {
        if (!(error instanceof LoadStopped)) throw error;
        return end(claim, turn.now, { state: 'ERROR', message: error.message });
      }),
    fail: async (claim, { now, message }) => {
      await end(claim, now, { state: 'ERROR', message });
    },
  };
}

/** No key of an account is greater. */
const LAST = '~';

const keyOf = ({ tenant, loadId, fence }: LoadClaim) => ({ tenant, id: loadId, fence });

const rowToClaim = (row: SourceLoadRow): LoadClaim => ({
  tenant: row.tenant,
  loadId: row.load_id,
  fence: row.fence,
  attempts: row.attempts,
  source: row.source_id,
  committed: row.committed ?? row.created,
});

/** The load of a claim; null where that is not the latest. */
async function readRow(db: Kysely<Tables>, { tenant, loadId, fence }: LoadClaim): Promise<SourceLoadRow | null> {
  const row = await db
    .selectFrom('source_load')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('load_id', '=', loadId)
    .where('fence', '=', fence)
    .executeTakeFirst();
  return row ?? null;
}

const summaryOf = ({ summary }: SourceLoadRow): LoadSummary =>
  summary === null ? EMPTY_LOAD_SUMMARY : JSON.parse(summary);

function auditContextOf({ audit_context }: SourceLoadRow, now: string): AuditContext {
  if (audit_context === null) throw new Error('a load runs that nobody has committed');
  return { ...JSON.parse(audit_context), time: now };
}

const loadOf = (row: SourceLoadRow, now: string): LoadInPieces => ({
  auditContext: auditContextOf(row, now),
  sourceId: row.source_id,
  number: row.number,
});

/** Records the end of a load that has changed something, with its source, and tells it. */
async function tellEnd(trx: Transaction<Tables>, row: SourceLoadRow, now: string): Promise<void> {
  const load = rowToLoad({ ...row, completed: now });
  await trx
    .updateTable('source')
    .set({ last_load: load.loadId })
    .where('tenant', '=', row.tenant)
    .where('id', '=', load.source)
    .execute();
  await recordChanges(trx, auditContextOf(row, now), [
    { resource: { type: 'ACCESS_MODEL', id: null }, changes: [{ field: 'load', before: null, after: load }] },
  ]);
  await appendEvents(trx, row.tenant, [newEvent('access-model.loaded', null, { time: now, data: load })]);
}
