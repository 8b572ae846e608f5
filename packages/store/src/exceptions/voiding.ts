import {
  type AuditContext,
  changesBetween,
  exceptionStateAt,
  newEvent,
  type SodExceptionRecord,
  type SodPolicy,
  showSodException,
} from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import { recordChanges } from '../audit/append-event.ts';
import { createPauses } from '../concurrency/pauses.ts';
import { appendEvents } from '../events/append-events.ts';
import type { Tables } from '../schema/tables.ts';
import { rowToException } from './codec.ts';
import { termsHashOf } from './held-conflicts.ts';
import { raiseRevisions } from './revisions.ts';

const ROWS_AT_ONCE = 250;
// Exceptions are examined for this long after their end, so that a clock that goes back revives none without its conflict.
const AFTER_END_MS = 7 * 86_400_000;

/** The end after which an exception is examined at `now` (ISO 8601). */
export const examinedSince = (now: string): string => new Date(Date.parse(now) - AFTER_END_MS).toISOString();

/** What is needed of an exception to void it. */
export type Voidable = Pick<SodExceptionRecord, 'id' | 'identityId' | 'end' | 'approved'>;

/**
 * Voids and records exceptions in the transaction of the change that ends them, and returns the ids of those to tell of with
 * `appendVoided`. Those that have ended otherwise are left out.
 */
export async function voidExceptions(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  exceptions: readonly Voidable[],
): Promise<readonly string[]> {
  const { tenant, time: voided } = auditContext;
  const pause = createPauses();
  const voidedIds: string[] = [];
  for (let at = 0; at < exceptions.length; at += ROWS_AT_ONCE) {
    const some = exceptions.slice(at, at + ROWS_AT_ONCE);
    const ids = some.map(({ id }) => id);
    const rows = await markVoided(trx, auditContext, ids).execute();
    const changed = new Set(rows.map(({ id }) => id));
    const ended = some.filter(({ id }) => changed.has(id));
    const covered = ended.flatMap(({ approved, identityId }) => (approved === null ? [] : [identityId]));
    await raiseRevisions(trx, tenant, [...new Set(covered)]);
    await recordChanges(trx, auditContext, ended.map(eventOf(voided)));
    // Those past their end are expired, which is told elsewhere.
    const voidRows = rows.filter((row) => exceptionStateAt(rowToException(row), voided) === 'VOID');
    voidedIds.push(...voidRows.map(({ id }) => id));
    await pause();
  }
  return voidedIds;
}

/** Tells of exceptions that were voided. Only their ids were kept meanwhile, because their texts can take much memory. */
export async function appendVoided(
  trx: Transaction<Tables>,
  { tenant, time }: AuditContext,
  ids: readonly string[],
): Promise<void> {
  for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
    const some = ids.slice(at, at + ROWS_AT_ONCE);
    const rows = await trx
      .selectFrom('sod_exception')
      .selectAll()
      .where('tenant', '=', tenant)
      .where('id', 'in', some)
      .execute();
    const shown = rows.map((row) => showSodException(rowToException(row), time));
    await appendEvents(
      trx,
      tenant,
      shown.map((data) => newEvent('sod.exception.voided', data.id, { time, data })),
    );
  }
}

/**
 * Neither revoked nor void, in words that do not match the partial index of open exceptions: without statistics PostgreSQL
 * would read all of them for each page of ids.
 */
const IS_OPEN = sql<boolean>`coalesce(revoked, voided) is null`;

export const markVoided = (trx: Transaction<Tables>, { tenant, time }: AuditContext, ids: readonly string[]) =>
  trx
    .updateTable('sod_exception')
    .set({ voided: time })
    .where('tenant', '=', tenant)
    .where('id', 'in', ids)
    .where(IS_OPEN)
    .returningAll();

const eventOf = (now: string) => (exception: Voidable) => {
  const before = { end: exception.end, approved: exception.approved, revoked: null, voided: null };
  const state = exceptionStateAt({ ...before, voided: now }, now);
  return {
    resource: { type: 'SOD_EXCEPTION', id: exception.id } as const,
    changes: changesBetween(
      { state: exceptionStateAt(before, now), voided: null },
      { state, voided: state === 'VOID' ? now : null },
    ),
  };
};

/** A changed policy; null where it does not exist. */
export interface ChangedPolicy {
  readonly before: SodPolicy | null;
  readonly after: SodPolicy | null;
}

/**
 * Voids, in the transaction of the change of a policy, the exceptions that are bound to another one, and returns the ids
 * of those to tell of. Access has not changed, so conflicts with a policy of the same terms are as they were, and no access is read.
 */
export async function voidExceptionsOfPolicy(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { before, after }: ChangedPolicy,
): Promise<readonly string[]> {
  if (before === null) return [];
  const ofPolicy = openById(trx, auditContext).where('policy_id', '=', before.id);
  if (after === null) return voidMatching(trx, auditContext, ofPolicy);
  const terms = termsHashOf(after);
  if (terms === termsHashOf(before) && after.state === before.state) return [];
  const approved = ofPolicy.where('approved', 'is not', null);
  const ended =
    after.state === 'ENFORCED'
      ? approved.where((eb) => eb.or([eb('approved_terms', 'is', null), eb('approved_terms', '<>', terms)]))
      : approved;
  return voidMatching(trx, auditContext, ended);
}

/** Ids of deleted records. */
export interface DeletedSubjects {
  readonly policies: readonly string[];
  readonly identities: readonly string[];
}

// Above this number of look-ups, reading all requested exceptions is faster.
const LOOKUPS_MAX = 50;

/** Voids, in the transaction of their deletion, the exceptions requested from policies and for identities, and returns the ids of those to tell of. */
export async function voidRequestedOf(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { policies, identities }: DeletedSubjects,
): Promise<readonly string[]> {
  if (policies.length + identities.length === 0) return [];
  const requested = openOf(trx, auditContext).where('approved', 'is', null);
  if ((await requested.limit(1).execute()).length === 0) return [];
  const voidedIds: string[] = [];
  const add = (some: readonly string[]) => void voidedIds.push(...some);
  if (policies.length + identities.length > LOOKUPS_MAX) {
    const deleted = { policies: new Set(policies), identities: new Set(identities) };
    for await (const rows of readInOrder(requested)) {
      const ended = rows.filter(
        ({ policyId, identityId }) => deleted.policies.has(policyId) || deleted.identities.has(identityId),
      );
      add(await voidExceptions(trx, auditContext, ended));
    }
    return voidedIds;
  }
  const byId = openById(trx, auditContext).where('approved', 'is', null);
  for (const id of identities) add(await voidMatching(trx, auditContext, byId.where('identity_id', '=', id)));
  for (const id of policies) add(await voidMatching(trx, auditContext, byId.where('policy_id', '=', id)));
  return voidedIds;
}

const notLongExpired = (trx: Transaction<Tables>, { tenant, time }: AuditContext) =>
  trx
    .selectFrom('sod_exception')
    .select(['id', 'identity_id as identityId', 'policy_id as policyId', 'ends as end', 'approved'])
    .where('tenant', '=', tenant)
    .where('ends', '>', examinedSince(time));

/** The exceptions that are not revoked or void, and not long expired. */
const openOf = (trx: Transaction<Tables>, auditContext: AuditContext) =>
  notLongExpired(trx, auditContext).where('revoked', 'is', null).where('voided', 'is', null);

/** The same, to be read by a policy or an identity in the order of ids. */
const openById = (trx: Transaction<Tables>, auditContext: AuditContext) =>
  notLongExpired(trx, auditContext).where(IS_OPEN);

type OpenRows = ReturnType<typeof openOf>;

/** Voids exceptions of one policy or one identity. */
async function voidMatching(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  matching: OpenRows,
): Promise<readonly string[]> {
  const voidedIds: string[] = [];
  for (let after = ''; ; ) {
    const rows = await matching.where('id', '>', after).orderBy('id').limit(ROWS_AT_ONCE).execute();
    voidedIds.push(...(await voidExceptions(trx, auditContext, rows)));
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return voidedIds;
    after = last.id;
  }
}

/** Reads all in pages, in the order of their ends. */
async function* readInOrder(open: OpenRows): AsyncGenerator<Awaited<ReturnType<OpenRows['execute']>>> {
  const pause = createPauses();
  for (let last = { end: '', id: '' }; ; ) {
    const rest = open.where(sql<boolean>`(ends, id) > (${last.end}, ${last.id})`);
    const rows = await rest.orderBy('ends').orderBy('id').limit(ROWS_AT_ONCE).execute();
    yield rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < ROWS_AT_ONCE) return;
    last = end;
    await pause();
  }
}
