import {
  type AuditContext,
  fail,
  failure,
  type NewEvent,
  type NotFound,
  ok,
  type Result,
  type SignInLock,
} from '@access-admin/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Failed } from '../engine/change.ts';
import type { Database } from '../engine/database.ts';
import { appendAuditEvents, recordChange } from '../record/audit/append-event.ts';
import { appendEvents } from '../record/events/append-events.ts';
import type { Tables } from '../schema/tables.ts';
import { ensureAccount, signInScope } from './account.ts';
import type { CredentialsView } from './credential-store.ts';
import { readCapabilities } from './links.ts';

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

/** What a failed attempt has locked. */
export interface CountedFailure {
  readonly isUserLocked: boolean;
  readonly isAddressLocked: boolean;
  /** Whether the address was locked already. Then nothing was counted, not even for the user. */
  readonly wasAddressLocked: boolean;
}

/** A lock that an event is about; `identityId` is null for that of an address. */
export interface NewLock {
  readonly identityId: string | null;
  /** ISO 8601. */
  readonly lockedUntil: string;
}

/** The locks that end after an instant; null for what is not locked then. */
export interface SignInLocks {
  readonly user: SignInLock | null;
  readonly address: SignInLock | null;
}

/** Failed sign-ins by user and by address. */
export interface SignInFailureStore {
  /**
   * Counts a failure, unless it is locked already; one from a locked address counts for no user, so that one address cannot
   * lock users everywhere. Returns what this failure has locked: each lock is recorded, with its event by `eventOf`.
   */
  record(
    auditContext: AuditContext,
    failed: SignInFailure,
    eventOf?: (lock: NewLock) => NewEvent,
  ): Promise<CountedFailure>;
  /** Records and tells that an identity was refused before its credentials counted. */
  recordBlock(auditContext: AuditContext, identityId: string, event: NewEvent): Promise<void>;
  /** The failed attempts of a user that still count, and until when it is locked; null for a user that is not. */
  readUser(
    tenant: string,
    of: { readonly identityId: string; readonly nowMs: number; readonly windowMs: number },
  ): Promise<{ readonly attempts: number; readonly lockedUntilMs: number | null }>;
  /** Reads, decides, and forgets the failed attempts of a user, so that a lock ends; records the end of a lock. */
  unlock<F extends Failed>(
    auditContext: AuditContext,
    identityId: string,
    decide: (target: CredentialsView) => Result<unknown, F>,
  ): Promise<Result<null, F | NotFound>>;
  readLocks(
    tenant: string,
    of: { readonly identityId: string | null; readonly address: string; readonly nowMs: number },
  ): Promise<SignInLocks>;
}

export const createSignInFailureStore = (database: Database): SignInFailureStore => ({
  record: (auditContext, failed, eventOf) =>
    database.write(signInScope(auditContext), (trx) => recordFailure(trx, auditContext, { failed, eventOf })),
  recordBlock: (auditContext, identityId, event) =>
    database.write(signInScope(auditContext), async (trx) => {
      const resource = { type: 'AUTH_USER', id: identityId } as const;
      const denied = { ...auditContext, resource, outcome: 'DENIED', changes: [] } as const;
      await appendAuditEvents(trx, auditContext.tenant, [{ event: denied, members: [] }]);
      await appendEvents(trx, auditContext.tenant, [event]);
    }),
  readUser: (tenant, { identityId, nowMs, windowMs }) =>
    database.read(async (db) => {
      const row = await rowOf(db, { tenant, kind: 'USER', subject: identityId })
        .select(['times', 'locked_until_ms'])
        .executeTakeFirst();
      const times: readonly number[] = JSON.parse(row?.times ?? '[]');
      const lockedUntilMs = row !== undefined && row.locked_until_ms > nowMs ? row.locked_until_ms : null;
      return { attempts: countedOf(times, { nowMs, windowMs }).length, lockedUntilMs };
    }),
  unlock: (auditContext, identityId, decide) =>
    database.write(signInScope(auditContext), (trx) => unlock(trx, { auditContext, identityId }, decide)),
  readLocks: (tenant, { identityId, address, nowMs }) =>
    database.read(async (db) => ({
      user: identityId === null ? null : await findLock(db, { tenant, kind: 'USER', subject: identityId }, nowMs),
      address: await findLock(db, { tenant, kind: 'ADDRESS', subject: address }, nowMs),
    })),
});

async function recordFailure(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  given: { readonly failed: SignInFailure; readonly eventOf: ((lock: NewLock) => NewEvent) | undefined },
): Promise<CountedFailure> {
  const { tenant } = auditContext;
  const { identityId, address, nowMs, windowMs, durationMs, userAttempts, addressAttempts } = given.failed;
  const limits = { nowMs, windowMs, durationMs };
  const ofAddress = { tenant, kind: 'ADDRESS', subject: address } as const;
  if ((await findLock(trx, ofAddress, nowMs)) !== null)
    return { isUserLocked: false, isAddressLocked: false, wasAddressLocked: true };
  const isUserLocked =
    identityId !== null &&
    (await ensureAccount(trx, { tenant, identityId })) &&
    (await count(trx, { tenant, kind: 'USER', subject: identityId }, { ...limits, attempts: userAttempts }));
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
  }
  const { eventOf } = given;
  if (eventOf !== undefined) {
    const locked = [...(isUserLocked ? [identityId] : []), ...(isAddressLocked ? [null] : [])];
    await appendEvents(
      trx,
      tenant,
      locked.map((id) => eventOf({ identityId: id, lockedUntil })),
    );
  }
  return { isUserLocked, isAddressLocked, wasAddressLocked: false };
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
  const times = [...countedOf(earlier, { nowMs, windowMs }), nowMs];
  const locks = times.length >= attempts;
  const values = {
    times: JSON.stringify(locks ? [] : times),
    locked_from_ms: locks ? nowMs : 0,
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

/** The failures that still count. A time ahead comes from a clock that was wrong, and would count for too long. */
const countedOf = (times: readonly number[], { nowMs, windowMs }: Pick<SignInFailure, 'nowMs' | 'windowMs'>) =>
  times.filter((time) => time > nowMs - windowMs && time <= nowMs);

async function unlock<F extends Failed>(
  trx: Transaction<Tables>,
  { auditContext, identityId }: { readonly auditContext: AuditContext; readonly identityId: string },
  decide: (target: CredentialsView) => Result<unknown, F>,
): Promise<Result<null, F | NotFound>> {
  const { tenant, time } = auditContext;
  const key = { tenant, identityId };
  if (!(await ensureAccount(trx, key))) return fail(failure('NotFound', '', 'There is no such auth user.'));
  const decision = decide({ identityId, capabilities: await readCapabilities(trx, key) });
  if (!decision.ok) return decision;
  const ofUser = { tenant, kind: 'USER', subject: identityId } as const;
  const row = await rowOf(trx, ofUser).select('locked_until_ms').executeTakeFirst();
  await remove(trx, ofUser);
  if (row === undefined || row.locked_until_ms <= Date.parse(time)) return ok(null);
  await trx
    .updateTable('sign_in_account')
    .set({ last_unlocked: time })
    .where('tenant', '=', tenant)
    .where('identity_id', '=', identityId)
    .execute();
  const resource = { type: 'AUTH_USER', id: identityId } as const;
  const lockedUntil = new Date(row.locked_until_ms).toISOString();
  await recordChange(trx, { auditContext, resource, before: { lockedUntil }, after: { lockedUntil: null } });
  return ok(null);
}

const remove = (trx: Transaction<Tables>, { tenant, kind, subject }: { readonly [Part in keyof Subject]: string }) =>
  trx
    .deleteFrom('sign_in_failure')
    .where('tenant', '=', tenant)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .execute();

const rowOf = (db: Kysely<Tables>, { tenant, kind, subject }: Subject) =>
  db.selectFrom('sign_in_failure').where('tenant', '=', tenant).where('kind', '=', kind).where('subject', '=', subject);

async function findLock(db: Kysely<Tables>, subject: Subject, nowMs: number): Promise<SignInLock | null> {
  const row = await rowOf(db, subject).select(['locked_from_ms', 'locked_until_ms']).executeTakeFirst();
  if (row === undefined || row.locked_until_ms <= nowMs) return null;
  return { fromMs: row.locked_from_ms, untilMs: row.locked_until_ms };
}
