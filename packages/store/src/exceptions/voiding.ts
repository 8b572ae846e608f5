import { type AuditContext, changesBetween, isVoid, showSodException } from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import { recordChanges } from '../audit/append-event.ts';
import { createBreather } from '../concurrency/breather.ts';
import { raiseRevisions } from '../rows/approved-exceptions.ts';
import type { SodExceptionRow, Tables } from '../schema/tables.ts';
import { rowToException } from './codec.ts';
import { readGrounds } from './grounds.ts';

const PAGE_ROWS = 200;
// Above this number of look-ups, reading all open exceptions is faster.
const LOOKUPS_MAX = 50;
// Exceptions are examined for this long after their end, so that a clock that goes back revives none without its conflict.
const AFTER_END_MS = 7 * 86_400_000;

/** The records whose change may have changed conflicts. */
export interface ChangedModel {
  readonly identities: readonly string[];
  /** Null when more than policies changed, which may concern any identity. */
  readonly policies: readonly string[] | null;
}

type Column = 'identity_id' | 'policy_id';

/**
 * Voids and records, in the transaction of a change, the exceptions whose conflict is no longer the approved one. A void
 * exception stays void.
 */
export async function voidExceptions(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { identities, policies }: ChangedModel,
): Promise<void> {
  if ((await openOf(trx, auditContext).limit(1).execute()).length === 0) return;
  if (policies === null || identities.length + policies.length > LOOKUPS_MAX) {
    const changed = { identities: new Set(identities), policies: new Set(policies) };
    const isConcerned = (row: SodExceptionRow) =>
      policies === null || changed.identities.has(row.identity_id) || changed.policies.has(row.policy_id);
    for await (const rows of readAllOpen(trx, auditContext))
      await voidGroundless(trx, auditContext, rows.filter(isConcerned));
    return;
  }
  const voidOpenOf = async (column: Column, id: string) => {
    for await (const rows of readOpenOf(trx, auditContext, { column, id }))
      await voidGroundless(trx, auditContext, rows);
  };
  for (const id of identities) await voidOpenOf('identity_id', id);
  for (const id of policies) await voidOpenOf('policy_id', id);
}

async function voidGroundless(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  rows: readonly SodExceptionRow[],
): Promise<void> {
  const { tenant, time: now } = auditContext;
  const exceptions = rows.map(rowToException);
  const grounds = await readGrounds(trx, { tenant, now }, exceptions);
  const groundless = exceptions.filter((exception, place) => {
    const ground = grounds[place];
    return ground !== undefined && isVoid(exception, ground);
  });
  if (groundless.length === 0) return;
  const ids = groundless.map(({ id }) => id);
  await trx
    .updateTable('sod_exception')
    .set({ voided: now })
    .where('tenant', '=', tenant)
    .where('id', 'in', ids)
    .execute();
  const covered = groundless.flatMap(({ approved, identityId }) => (approved === null ? [] : [identityId]));
  await raiseRevisions(trx, tenant, [...new Set(covered)]);
  const changes = groundless.map((before) => ({
    resource: { type: 'SOD_EXCEPTION', id: before.id } as const,
    changes: changesBetween(showSodException(before, now), showSodException({ ...before, voided: now }, now)),
  }));
  await recordChanges(trx, auditContext, changes);
}

/** The exceptions that are not revoked or void, and not long expired. */
const openOf = (trx: Transaction<Tables>, { tenant, time }: AuditContext) =>
  trx
    .selectFrom('sod_exception')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('revoked', 'is', null)
    .where('voided', 'is', null)
    .where('ends', '>', new Date(Date.parse(time) - AFTER_END_MS).toISOString());

/** Reads all open exceptions in pages, in the order of their ends. */
async function* readAllOpen(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
): AsyncGenerator<readonly SodExceptionRow[]> {
  const breathe = createBreather();
  for (let last: SodExceptionRow | undefined; ; ) {
    const open = openOf(trx, auditContext).orderBy('ends').orderBy('id').limit(PAGE_ROWS);
    const rest = last === undefined ? open : open.where(sql<boolean>`(ends, id) > (${last.ends}, ${last.id})`);
    const rows = await rest.execute();
    yield rows;
    last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    await breathe();
  }
}

/** Reads the open exceptions of an identity or a policy in pages, by id. */
async function* readOpenOf(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { column, id }: { readonly column: Column; readonly id: string },
): AsyncGenerator<readonly SodExceptionRow[]> {
  const breathe = createBreather();
  for (let after = ''; ; ) {
    const open = openOf(trx, auditContext).where(column, '=', id).where('id', '>', after);
    const rows = await open.orderBy('id').limit(PAGE_ROWS).execute();
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = last.id;
    await breathe();
  }
}
