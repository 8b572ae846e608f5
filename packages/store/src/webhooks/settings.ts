import { fail, failure, type NotFound, ok, type Webhook, withoutQuery } from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { unconditional, underPrecondition } from '../engine/change.ts';
import type { Database } from '../engine/database.ts';
import { changeScope, type TenantScope } from '../engine/scope.ts';
import { countRows } from '../query/total.ts';
import { recordChange } from '../record/audit/append-event.ts';
import type { Tables, WebhookRow } from '../schema/tables.ts';
import { newWebhookToRow, rowToWebhook, webhookToColumns } from './codec.ts';
import { nextDue } from './due.ts';
import type { WebhookRecord, WebhookSettingsStore } from './webhook.ts';

/** Writes of webhooks wait for each other, and not for others of the tenant. */
export const scopeOf = (of: Parameters<typeof changeScope>[0]): TenantScope => changeScope(of, 'webhooks');

export const createWebhookSettings = (database: Database): WebhookSettingsStore => ({
  ...webhookReads(database),
  ...webhookWrites(database),
  ...secretWrites(database),
});

function webhookReads({ read }: Database): Pick<WebhookSettingsStore, 'list' | 'count' | 'find'> {
  return {
    list: async (tenant, { limit, offset }) => {
      const rows = await read((db) =>
        ofTenant(db, tenant).selectAll().orderBy('id').limit(limit).offset(offset).execute(),
      );
      return rows.map(rowToWebhook);
    },
    count: (tenant) => read((db) => countOf(db, tenant)),
    find: async (tenant, id) => {
      const row = await read((db) => findRow(db, tenant, id));
      return row === undefined ? null : rowToWebhook(row);
    },
  };
}

function webhookWrites(database: Database): Pick<WebhookSettingsStore, 'create' | 'change' | 'delete'> {
  return {
    create: (auditContext, given, decide) =>
      database.write(scopeOf(auditContext), async (trx) => {
        const { tenant } = auditContext;
        const decision = decide(await countOf(trx, tenant));
        if (!decision.ok) return decision;
        const row = {
          ...newWebhookToRow(tenant, given, await lastSequence(trx, tenant)),
          ...(await withoutDeleted(trx, tenant, given.webhook)),
        };
        await trx.insertInto('webhook').values(row).execute();
        const resource = { type: 'WEBHOOK', id: row.id } as const;
        await recordChange(trx, { auditContext, resource, before: null, after: recorded(given.webhook) });
        return ok(given.webhook);
      }),
    change: (auditContext, id, { precondition = unconditional, decide }) =>
      database.write(scopeOf(auditContext), async (trx) => {
        const { tenant } = auditContext;
        const row = await findRow(trx, tenant, id);
        if (row === undefined) return fail(NO_WEBHOOK);
        const before = rowToWebhook(row);
        const decision = underPrecondition(precondition(before), decide(before));
        if (!decision.ok) return decision;
        const after = decision.value;
        const isEnabledAgain = after.enabled && !before.enabled;
        const again = isEnabledAgain
          ? { failing_since_ms: null, failures: 0, cursor_at: await lastSequence(trx, tenant) }
          : {};
        const due_ms = nextDue({ tenant, webhookId: id }, after.enabled ? 1 : 0);
        await ofRow(trx, tenant, id)
          .set({ ...webhookToColumns(after), ...(await withoutDeleted(trx, tenant, after)), ...again, due_ms, ...LOST })
          .execute();
        const resource = { type: 'WEBHOOK', id } as const;
        await recordChange(trx, { auditContext, resource, before: recorded(before), after: recorded(after) });
        return decision;
      }),
    delete: (auditContext, id, { precondition = unconditional, decide = unconditional } = {}) =>
      database.write(scopeOf(auditContext), async (trx) => {
        const { tenant } = auditContext;
        const row = await findRow(trx, tenant, id);
        if (row === undefined) return fail(NO_WEBHOOK);
        const before = rowToWebhook(row);
        const decision = underPrecondition(precondition(before), decide(before));
        if (!decision.ok) return decision;
        await ofRow(trx, tenant, id)
          .set({ is_deleted: 1, enabled: 0, due_ms: null, secret: '', previous_secret: null, ...LOST })
          .execute();
        const resource = { type: 'WEBHOOK', id } as const;
        await recordChange(trx, { auditContext, resource, before: recorded(before), after: null });
        return ok(null);
      }),
  };
}

/**
 * No scopes for an identity that is deleted: a deletion takes them from the webhooks that it finds. The identity cannot be deleted
 * until the transaction ends.
 */
async function withoutDeleted(
  trx: Transaction<Tables>,
  tenant: string,
  { rights: { identityId } }: WebhookRecord,
): Promise<Partial<Pick<WebhookRow, 'scopes'>>> {
  if (identityId === null) return {};
  const found = await trx
    .selectFrom('identity')
    .select('id')
    .where('tenant', '=', tenant)
    .where('id', '=', identityId)
    .forKeyShare()
    .executeTakeFirst();
  return found === undefined ? { scopes: '[]' } : {};
}

function secretWrites(database: Database): Pick<WebhookSettingsStore, 'rotateSecret' | 'reseal'> {
  return {
    rotateSecret: (auditContext, id, { secret, modified, previousUntilMs, precondition = unconditional }) =>
      database.write(scopeOf(auditContext), async (trx) => {
        const { tenant } = auditContext;
        const row = await findRow(trx, tenant, id);
        if (row === undefined) return fail(NO_WEBHOOK);
        const before = rowToWebhook(row);
        const allowed = precondition(before);
        if (!allowed.ok) return fail(allowed.failure);
        const rotated = { secret, previous_secret: row.secret, previous_until_ms: previousUntilMs, modified };
        await ofRow(trx, tenant, id)
          .set({ ...rotated, ...LOST })
          .execute();
        const after = { ...before, modified };
        const resource = { type: 'WEBHOOK', id } as const;
        // The secret itself is not recorded.
        const rotatedSecret = { ...recorded(after), secretRotated: modified };
        await recordChange(trx, { auditContext, resource, before: recorded(before), after: rotatedSecret });
        return ok(after);
      }),
    reseal: async (keyId, reseal) => {
      const known = `v1.${keyId}.%`;
      const rows = await database.read((db) =>
        db
          .selectFrom('webhook')
          .select(['tenant', 'id', 'secret', 'previous_secret'])
          .where('is_deleted', '=', 0)
          .where((eb) => eb.or([eb('secret', 'not like', known), eb('previous_secret', 'not like', known)]))
          .execute(),
      );
      let sealed = 0;
      let failed = 0;
      for (const { tenant, id, secret, previous_secret } of rows) {
        const owner = { tenant, webhookId: id };
        const again = reseal(owner, secret);
        const previous = previous_secret === null ? null : reseal(owner, previous_secret);
        if (again === null) failed += 1;
        else {
          await database.write(scopeOf({ tenant }), async (trx) => {
            await ofRow(trx, tenant, id)
              .set({ secret: again, previous_secret: previous })
              .where('secret', '=', secret)
              .execute();
          });
          sealed += 1;
        }
      }
      return { sealed, failed };
    },
  };
}

/** A worker that holds it goes on with what it has read, and can store nothing. */
const LOST = { fence: sql<number>`fence + 1`, claimable_at_ms: 0 };

const NO_WEBHOOK: NotFound = failure('NotFound', '', 'There is no such webhook.');

/** Lists the properties, so that no secret is shown. */
export const shown = ({ id, name, url, types, format, enabled, created, modified }: WebhookRecord): Webhook => ({
  id,
  name,
  url,
  types,
  format,
  enabled,
  created,
  modified,
});

const recorded = (webhook: WebhookRecord): Webhook => withoutQuery(shown(webhook));

const ofTenant = (db: Kysely<Tables>, tenant: string) =>
  db.selectFrom('webhook').where('tenant', '=', tenant).where('is_deleted', '=', 0);

export const findRow = (db: Kysely<Tables>, tenant: string, id: string): Promise<WebhookRow | undefined> =>
  ofTenant(db, tenant).selectAll().where('id', '=', id).executeTakeFirst();

const ofRow = (trx: Transaction<Tables>, tenant: string, id: string) =>
  trx.updateTable('webhook').where('tenant', '=', tenant).where('id', '=', id);

async function countOf(db: Kysely<Tables>, tenant: string): Promise<number> {
  return countRows(ofTenant(db, tenant));
}

/** The number of the last event; 0 without one. */
async function lastSequence(db: Kysely<Tables>, tenant: string): Promise<number> {
  const head = await db.selectFrom('event_head').select('sequence').where('tenant', '=', tenant).executeTakeFirst();
  return head?.sequence ?? 0;
}
