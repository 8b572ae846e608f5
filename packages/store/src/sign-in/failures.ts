import type { AuditContext, NewEvent } from '@access-admin/domain';
import type { Kysely, Transaction } from 'kysely';
import { appendAuditEvents, recordChange } from '../audit/append-event.ts';
import type { Database } from '../engine/database.ts';
import { appendEvents } from '../events/append-events.ts';
import type { Tables } from '../schema/tables.ts';
import { ensureAccount, signInScope } from './account.ts';

const REMOVED_AT_ONCE = 100;

/** A failed attempt to prove an identity. */
export interface SignInFailure {
  /** Null for an unknown username. */
  readonly identityId: string | null;
  readonly address: string;
  readonly nowMs: number;
  readonly windowMs: number;
  readonly durationMs: number;
  /** The failures within the window that lock a user, and an address. */
  readonly userAttempts: number;
  readonly addressAttempts: number;
}

/** Whether attempts of a user and from an address are refused. */
export interface SignInLocks {
  readonly isUserLocked: boolean;
  readonly isAddressLocked: boolean;
}

/** Failed sign-ins by user and by address. */
export interface SignInFailureStore {
  /**
   * Counts a failure, unless it is locked already; tells what this failure has locked. A lock is recorded, and that of a
   * user is told by `toldOf`.
   */
  record(
    auditContext: AuditContext,
    failed: SignInFailure,
    toldOf?: (lockedUntil: string) => NewEvent,
  ): Promise<SignInLocks>;
  /** Records and tells that an identity was refused before its credentials counted. */
  recordBlock(auditContext: AuditContext, identityId: string, told: NewEvent): Promise<void>;
  readLocks(
    tenant: string,
    of: { readonly identityId: string | null; readonly address: string; readonly nowMs: number },
  ): Promise<SignInLocks>;
}

export const createSignInFailureStore = (database: Database): SignInFailureStore => ({
  record: (auditContext, failed, toldOf) =>
    database.write(signInScope(auditContext), (trx) => recordFailure(trx, auditContext, { failed, toldOf })),
  recordBlock: (auditContext, identityId, told) =>
    database.write(signInScope(auditContext), async (trx) => {
      const resource = { type: 'AUTH_USER', id: identityId } as const;
      const event = { ...auditContext, resource, outcome: 'DENIED', changes: [] } as const;
      await appendAuditEvents(trx, auditContext.tenant, [{ event, members: [] }]);
      await appendEvents(trx, auditContext.tenant, [told]);
    }),
  readLocks: (tenant, { identityId, address, nowMs }) =>
    database.read(async (db) => ({
      isUserLocked: identityId !== null && (await isLocked(db, tenant, { kind: 'USER', subject: identityId, nowMs })),
      isAddressLocked: await isLocked(db, tenant, { kind: 'ADDRESS', subject: address, nowMs }),
    })),
});

async function recordFailure(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  given: { readonly failed: SignInFailure; readonly toldOf: ((lockedUntil: string) => NewEvent) | undefined },
): Promise<SignInLocks> {
  const { tenant } = auditContext;
  const { identityId, address, nowMs, windowMs, durationMs, userAttempts, addressAttempts } = given.failed;
  const limits = { nowMs, windowMs, durationMs };
  await removeExpired(trx, tenant, nowMs);
  const isUserLocked =
    identityId !== null &&
    (await ensureAccount(trx, { tenant, identityId })) &&
    (await count(trx, { tenant, kind: 'USER', subject: identityId }, { ...limits, attempts: userAttempts }));
  const ofAddress = { tenant, kind: 'ADDRESS', subject: address } as const;
  const isAddressLocked = await count(trx, ofAddress, { ...limits, attempts: addressAttempts });
  const lockedUntil = new Date(nowMs + durationMs).toISOString();
  if (isAddressLocked)
    await recordChange(trx, {
      auditContext,
      resource: { type: 'AUTH_USER', id: null },
      before: { address, lockedUntil: null },
      after: { address, lockedUntil },
    });
  if (isUserLocked) {
    const resource = { type: 'AUTH_USER', id: identityId } as const;
    await recordChange(trx, { auditContext, resource, before: { lockedUntil: null }, after: { lockedUntil } });
    if (given.toldOf !== undefined) await appendEvents(trx, tenant, [given.toldOf(lockedUntil)]);
  }
  return { isUserLocked, isAddressLocked };
}

interface Subject {
  readonly tenant: string;
  readonly kind: 'USER' | 'ADDRESS';
  readonly subject: string;
}

interface Limits extends Pick<SignInFailure, 'nowMs' | 'windowMs' | 'durationMs'> {
  readonly attempts: number;
}

/** Counts a failure; true when it locks. */
async function count(trx: Transaction<Tables>, subject: Subject, limits: Limits): Promise<boolean> {
  const { tenant, kind } = subject;
  const { nowMs, windowMs, durationMs, attempts } = limits;
  const row = await rowOf(trx, subject).select(['times', 'locked_until_ms']).executeTakeFirst();
  if (row !== undefined && row.locked_until_ms > nowMs) return false;
  const earlier: readonly number[] = row === undefined ? [] : JSON.parse(row.times);
  // A time ahead comes from a clock that was wrong, and would count for too long.
  const times = [...earlier.filter((time) => time > nowMs - windowMs && time <= nowMs), nowMs];
  const locks = times.length >= attempts;
  const values = {
    times: JSON.stringify(locks ? [] : times),
    locked_until_ms: locks ? nowMs + durationMs : 0,
    expires_ms: nowMs + (locks ? durationMs : windowMs),
  };
  await trx
    .insertInto('sign_in_failure')
    .values({
      tenant,
      kind,
      subject: subject.subject,
      identity_id: kind === 'USER' ? subject.subject : null,
      ...values,
    })
    .onConflict((conflict) => conflict.columns(['tenant', 'kind', 'subject']).doUpdateSet(values))
    .execute();
  return locks;
}

const rowOf = (db: Kysely<Tables>, { tenant, kind, subject }: Subject) =>
  db.selectFrom('sign_in_failure').where('tenant', '=', tenant).where('kind', '=', kind).where('subject', '=', subject);

async function isLocked(
  db: Kysely<Tables>,
  tenant: string,
  { nowMs, ...subject }: Omit<Subject, 'tenant'> & { readonly nowMs: number },
): Promise<boolean> {
  const row = await rowOf(db, { tenant, ...subject })
    .select('locked_until_ms')
    .executeTakeFirst();
  return row !== undefined && row.locked_until_ms > nowMs;
}

async function removeExpired(trx: Transaction<Tables>, tenant: string, nowMs: number): Promise<void> {
  const expired = await trx
    .selectFrom('sign_in_failure')
    .select(['kind', 'subject'])
    .where('tenant', '=', tenant)
    .where('expires_ms', '<=', nowMs)
    .limit(REMOVED_AT_ONCE)
    .execute();
  for (const { kind, subject } of expired)
    await trx
      .deleteFrom('sign_in_failure')
      .where('tenant', '=', tenant)
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .execute();
}
