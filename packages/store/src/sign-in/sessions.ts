import {
  type AuditContext,
  DEFAULT_SESSION_CONFIG,
  fail,
  failure,
  type NotFound,
  ok,
  type Result,
} from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { parseCapabilities } from '../access/records/identity-codec.ts';
import { type Failed, unconditional } from '../engine/change.ts';
import type { Database } from '../engine/database.ts';
import { cacheRead } from '../engine/read-cache.ts';
import { countRows } from '../query/total.ts';
import { recordChange, recordChanges } from '../record/audit/append-event.ts';
import { isPresent } from '../record/tenants/is-present.ts';
import type { SessionRow, Tables } from '../schema/tables.ts';
import { type AccountKey, ensureAccount, sessionScope, signInScope } from './account.ts';
import { isLinkCurrent, isOfValidLink } from './link-generation.ts';
import type { CallingSession, NewSession, SessionQuery, SessionStore, StoredSession } from './session.ts';
import { isUsedLinkPresent } from './used-links.ts';

const SESSIONS_OF_IDENTITY_MAX = 100;
const REMOVED_AT_ONCE = 100;

export function createSessionStore(database: Database): SessionStore {
  const findLatest: SessionStore['findLatest'] = (tenant, hash) => database.read((db) => findCalling(db, tenant, hash));
  return {
    create: async (auditContext, session) => {
      const isStored = await database.write(signInScope(auditContext), (trx) => store(trx, auditContext, session));
      if (isStored) await endOldest(database, { tenant: auditContext.tenant, identityId: session.identityId });
      return isStored;
    },
    find: cacheRead(database.epochOf, findLatest),
    findLatest,
    touch: (tenant, hash, { activeMs, idleExpiresMs }) =>
      database.write(signInScope({ tenant }), async (trx) => {
        await ofHash(trx, tenant, hash)
          .set({ active_ms: activeMs, idle_expires_ms: idleExpiresMs })
          .where('active_ms', '<', activeMs)
          .execute();
      }),
    prove: (tenant, hash, { provenMs, factors }) =>
      database.write(sessionScope({ tenant }), async (trx) => {
        await ofHash(trx, tenant, hash)
          .set({ proven_ms: provenMs, factors: JSON.stringify(factors) })
          .execute();
      }),
    findOwner: async (tenant, id) => {
      const row = await database.read((db) =>
        db
          .selectFrom('session')
          .select('identity_id')
          .where('tenant', '=', tenant)
          .where('id', '=', id)
          .executeTakeFirst(),
      );
      return row?.identity_id ?? null;
    },
    list: async (tenant, query, { limit, offset }) => {
      const rows = await database.read((db) =>
        matching(db, tenant, query).selectAll().orderBy('id').limit(limit).offset(offset).execute(),
      );
      return rows.map(rowToSession);
    },
    count: (tenant, query) => database.read((db) => countRows(matching(db, tenant, query))),
    end: (auditContext, id, decide = unconditional) =>
      database.write(sessionScope(auditContext), (trx) => end(trx, { auditContext, id }, decide)),
  };
}

/** Null where the session or its link has ended, its auth profile blocks, its identity is not active, or the tenant is being removed. */
async function findCalling(db: Kysely<Tables>, tenant: string, hash: string): Promise<CallingSession | null> {
  const row = await db
    .selectFrom('session')
    .innerJoin('identity', (join) =>
      join.onRef('identity.tenant', '=', 'session.tenant').onRef('identity.id', '=', 'session.identity_id'),
    )
    .innerJoin('identity_profile as profile', (join) =>
      join.onRef('profile.tenant', '=', 'identity.tenant').onRef('profile.id', '=', 'identity.identity_profile'),
    )
    .leftJoin('sign_in_settings as settings', 'settings.tenant', 'session.tenant')
    .selectAll('session')
    .select(['identity.display_name', 'identity.capabilities', 'settings.session as config'])
    .where('session.tenant', '=', tenant)
    .where('session.hash', '=', hash)
    .where('profile.type', '<>', 'BLOCK')
    .where('identity.active', '=', 1)
    .where(isOfValidLink('session', tenant))
    .where(isPresent(tenant))
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    ...rowToSession(row),
    displayName: row.display_name,
    capabilities: parseCapabilities(row.capabilities),
    config: row.config === null ? DEFAULT_SESSION_CONFIG : JSON.parse(row.config),
  };
}

/** True if the session exists, and its sign-in link, if any, was not revoked. */
export async function findLiveSession(db: Kysely<Tables>, tenant: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('session')
    .select('id')
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .where(isOfValidLink('session', tenant))
    .executeTakeFirst();
  return row !== undefined;
}

const NO_SESSION: NotFound = failure('NotFound', '', 'There is no such session.');

/** Whether an identity is active, which it stays until the transaction ends: its sessions end once it is not. */
async function isActive(trx: Transaction<Tables>, { tenant, identityId }: AccountKey): Promise<boolean> {
  const row = await trx
    .selectFrom('identity')
    .select('active')
    .where('tenant', '=', tenant)
    .where('id', '=', identityId)
    .forShare()
    .executeTakeFirst();
  return row?.active === 1;
}

async function store(trx: Transaction<Tables>, auditContext: AuditContext, session: NewSession): Promise<boolean> {
  const { tenant } = auditContext;
  const { id, hash, identityId, factors, isFramed, address, createdMs, expiresMs, idleExpiresMs } = session;
  const { linkGeneration = null, usedLink = null } = session;
  if (!(await ensureAccount(trx, { tenant, identityId }))) return false;
  if (!(await isActive(trx, { tenant, identityId }))) return false;
  if (!(await isLinkCurrent(trx, { tenant, identityId }, linkGeneration))) return false;
  if (!(await isUsedLinkPresent(trx, { tenant, identityId }, usedLink))) return false;
  await trx
    .insertInto('session')
    .values({
      tenant,
      hash,
      id,
      identity_id: identityId,
      factors: JSON.stringify(factors),
      link_generation: linkGeneration,
      used_link: usedLink,
      is_framed: Number(isFramed),
      address,
      created_ms: createdMs,
      proven_ms: createdMs,
      active_ms: createdMs,
      expires_ms: expiresMs,
      idle_expires_ms: idleExpiresMs,
    })
    .execute();
  await trx
    .updateTable('sign_in_account')
    .set((eb) => ({ last_login_ms: eb.ref('current_login_ms'), current_login_ms: createdMs }))
    .where('tenant', '=', tenant)
    .where('identity_id', '=', identityId)
    .execute();
  const resource = { type: 'SESSION', id } as const;
  await recordChange(trx, {
    auditContext,
    resource,
    before: null,
    after: { identityId, factors, isFramed },
    members: [identityId],
  });
  return true;
}

/** Sessions that end are written in another scope, so that every process forgets them. */
async function endOldest(database: Database, key: AccountKey): Promise<void> {
  const oldest = (db: Kysely<Tables>) =>
    db
      .selectFrom('session')
      .select('hash')
      .where('tenant', '=', key.tenant)
      .where('identity_id', '=', key.identityId)
      .orderBy('created_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(REMOVED_AT_ONCE)
      .offset(SESSIONS_OF_IDENTITY_MAX)
      .execute();
  if ((await database.read(oldest)).length === 0) return;
  await database.write(sessionScope(key), async (trx) => {
    for (const { hash } of await oldest(trx))
      await trx.deleteFrom('session').where('tenant', '=', key.tenant).where('hash', '=', hash).execute();
  });
}

async function end<F extends Failed>(
  trx: Transaction<Tables>,
  { auditContext, id }: { readonly auditContext: AuditContext; readonly id: string },
  decide: (session: StoredSession) => Result<unknown, F>,
): Promise<Result<null, F | NotFound>> {
  const { tenant } = auditContext;
  const row = await trx
    .selectFrom('session')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return fail(NO_SESSION);
  const decision = decide(rowToSession(row));
  if (!decision.ok) return decision;
  await endThese(trx, auditContext, [row]);
  return ok(null);
}

/** Ends the sessions of an identity within a transaction of `sessionScope` or of the whole tenant, but for one with the id `except`. */
export async function endSessionsOf(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { identityId, except = null }: { readonly identityId: string; readonly except?: string | null },
): Promise<void> {
  const rows = await trx
    .selectFrom('session')
    .selectAll()
    .where('tenant', '=', auditContext.tenant)
    .where('identity_id', '=', identityId)
    .execute();
  await endThese(
    trx,
    auditContext,
    rows.filter(({ id }) => id !== except),
  );
}

/** Ends the sessions of identities whose auth profile blocks, within a transaction of the whole tenant. */
export async function endBlockedSessions(trx: Transaction<Tables>, auditContext: AuditContext): Promise<void> {
  const { tenant } = auditContext;
  const rows = await trx
    .selectFrom('session')
    .selectAll()
    .where('tenant', '=', tenant)
    // For each session: there are fewer than identities.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('identity')
          .innerJoin('identity_profile as profile', (join) =>
            join.onRef('profile.tenant', '=', 'identity.tenant').onRef('profile.id', '=', 'identity.identity_profile'),
          )
          .select('identity.id')
          .whereRef('identity.tenant', '=', 'session.tenant')
          .whereRef('identity.id', '=', 'session.identity_id')
          .where('profile.type', '=', sql.lit('BLOCK')),
      ),
    )
    .execute();
  await endThese(trx, auditContext, rows);
}

/** Ends sessions within a transaction of `sessionScope` or of the whole tenant. */
export async function endThese(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  rows: readonly SessionRow[],
): Promise<void> {
  for (const { tenant, hash } of rows)
    await trx.deleteFrom('session').where('tenant', '=', tenant).where('hash', '=', hash).execute();
  await recordChanges(
    trx,
    auditContext,
    rows.map(({ id, identity_id }) => ({
      resource: { type: 'SESSION', id },
      changes: [{ field: 'identityId', before: identity_id, after: null }],
      members: [identity_id],
    })),
  );
}

const ofHash = (trx: Transaction<Tables>, tenant: string, hash: string) =>
  trx.updateTable('session').where('tenant', '=', tenant).where('hash', '=', hash);

function matching(db: Kysely<Tables>, tenant: string, query: SessionQuery) {
  const { identityId, nowMs, createdAfterMs, activeAfterMs } = query;
  const live = db
    .selectFrom('session')
    .where('tenant', '=', tenant)
    .where('expires_ms', '>', nowMs)
    .where('idle_expires_ms', '>', nowMs)
    .where('created_ms', '>', createdAfterMs)
    .where('active_ms', '>', activeAfterMs)
    .where(isOfValidLink('session', tenant));
  return identityId === undefined ? live : live.where('identity_id', '=', identityId);
}

const rowToSession = (row: SessionRow): StoredSession => ({
  id: row.id,
  identityId: row.identity_id,
  factors: JSON.parse(row.factors),
  linkGeneration: row.link_generation,
  usedLink: row.used_link,
  isFramed: row.is_framed === 1,
  address: row.address,
  createdMs: row.created_ms,
  provenMs: row.proven_ms,
  activeMs: row.active_ms,
  expiresMs: row.expires_ms,
  idleExpiresMs: row.idle_expires_ms,
});
