import { hash } from 'node:crypto';
import { type AuditContext, type Branding, brandingChanges, type Result, UNSET_BRANDING } from '@access-admin/domain';
import type { Kysely, Transaction } from 'kysely';
import { type Change, type Failed, unconditional, underPrecondition } from '../engine/change.ts';
import type { Database } from '../engine/database.ts';
import { changeScope } from '../engine/scope.ts';
import { recordChanges } from '../record/audit/append-event.ts';
import { ensureTenant } from '../record/tenants/versions.ts';
import type { Tables } from '../schema/tables.ts';

/** What pages show of a branding. */
export interface ShownBranding {
  readonly title: string | null;
  readonly helpText: string | null;
  /** Names the logo; null without one. */
  readonly logoDigest: string | null;
}

export interface BrandingStore {
  /** Three nulls when nothing is set. */
  read(tenant: string): Promise<Branding>;
  /** The branding as pages show it, without the logo itself. Three nulls when nothing is set. */
  readShown(tenant: string): Promise<ShownBranding>;
  /** The logo with this digest; null where the tenant has another one or none. */
  readLogo(tenant: string, digest: string): Promise<string | null>;
  /** Reads, decides and stores in one transaction. */
  change<F extends Failed, G extends Failed = never>(
    auditContext: AuditContext,
    change: Change<Branding, Branding, F, G>,
  ): Promise<Result<Branding, F | G>>;
}

export function createBrandingStore(database: Database): BrandingStore {
  return {
    read: (tenant) => database.read((db) => readBranding(db, tenant)),
    readShown: (tenant) =>
      database.read(async (db) => {
        const row = await db
          .selectFrom('branding')
          .select(['title', 'help_text', 'logo_digest'])
          .where('tenant', '=', tenant)
          .executeTakeFirst();
        return {
          title: row?.title ?? null,
          helpText: row?.help_text ?? null,
          logoDigest: row?.logo_digest ?? null,
        };
      }),
    readLogo: (tenant, digest) =>
      database.read(async (db) => {
        const row = await db
          .selectFrom('branding')
          .select('logo')
          .where('tenant', '=', tenant)
          .where('logo_digest', '=', digest)
          .executeTakeFirst();
        return row?.logo ?? null;
      }),
    change: (auditContext, { precondition = unconditional, decide }) =>
      database.write(changeScope(auditContext), async (trx) => {
        const { tenant } = auditContext;
        const before = await readBranding(trx, tenant);
        const decision = underPrecondition(precondition(before), decide(before));
        if (decision.ok) {
          await ensureTenant(trx, tenant, auditContext.time);
          await writeBranding(trx, tenant, decision.value);
          const resource = { type: 'BRANDING', id: 'tenant' } as const;
          await recordChanges(trx, auditContext, [{ resource, changes: brandingChanges(before, decision.value) }]);
        }
        return decision;
      }),
  };
}

/** Three nulls when nothing is set. */
export async function readBranding(db: Kysely<Tables>, tenant: string): Promise<Branding> {
  const row = await db
    .selectFrom('branding')
    .select(['title', 'logo', 'help_text'])
    .where('tenant', '=', tenant)
    .executeTakeFirst();
  if (row === undefined) return UNSET_BRANDING;
  const { title, logo, help_text: helpText } = row;
  return { title, logo, helpText };
}

/** The tenant must exist. */
export async function writeBranding(trx: Transaction<Tables>, tenant: string, branding: Branding): Promise<void> {
  const { title, logo, helpText } = branding;
  const columns = {
    title,
    logo,
    logo_digest: logo === null ? null : hash('sha256', logo),
    help_text: helpText,
  };
  await trx
    .insertInto('branding')
    .values({ tenant, ...columns })
    .onConflict((conflict) => conflict.column('tenant').doUpdateSet(columns))
    .execute();
}
