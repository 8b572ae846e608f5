import {
  type AuditContext,
  type AuthUser,
  areSameCapabilities,
  type Conflict,
  fail,
  failure,
  gainsApproval,
  gainsCapability,
  type NotFound,
  newEvent,
  type Result,
} from '@access-admin/domain';
import type { Kysely } from 'kysely';
import { AUTH_USER_COLUMNS, capabilitiesToColumns, rowToAuthUser } from '../access/records/identity-codec.ts';
import { type Failed, type GuardedChange, unconditional, underPrecondition } from '../engine/change.ts';
import type { Database } from '../engine/database.ts';
import { recordChange } from '../record/audit/append-event.ts';
import { appendEvents } from '../record/events/append-events.ts';
import { nextIdentityRevision } from '../record/tenants/versions.ts';
import { recordTiesOfChange } from '../record/ties/record.ts';
import type { Tables } from '../schema/tables.ts';
import { endSignIns } from '../sign-in/end-sign-ins.ts';
import { writeGuarded } from '../sign-in/guard.ts';
import { hasOtherOrgAdmins } from './org-admins.ts';

/** The data that a change of an auth user is decided on. */
export interface AuthUserView {
  readonly user: AuthUser;
  /** Whether another identity of the tenant has `ORG_ADMIN`. */
  readonly otherOrgAdmins: boolean;
}

export interface AuthUserStore {
  /** With the times of its sign-ins and of its password here, where there are any. */
  find(tenant: string, id: string): Promise<AuthUser | null>;
  /** Reads, decides and stores the capabilities in one transaction; a failure of the decision changes nothing. */
  change<F extends Failed, G extends Failed = never>(
    auditContext: AuditContext,
    id: string,
    change: GuardedChange<AuthUser, AuthUserView, F, G>,
  ): Promise<Result<AuthUser, F | G | NotFound | Conflict>>;
}

export function createAuthUserStore(database: Database): AuthUserStore {
  return {
    find: (tenant, id) => database.read((db) => findAuthUser(db, tenant, id)),
    change: (auditContext, id, { precondition = unconditional, decide, guard }) =>
      writeGuarded(database, { auditContext, guard }, async (trx) => {
        const { tenant } = auditContext;
        const user = await findAuthUser(trx, tenant, id);
        if (user === null) return fail(failure('NotFound', '', 'There is no such auth user.'));
        const view = { user, otherOrgAdmins: await hasOtherOrgAdmins(trx, tenant, new Set([id])) };
        const decision = underPrecondition(precondition(user), decide(view));
        if (decision.ok && decision.value.capabilities.join() !== user.capabilities.join()) {
          await trx
            .updateTable('identity')
            .set({
              ...capabilitiesToColumns(decision.value.capabilities),
              revision: await nextIdentityRevision(trx, tenant),
            })
            .where('tenant', '=', tenant)
            .where('id', '=', id)
            .execute();
          await recordChange(trx, {
            auditContext,
            resource: { type: 'AUTH_USER', id },
            before: user,
            after: decision.value,
          });
          const before = user.capabilities;
          const after = decision.value.capabilities;
          if (gainsApproval(before, after)) await recordTiesOfChange(trx, auditContext, [id]);
          if (gainsCapability(before, after))
            await endSignIns(trx, auditContext, { promoted: [id], renamed: [], deactivated: [] });
          const data = { id, displayName: user.displayName, before, after };
          // Another order is stored and shown, but gives and takes nothing.
          if (areSameCapabilities(before, after)) return decision;
          await appendEvents(trx, tenant, [
            newEvent('auth-user.capabilities-changed', id, { time: auditContext.time, data }),
          ]);
        }
        return decision;
      }),
  };
}

async function findAuthUser(db: Kysely<Tables>, tenant: string, id: string): Promise<AuthUser | null> {
  const row = await db
    .selectFrom('identity')
    .select(AUTH_USER_COLUMNS)
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : withSignInTimes(db, rowToAuthUser(row));
}

/** Sign-ins and passwords of this service count more than what was imported of others. */
async function withSignInTimes(db: Kysely<Tables>, user: AuthUser): Promise<AuthUser> {
  const account = await db
    .selectFrom('sign_in_account')
    .select(['last_login_ms', 'current_login_ms', 'last_unlocked', 'password_changed'])
    .where('tenant', '=', user.tenant)
    .where('identity_id', '=', user.id)
    .executeTakeFirst();
  return {
    ...user,
    lastPasswordChangeDate: account?.password_changed ?? user.lastPasswordChangeDate,
    lastLoginTimestamp: account?.last_login_ms ?? user.lastLoginTimestamp,
    currentLoginTimestamp: account?.current_login_ms ?? user.currentLoginTimestamp,
    lastUnlockTimestamp: account?.last_unlocked ?? user.lastUnlockTimestamp,
  };
}
