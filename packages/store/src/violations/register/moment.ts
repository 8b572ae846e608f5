import { setTimeout } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { Database, Snapshot } from '../../engine/database.ts';
import { isPostgres } from '../../engine/is-postgres.ts';
import { warnOf } from '../../engine/warn-of.ts';
import type { Tables } from '../../schema/tables.ts';
import { type RegisterState, readRegisterState } from './head.ts';

// A moment that is older than this is confirmed anew where the register is current.
const CONFIRMED_MS = 250;
// A reader that would wait longer is told the moment before.
const WAIT_MS_MAX = 250;

/** Reads a register together with its moment, all as of one instant. */
export interface RegisterReads {
  /** `now`, ISO 8601, was read before: what is committed after it may be missing, and nothing that is committed before. */
  atMoment<T>(
    tenant: string,
    now: string,
    read: (snapshot: Pick<Snapshot, 'read'>, state: RegisterState) => Promise<T>,
  ): Promise<T>;
  /** Opens a snapshot at a moment, for answers that are read in parts. The caller closes it. `now` as for `atMoment`. */
  openAtMoment(tenant: string, now: string, purpose: 'answer' | 'export'): Promise<OpenedRegister>;
}

/** A snapshot with the state of a register in it. */
export interface OpenedRegister extends AsyncDisposable {
  readonly snapshot: Snapshot;
  readonly state: RegisterState;
}

export function createRegisterReads(database: Database): RegisterReads {
  /** Readers of a tenant at the same time share one write. */
  const confirming = new Map<string, Promise<void>>();

  const confirmOnce = (tenant: string, now: string): Promise<void> => {
    const running = confirming.get(tenant);
    if (running !== undefined) return running;
    const confirmed = database
      .write({ tenant, changes: 'moment' }, (trx) => confirmMoment(trx, tenant, now))
      // Reading goes on without a later moment.
      .catch(warnOf)
      .finally(() => confirming.delete(tenant));
    confirming.set(tenant, confirmed);
    return confirmed;
  };

  const open = async (tenant: string, now: string, purpose: 'answer' | 'export'): Promise<OpenedRegister> => {
    const snapshot = await database.openSnapshot(purpose, tenant);
    try {
      const state = await snapshot.read((db) => readRegisterState(db, tenant, now));
      return { snapshot, state, [Symbol.asyncDispose]: () => snapshot[Symbol.asyncDispose]() };
    } catch (error) {
      await snapshot[Symbol.asyncDispose]();
      throw error;
    }
  };

  const openAtMoment: RegisterReads['openAtMoment'] = async (tenant, now, purpose) => {
    const first = await open(tenant, now, purpose);
    if (!isLate(first.state, now)) return first;
    await first[Symbol.asyncDispose]();
    const giveUp = new AbortController();
    await Promise.race([
      confirmOnce(tenant, now),
      setTimeout(WAIT_MS_MAX, undefined, { signal: giveUp.signal }).catch(() => {}),
    ]);
    giveUp.abort();
    return open(tenant, now, purpose);
  };

  return {
    openAtMoment,
    atMoment: async (tenant, now, read) => {
      await using opened = await openAtMoment(tenant, now, 'answer');
      return await read(opened.snapshot, opened.state);
    },
  };
}

/** Whether a later moment could be told than the stored one. */
const isLate = ({ isCurrent, asOf }: RegisterState, now: string): boolean =>
  isCurrent && asOf !== null && Date.parse(asOf) < Date.parse(now) - CONFIRMED_MS;

/**
 * Stores that the register is of the present at an instant that was read before, if it is. A change that is not committed
 * holds the row of its tenant: then all stays as it is, so that the moment is no later than the change.
 */
export async function confirmMoment(trx: Transaction<Tables>, tenant: string, instant: string): Promise<void> {
  for (const table of ['register_head', 'tenant'] as const) if (!(await lockIfFree(trx, table, tenant))) return;
  const { isCurrent, asOf } = await readRegisterState(trx, tenant, instant);
  if (!isCurrent || asOf === null || asOf >= instant) return;
  await trx.updateTable('register_head').set({ confirmed: instant }).where('tenant', '=', tenant).execute();
}

/** SQLite has one writer. */
async function lockIfFree(
  trx: Transaction<Tables>,
  table: 'register_head' | 'tenant',
  tenant: string,
): Promise<boolean> {
  if (!isPostgres(trx)) return true;
  const rows = trx.selectFrom(table).select('tenant').where('tenant', '=', tenant).forUpdate().skipLocked();
  return (await rows.execute()).length > 0;
}
