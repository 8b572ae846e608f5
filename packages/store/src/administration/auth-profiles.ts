import {
  type AuditContext,
  type AuthProfile,
  type AuthProfileSummary,
  type Conflict,
  changesBetween,
  fail,
  failure,
  type NotFound,
  newEvent,
  type ProfileMembers,
  type Result,
  tiesMembersToMaker,
} from '@access-admin/domain';
import type { Kysely } from 'kysely';
import {
  columnToAuthProfileType,
  rowToAuthProfile,
  settingsToColumns,
} from '../access/records/identity-profile-codec.ts';
import { type Failed, type GuardedChange, unconditional, underPrecondition } from '../engine/change.ts';
import type { Database } from '../engine/database.ts';
import type { Page } from '../query/page.ts';
import { countRows } from '../query/total.ts';
import { recordChange } from '../record/audit/append-event.ts';
import { appendEvents } from '../record/events/append-events.ts';
import { recordTiesOfProfiles } from '../record/ties/record.ts';
import type { Tables } from '../schema/tables.ts';
import { writeGuarded } from '../sign-in/guard.ts';
import { readProfileMembers } from '../sign-in/profile-members.ts';
import { endBlockedSessions } from '../sign-in/sessions.ts';

/** The data that a change of an auth profile is decided on. */
export interface AuthProfileView {
  readonly profile: AuthProfile;
  /** The identities with this auth profile, for the caller. */
  readonly members: ProfileMembers;
}

/** How an auth profile is changed. */
export interface AuthProfileChange<F extends Failed, G extends Failed>
  extends Omit<GuardedChange<AuthProfile, AuthProfile, F, G>, 'decide'> {
  readonly decide: (profile: AuthProfile, members: ProfileMembers) => Result<AuthProfile, F>;
}

export interface AuthProfileStore {
  list(tenant: string, page: Page): Promise<readonly AuthProfileSummary[]>;
  count(tenant: string): Promise<number>;
  find(tenant: string, id: string): Promise<AuthProfile | null>;
  /** What a change by this identity would be decided on; null for an application as the caller. */
  findView(tenant: string, id: string, identityId: string | null): Promise<AuthProfileView | null>;
  /** Reads, decides and stores in one transaction. */
  change<F extends Failed, G extends Failed = never>(
    auditContext: AuditContext,
    id: string,
    change: AuthProfileChange<F, G>,
  ): Promise<Result<AuthProfile, F | G | NotFound | Conflict>>;
}

export function createAuthProfileStore(database: Database): AuthProfileStore {
  return {
    list: async (tenant, { limit, offset }) => {
      const rows = await database.read((db) =>
        db
          .selectFrom('identity_profile')
          .select(['id', 'name', 'type'])
          .where('tenant', '=', tenant)
          .orderBy('id')
          .limit(limit)
          .offset(offset)
          .execute(),
      );
      return rows.map(({ id, name, type }) => ({ tenant, id, name, type: columnToAuthProfileType(type) }));
    },
    count: (tenant) => database.read((db) => countRows(db.selectFrom('identity_profile').where('tenant', '=', tenant))),
    find: (tenant, id) => database.read((db) => findAuthProfile(db, tenant, id)),
    findView: (tenant, id, identityId) => database.read((db) => findView(db, { tenant, identityId }, id)),
    change: (auditContext, id, { precondition = unconditional, decide, guard }) =>
      writeGuarded(database, { auditContext, guard }, async (trx) => {
        const { tenant, actor } = auditContext;
        const view = await findView(trx, { tenant, identityId: actor.identityId }, id);
        if (view === null) return fail(failure('NotFound', '', 'There is no such auth profile.'));
        const { profile, members } = view;
        const decision = underPrecondition(precondition(profile), decide(profile, members));
        if (decision.ok) {
          await trx
            .updateTable('identity_profile')
            .set(settingsToColumns(decision.value))
            .where('tenant', '=', tenant)
            .where('id', '=', id)
            .execute();
          const resource = { type: 'AUTH_PROFILE', id } as const;
          await recordChange(trx, { auditContext, resource, before: profile, after: decision.value });
          if (tiesMembersToMaker(profile, decision.value)) await recordTiesOfProfiles(trx, auditContext, [id]);
          if (decision.value.type === 'BLOCK') await endBlockedSessions(trx, auditContext);
          if (changesBetween(profile, decision.value).length > 0)
            await appendEvents(trx, tenant, [
              newEvent('auth-profile.changed', id, { time: auditContext.time, data: decision.value }),
            ]);
        }
        return decision;
      }),
  };
}

async function findView(
  db: Kysely<Tables>,
  caller: { readonly tenant: string; readonly identityId: string | null },
  id: string,
): Promise<AuthProfileView | null> {
  const profile = await findAuthProfile(db, caller.tenant, id);
  if (profile === null) return null;
  const members = (await readProfileMembers(db, caller, [id])).get(id);
  return { profile, members: members ?? { capabilities: [], includeCaller: false } };
}

async function findAuthProfile(db: Kysely<Tables>, tenant: string, id: string): Promise<AuthProfile | null> {
  const row = await db
    .selectFrom('identity_profile')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : rowToAuthProfile(row);
}
