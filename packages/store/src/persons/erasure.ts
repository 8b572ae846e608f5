import { hash } from 'node:crypto';
import {
  type AuditContext,
  type Conflict,
  EVENT_TYPES,
  erasePerson,
  fail,
  failure,
  type NotFound,
  ok,
  type Pseudonym,
  type Result,
  refusePresentIdentity,
} from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { inPieces } from '../engine/concurrency/in-parts.ts';
import type { Pause } from '../engine/concurrency/pauses.ts';
import type { Database } from '../engine/database.ts';
import { newEventId } from '../engine/event-id.ts';
import { changeScope, type TenantScope } from '../engine/scope.ts';
import { type ClaimRequest, createLeasedQueue } from '../queue/queue.ts';
import { recordChange } from '../record/audit/append-event.ts';
import { sizesOf } from '../record/audit/store.ts';
import { columnToEventType } from '../record/events/codec.ts';
import type { EventRow, Tables } from '../schema/tables.ts';
import { eraseFromLog } from './erase-audit.ts';
import {
  type PersonReads,
  type Row,
  readEventRows,
  readIndexedSequences,
  readOtherAuditSequences,
  readRows,
} from './read-rows.ts';
import { type Erasing, PERSON_SOURCES, type PersonSource } from './sources.ts';

/** An erasure that a worker carries out until its lease ends. */
export interface ErasureClaim extends Pseudonym {
  readonly tenant: string;
  readonly fence: number;
  readonly idDigest: string;
  readonly requestedMs: number;
  readonly auditContext: AuditContext;
}

/** What became of an erasure: all is erased, something was in use and is looked at again later, or another worker has it. */
export type ErasureStep = 'done' | 'later' | 'lost';

/** The erasure of persons: asked for by callers, carried out by workers. */
export interface ErasureStore {
  /**
   * Has a deleted identity erased, and returns its pseudonym, which a later request has, too. `isNamed` tells whether anything names
   * the id, and is asked where it was never erased.
   */
  begin(
    auditContext: AuditContext,
    id: string,
    isNamed: () => Promise<boolean>,
  ): Promise<Result<Pseudonym, Conflict | NotFound>>;
  /** Claims erasures, as `LeasedQueue` describes it. */
  claim(request: ClaimRequest): Promise<readonly ErasureClaim[]>;
  /** Returns the claims that are still held. */
  renew(claims: readonly ErasureClaim[], leaseEndMs: number): Promise<readonly ErasureClaim[]>;
  release(claim: ErasureClaim, availableAtMs: number): Promise<void>;
  /** Replaces the texts of the person wherever they stand. `pause` is awaited between statements, and ends the work by throwing. */
  erase(claim: ErasureClaim, options: { readonly nowMs: number; readonly pause: Pause }): Promise<ErasureStep>;
}

const UNKNOWN: NotFound = failure('NotFound', '', 'Nothing names such an identity.');

/** What was under way when an identity was deleted has ended by then, so that nothing names it anew. */
const SETTLED_MS = 300_000;
// An entry can have megabytes, most have less than a kilobyte. Other writes of the tenant wait meanwhile.
const LENGTH_AT_ONCE = 256 * 1024;
const ENTRIES_AT_ONCE = 100;

export function createErasureStore(database: Database): ErasureStore {
  const queue = createLeasedQueue(database, {
    name: 'identity_erasure',
    id: 'id_digest',
    pending: (nowMs) => sql<boolean>`(identity_erasure.due_ms <= ${nowMs})`,
    sharedPerAlone: null,
    order: 'due_ms, id_digest',
    arisesFrom: ['any'],
  });
  const holdIn: Held = (claim, changes, change) =>
    database.write({ tenant: claim.tenant, changes }, async (trx) => {
      if (!(await queue.hold(trx, keyOf(claim)))) throw new ErasureLost();
      await change(trx);
    });
  return {
    begin: async (auditContext, id, isNamed) => {
      const { tenant } = auditContext;
      const state = await database.read((db) => readState(db, tenant, id));
      if (state.isPresent) return fail(refusePresentIdentity(id));
      if (state.erasure === null && !(await isNamed())) return fail(UNKNOWN);
      return database.write(changeScope(auditContext, 'auditLog'), (trx) => begin(trx, auditContext, id));
    },
    claim: async (request) =>
      (await queue.claim(request)).map((row) => ({
        tenant: row.tenant,
        fence: row.fence,
        idDigest: row.id_digest,
        id: row.id ?? '',
        pseudonym: row.pseudonym,
        requestedMs: Date.parse(row.requested),
        auditContext: JSON.parse(row.audit_context ?? 'null'),
      })),
    renew: async (claims, leaseEndMs) => {
      const held = await queue.renew(
        claims.map((claim) => ({ ...keyOf(claim), claim })),
        leaseEndMs,
      );
      return held.map(({ claim }) => claim);
    },
    release: (claim, availableAtMs) => queue.release([keyOf(claim)], { availableAtMs, isAttempt: false }),
    erase: (claim, { nowMs, pause }) =>
      erase({ database, holdIn, claim, nowMs, pause }).catch((error) => {
        if (error instanceof ErasureLost) return 'lost';
        throw error;
      }),
  };
}

class ErasureLost extends Error {
  override readonly name = 'ErasureLost';
}

const keyOf = ({ tenant, idDigest, fence }: ErasureClaim) => ({ tenant, id: idDigest, fence });

const digestOf = (id: string): string => hash('sha256', id);

async function readState(db: Kysely<Tables>, tenant: string, id: string) {
  const identity = await db
    .selectFrom('identity')
    .select('id')
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  const erasure = await db
    .selectFrom('identity_erasure')
    .select(['id', 'pseudonym'])
    .where('tenant', '=', tenant)
    .where('id_digest', '=', digestOf(id))
    .executeTakeFirst();
  return { isPresent: identity !== undefined, erasure: erasure ?? null };
}

async function begin(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  id: string,
): Promise<Result<Pseudonym, Conflict>> {
  const { tenant, time: requested } = auditContext;
  const { isPresent, erasure } = await readState(trx, tenant, id);
  if (isPresent) return fail(refusePresentIdentity(id));
  const pseudonym = erasure?.pseudonym ?? (await findFreePseudonym(trx, tenant));
  if (erasure !== null && erasure.id !== null) return ok({ id, pseudonym });
  const { authorization: _, ...by } = auditContext;
  const pending = {
    id,
    requested,
    audit_context: JSON.stringify(by),
    due_ms: Date.parse(requested),
    claimable_at_ms: 0,
  };
  await trx
    .insertInto('identity_erasure')
    .values({ tenant, id_digest: digestOf(id), pseudonym, ...pending, fence: 0 })
    .onConflict((conflict) => conflict.columns(['tenant', 'id_digest']).doUpdateSet(pending))
    .execute();
  await recordChange(trx, {
    auditContext,
    resource: { type: 'IDENTITY', id: pseudonym },
    before: { erasureRequested: null },
    after: { erasureRequested: requested },
  });
  return ok({ id, pseudonym });
}

const PSEUDONYM_DIGITS = 8;

async function findFreePseudonym(trx: Transaction<Tables>, tenant: string): Promise<string> {
  for (;;) {
    const pseudonym = `erased-${hash('sha256', newEventId()).slice(0, PSEUDONYM_DIGITS)}`;
    const taken = await trx
      .selectFrom('identity_erasure')
      .select('pseudonym')
      .where('tenant', '=', tenant)
      .where('pseudonym', '=', pseudonym)
      .executeTakeFirst();
    if (taken === undefined) return pseudonym;
  }
}

/** Changes something in a transaction in which the claim is the latest. */
type Held = (
  claim: ErasureClaim,
  changes: TenantScope['changes'],
  change: (trx: Transaction<Tables>) => Promise<unknown>,
) => Promise<void>;

interface Work {
  readonly database: Database;
  readonly holdIn: Held;
  readonly claim: ErasureClaim;
  readonly nowMs: number;
  readonly pause: Pause;
}

async function erase({ database, holdIn, claim, nowMs, pause }: Work): Promise<ErasureStep> {
  const { tenant, id, requestedMs } = claim;
  const { isPresent } = await database.read((db) => readState(db, tenant, id));
  // An identity that is made again is no erased one.
  if (isPresent) return end(holdIn, claim);
  const reads: PersonReads = { read: database.read, pause, person: { tenant, id } };
  await holdIn(claim, 'mail', (trx) =>
    trx.deleteFrom('mail').where('tenant', '=', tenant).where('recipient_id', '=', id).execute(),
  );
  let isInUse = false;
  for (const source of PERSON_SOURCES)
    if (source.erasing !== undefined && (await eraseRows(reads, { claim, holdIn, source, erasing: source.erasing })))
      isInUse = true;
  await eraseEvents(reads, { claim, holdIn });
  await eraseAuditEvents(reads, { claim, holdIn, nowMs });
  const waitedMs = nowMs - requestedMs;
  if (!isInUse && waitedMs >= SETTLED_MS) return end(holdIn, claim);
  // Less and less often, since it may be in use for long.
  const dueMs = nowMs + Math.max(SETTLED_MS - waitedMs, waitedMs);
  await holdIn(claim, 'auditLog', (trx) => ofClaim(trx, claim).set({ due_ms: dueMs }).execute());
  return 'later';
}

async function end(holdIn: Held, claim: ErasureClaim): Promise<ErasureStep> {
  const nothing = { id: null, audit_context: null, due_ms: null };
  await holdIn(claim, 'auditLog', (trx) => ofClaim(trx, claim).set(nothing).execute());
  return 'done';
}

const ofClaim = (trx: Transaction<Tables>, { tenant, idDigest }: ErasureClaim) =>
  trx.updateTable('identity_erasure').where('tenant', '=', tenant).where('id_digest', '=', idDigest);

/** Erases the rows of a source; true where some of them are in use. */
async function eraseRows(
  reads: PersonReads,
  {
    claim,
    holdIn,
    source,
    erasing,
  }: Pick<Work, 'claim' | 'holdIn'> & { readonly source: PersonSource; readonly erasing: Erasing },
): Promise<boolean> {
  const { table, key } = source;
  let isInUse = false;
  for await (const rows of readRows(reads, source)) {
    const ended = rows.filter(erasing.hasEnded);
    if (ended.length < rows.length) isInUse = true;
    if (ended.length === 0) continue;
    await holdIn(claim, erasing.changes, async (trx) => {
      for (const row of ended) await setRow(trx, { table, key, row, tenant: claim.tenant }, erasing.set(row, claim));
    });
  }
  return isInUse;
}

interface RowKey extends Pick<PersonSource, 'table' | 'key'> {
  readonly tenant: string;
  readonly row: Row;
}

async function setRow(trx: Transaction<Tables>, { table, key, tenant, row }: RowKey, values: Row): Promise<void> {
  const changed = Object.entries(values).filter(([column, value]) => row[column] !== value);
  if (changed.length === 0) return;
  const set = sql.join(changed.map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
  const isRow = sql.join(
    key.map((column) => sql`${sql.ref(column)} = ${row[column]}`),
    sql` and `,
  );
  await sql`update ${sql.table(table)} set ${set} where tenant = ${tenant} and ${isRow}`.execute(trx);
}

async function eraseEvents(reads: PersonReads, { claim, holdIn }: Pick<Work, 'claim' | 'holdIn'>): Promise<void> {
  const { tenant, id, pseudonym } = claim;
  const erased = ({ type, resource_id, data }: EventRow) => ({
    resource_id: resource_id === id && isOfPerson(type) ? pseudonym : resource_id,
    data: data === null ? null : JSON.stringify(erasePerson(JSON.parse(data), claim)),
  });
  for await (const rows of readEventRows(reads)) {
    if (rows.length === 0) continue;
    await holdIn(claim, 'events', async (trx) => {
      for (const row of rows)
        await setRow(trx, { table: 'event', key: ['sequence'], tenant, row: { ...row } }, erased(row));
    });
  }
}

/** Erases the entries of the audit log, a few in each transaction, with an event that attests them. */
async function eraseAuditEvents(
  reads: PersonReads,
  { claim, holdIn, nowMs }: Pick<Work, 'claim' | 'holdIn' | 'nowMs'>,
): Promise<void> {
  const auditContext = { ...claim.auditContext, time: new Date(nowMs).toISOString() };
  for (const found of [readIndexedSequences(reads), readOtherAuditSequences(reads)])
    for await (const sequences of found) {
      if (sequences.length === 0) continue;
      const sizes = await reads.read((db) => sizesOf(db, claim.tenant).where('sequence', 'in', sequences).execute());
      for (const piece of inPieces(sizes, {
        sizeOf: ({ size }) => size,
        sizeMax: LENGTH_AT_ONCE,
        countMax: ENTRIES_AT_ONCE,
      })) {
        await reads.pause();
        const some = piece.map(({ sequence }) => sequence);
        await holdIn(claim, 'auditLog', (trx) => eraseFromLog(trx, { auditContext, who: claim, sequences: some }));
      }
    }
}

const isOfPerson = (type: string): boolean => EVENT_TYPES[columnToEventType(type)]?.resource === 'AUTH_USER';
