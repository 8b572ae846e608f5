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
  refusePseudonym,
} from '@access-admin/domain';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { inPieces } from '../engine/concurrency/in-parts.ts';
import type { Pause } from '../engine/concurrency/pauses.ts';
import type { Database } from '../engine/database.ts';
import { newEventId } from '../engine/event-id.ts';
import { changeScope, type TenantScope } from '../engine/scope.ts';
import { createLeases, type Leases } from '../queue/leases.ts';
import { createLeasedQueue } from '../queue/queue.ts';
import { recordChange } from '../record/audit/append-event.ts';
import { sizesOf } from '../record/audit/store.ts';
import { columnToEventType } from '../record/events/codec.ts';
import type { Tables } from '../schema/tables.ts';
import { eraseFromLog } from './erase-audit.ts';
import {
  type PersonReads,
  type Row,
  readEventRows,
  readIndexedSequences,
  readOtherAuditSequences,
  readRows,
} from './read-rows.ts';
import { type Erasing, PERSON_SOURCES, type Person, type PersonSource } from './sources.ts';

/** An erasure that a worker carries out until its lease ends. */
export interface ErasureClaim extends Pseudonym {
  readonly tenant: string;
  readonly fence: number;
  readonly idDigest: string;
  readonly requestedMs: number;
}

/** What became of an erasure: all is erased, something was in use and is looked at again later, or another worker has it. */
export type ErasureStep = 'done' | 'later' | 'lost';

/** The erasure of persons: asked for by callers, carried out by workers. */
export interface ErasureStore extends Leases<ErasureClaim> {
  /**
   * Has a deleted identity erased, and returns its pseudonym, which a later request has, too. A request while an erasure is pending
   * begins it anew. A pseudonym is refused. `isNamed` returns whether anything names the id, and is called where it was never erased.
   */
  begin(
    auditContext: AuditContext,
    id: string,
    isNamed: () => Promise<boolean>,
  ): Promise<Result<Pseudonym, Conflict | NotFound>>;
  /** Replaces the texts of the person wherever they stand. `pause` is awaited between statements, and ends the work by throwing. */
  erase(claim: ErasureClaim, options: { readonly nowMs: number; readonly pause: Pause }): Promise<ErasureStep>;
}

const UNKNOWN: NotFound = failure('NotFound', '', 'Nothing names such an identity.');

/** What was under way when an identity was deleted has ended by then, so that nothing names it anew. */
const SETTLED_MS = 300_000;
/** The longest time until a worker looks again. */
const PAUSE_MS_MAX = 3_600_000;
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
  const eraseIn: Held = (claim, changes, change) =>
    holdIn(claim, changes, async (trx) => {
      await change(trx);
      // An identity that is not there yet has written nothing that the statements above could see.
      if (await isPresent(trx, claim)) throw new MadeAgain();
    });
  return {
    begin: async (auditContext, id, isNamed) => {
      const { tenant } = auditContext;
      const refusal = await database.read((db) => findRefusal(db, { tenant, id }));
      if (refusal !== null) return fail(refusal);
      const erasure = await database.read((db) => findErasure(db, { tenant, id }));
      if (erasure === null && !(await isNamed())) return fail(UNKNOWN);
      return database.write(changeScope(auditContext, 'auditLog'), (trx) => begin(trx, auditContext, id));
    },
    ...createLeases(queue, { toClaim: rowToClaim, keyOf }),
    erase: async (claim, { nowMs, pause }) => {
      try {
        const isInUse = await erase({ read: database.read, eraseIn, claim, nowMs, pause }).catch((error) => {
          // An identity that is made again is no erased one.
          if (error instanceof MadeAgain) return null;
          throw error;
        });
        const dueMs = isInUse === null ? null : nextLookMs(claim, { nowMs, isInUse });
        const next = dueMs === null ? { id: null, audit_context: null, due_ms: null } : { due_ms: dueMs };
        await holdIn(claim, 'auditLog', (trx) => ofClaim(trx, claim).set(next).execute());
        return dueMs === null ? 'done' : 'later';
      } catch (error) {
        if (error instanceof ErasureLost) return 'lost';
        throw error;
      }
    },
  };
}

class ErasureLost extends Error {
  override readonly name = 'ErasureLost';
}

class MadeAgain extends Error {
  override readonly name = 'MadeAgain';
}

const rowToClaim = (row: Tables['identity_erasure']): ErasureClaim => ({
  tenant: row.tenant,
  fence: row.fence,
  idDigest: row.id_digest,
  id: row.id ?? '',
  pseudonym: row.pseudonym,
  requestedMs: Date.parse(row.requested),
});

const keyOf = ({ tenant, idDigest, fence }: ErasureClaim) => ({ tenant, id: idDigest, fence });

const digestOf = (id: string): string => hash('sha256', id);

const isPresent = (db: Kysely<Tables>, { tenant, id }: Person) =>
  hasSome(db, sql`identity where tenant = ${tenant} and id = ${id}`);

const isPseudonym = (db: Kysely<Tables>, { tenant, id }: Person) =>
  hasSome(db, sql`identity_erasure where tenant = ${tenant} and pseudonym = ${id}`);

const hasSome = async (db: Kysely<Tables>, rows: RawBuilder<unknown>): Promise<boolean> =>
  (await sql`select 1 from ${rows}`.execute(db)).rows.length > 0;

/** Why no erasure of an id may begin. An identity that has a pseudonym as its id is refused as that. */
async function findRefusal(db: Kysely<Tables>, person: Person): Promise<Conflict | null> {
  if (await isPseudonym(db, person)) return refusePseudonym(person.id);
  return (await isPresent(db, person)) ? refusePresentIdentity(person.id) : null;
}

async function findErasure(db: Kysely<Tables>, { tenant, id }: Person) {
  const erasure = await db
    .selectFrom('identity_erasure')
    .select(['id', 'pseudonym', 'requested'])
    .where('tenant', '=', tenant)
    .where('id_digest', '=', digestOf(id))
    .executeTakeFirst();
  return erasure ?? null;
}

async function begin(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  id: string,
): Promise<Result<Pseudonym, Conflict>> {
  const { tenant, time: requested } = auditContext;
  const refusal = await findRefusal(trx, { tenant, id });
  if (refusal !== null) return fail(refusal);
  const erasure = await findErasure(trx, { tenant, id });
  const pseudonym = erasure?.pseudonym ?? (await findFreePseudonym(trx, tenant));
  const isPending = erasure !== null && erasure.id !== null;
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
    .onConflict((conflict) =>
      conflict.columns(['tenant', 'id_digest']).doUpdateSet((eb) => ({
        ...pending,
        // A worker that has begun may be past what this request is about.
        fence: eb('identity_erasure.fence', '+', 1),
      })),
    )
    .execute();
  await recordChange(trx, {
    auditContext,
    resource: { type: 'IDENTITY', id: pseudonym },
    before: { erasureRequested: isPending ? erasure.requested : null },
    after: { erasureRequested: requested },
  });
  return ok({ id, pseudonym });
}

const PSEUDONYM_DIGITS = 8;

async function findFreePseudonym(trx: Transaction<Tables>, tenant: string): Promise<string> {
  for (;;) {
    const pseudonym = `erased-${hash('sha256', newEventId()).slice(0, PSEUDONYM_DIGITS)}`;
    if (!(await isPseudonym(trx, { tenant, id: pseudonym }))) return pseudonym;
  }
}

/** Changes something in a transaction in which the claim is the latest. */
type Held = (
  claim: ErasureClaim,
  changes: TenantScope['changes'],
  change: (trx: Transaction<Tables>) => Promise<unknown>,
) => Promise<void>;

interface Work extends Pick<Database, 'read'> {
  readonly eraseIn: Held;
  readonly claim: ErasureClaim;
  readonly nowMs: number;
  readonly pause: Pause;
}

/** Erases what has ended; true where something is in use. */
async function erase({ read, eraseIn, claim, nowMs, pause }: Work): Promise<boolean> {
  const { tenant, id } = claim;
  const reads: PersonReads = { read, pause, person: { tenant, id } };
  await eraseIn(claim, 'mail', (trx) =>
    trx.deleteFrom('mail').where('tenant', '=', tenant).where('recipient_id', '=', id).execute(),
  );
  let isInUse = false;
  for (const { erasing, ...source } of PERSON_SOURCES) {
    if (erasing === undefined) continue;
    const found = readRows(reads, source);
    if (await eraseRows(found, { claim, eraseIn, source: { ...source, erasing } })) isInUse = true;
  }
  await eraseRows(readEventRows(reads), { claim, eraseIn, source: EVENTS });
  await eraseAuditEvents(reads, { claim, eraseIn, nowMs });
  return isInUse;
}

/** When a worker looks again, less and less often, since something may be in use for long; null where all is erased. */
function nextLookMs(
  { requestedMs }: ErasureClaim,
  { nowMs, isInUse }: { readonly nowMs: number; readonly isInUse: boolean },
): number | null {
  const waitedMs = nowMs - requestedMs;
  if (!isInUse && waitedMs >= SETTLED_MS) return null;
  return nowMs + Math.max(SETTLED_MS - waitedMs, Math.min(waitedMs, PAUSE_MS_MAX));
}

const ofClaim = (trx: Transaction<Tables>, { tenant, idDigest }: ErasureClaim) =>
  trx.updateTable('identity_erasure').where('tenant', '=', tenant).where('id_digest', '=', idDigest);

type ErasedSource = Pick<PersonSource, 'table' | 'columns' | 'key'> & { readonly erasing: Erasing };

const EVENTS: ErasedSource = {
  table: 'event',
  columns: ['type', 'resource_id', 'data'],
  key: ['sequence'],
  erasing: {
    changes: 'events',
    hasEnded: () => true,
    set: ({ type, resource_id, data }, who) => ({
      resource_id: resource_id === who.id && isOfPerson(String(type)) ? who.pseudonym : resource_id,
      data: typeof data === 'string' ? JSON.stringify(erasePerson(JSON.parse(data), who)) : data,
    }),
  },
};

/** Erases rows that were found; true where some of them are in use. */
async function eraseRows(
  found: AsyncIterable<readonly object[]>,
  { claim, eraseIn, source }: Pick<Work, 'claim' | 'eraseIn'> & { readonly source: ErasedSource },
): Promise<boolean> {
  const { hasEnded, changes, set } = source.erasing;
  let isInUse = false;
  for await (const rows of found) {
    const ended = rows.map((row): Row => ({ ...row })).filter(hasEnded);
    if (ended.length < rows.length) isInUse = true;
    if (ended.length === 0) continue;
    await eraseIn(claim, changes, async (trx) => {
      // The erasure of another person may have changed them since they were found. Now it waits.
      const present = await readAgain(trx, claim.tenant, { ...source, rows: ended });
      for (const row of present.filter(hasEnded))
        await setRow(trx, { ...source, row, tenant: claim.tenant }, set(row, claim));
    });
  }
  return isInUse;
}

async function readAgain(
  trx: Transaction<Tables>,
  tenant: string,
  { table, columns, key, rows }: Pick<PersonSource, 'table' | 'columns' | 'key'> & { readonly rows: readonly Row[] },
): Promise<readonly Row[]> {
  const selected = sql.join([...new Set([...columns, ...key])].map((column) => sql.ref(column)));
  const isOne = sql.join(
    rows.map((row) => isRow(key, row)),
    sql` or `,
  );
  const { rows: present } = await sql<Row>`
    select ${selected} from ${sql.table(table)} where tenant = ${tenant} and (${isOne})`.execute(trx);
  return present;
}

interface RowKey extends Pick<PersonSource, 'table' | 'key'> {
  readonly tenant: string;
  readonly row: Row;
}

async function setRow(trx: Transaction<Tables>, { table, key, tenant, row }: RowKey, values: Row): Promise<void> {
  const changed = Object.entries(values).filter(([column, value]) => row[column] !== value);
  if (changed.length === 0) return;
  const set = sql.join(changed.map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
  await sql`update ${sql.table(table)} set ${set} where tenant = ${tenant} and ${isRow(key, row)}`.execute(trx);
}

const isRow = (key: readonly string[], row: Row): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    key.map((column) => sql`${sql.ref(column)} = ${row[column]}`),
    sql` and `,
  )})`;

/** Erases the entries of the audit log, a few in each transaction, with an event that attests them. */
async function eraseAuditEvents(
  reads: PersonReads,
  { claim, eraseIn, nowMs }: Pick<Work, 'claim' | 'eraseIn' | 'nowMs'>,
): Promise<void> {
  const time = new Date(nowMs).toISOString();
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
        await eraseIn(claim, 'auditLog', async (trx) => {
          const auditContext = { ...(await readAuditContext(trx, claim)), time };
          await eraseFromLog(trx, { auditContext, who: claim, sequences: some });
        });
      }
    }
}

/** Read in each transaction: the identity that asked may be erased meanwhile. */
async function readAuditContext(
  trx: Transaction<Tables>,
  { tenant, idDigest }: ErasureClaim,
): Promise<Omit<AuditContext, 'time'>> {
  const { audit_context } = await trx
    .selectFrom('identity_erasure')
    .select('audit_context')
    .where('tenant', '=', tenant)
    .where('id_digest', '=', idDigest)
    .executeTakeFirstOrThrow();
  return JSON.parse(audit_context ?? 'null');
}

const isOfPerson = (type: string): boolean => EVENT_TYPES[columnToEventType(type)]?.resource === 'AUTH_USER';
