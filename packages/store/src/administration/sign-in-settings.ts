import {
  type AuditContext,
  type Conflict,
  type Result,
  SIGN_IN_SETTING_RESOURCES,
  type SignInSettings,
} from '@access-admin/domain';
import { type Failed, type GuardedChange, unconditional, underPrecondition } from '../engine/change.ts';
import type { MaybePromise } from '../engine/concurrency/maybe-promise.ts';
import type { Database } from '../engine/database.ts';
import { cacheRead } from '../engine/read-cache.ts';
import { recordChange } from '../record/audit/append-event.ts';
import { ensureTenant } from '../record/tenants/versions.ts';
import { writeGuarded } from '../sign-in/guard.ts';
import { readSignInSettings, writeSignInSettings } from '../sign-in/settings.ts';

export interface SignInSettingsStore {
  /** Defaults for what is not set. Read in every sign-in: stays in memory until a commit may have changed it. */
  read(tenant: string): MaybePromise<SignInSettings>;
  /** The same from the database. */
  readLatest(tenant: string): Promise<SignInSettings>;
  /** Reads, decides and stores one of the settings in one transaction. */
  change<K extends keyof SignInSettings, F extends Failed, G extends Failed = never>(
    auditContext: AuditContext,
    name: K,
    change: GuardedChange<SignInSettings[K], SignInSettings[K], F, G>,
  ): Promise<Result<SignInSettings[K], F | G | Conflict>>;
}

export function createSignInSettingsStore(database: Database): SignInSettingsStore {
  const readLatest: SignInSettingsStore['readLatest'] = (tenant) =>
    database.read((db) => readSignInSettings(db, tenant));
  return {
    read: cacheRead(database.epochOf, readLatest),
    readLatest,
    change: (auditContext, name, { precondition = unconditional, decide, guard }) =>
      writeGuarded(database, { auditContext, guard }, async (trx) => {
        const { tenant } = auditContext;
        const before = (await readSignInSettings(trx, tenant))[name];
        const decision = underPrecondition(precondition(before), decide(before));
        if (decision.ok) {
          await ensureTenant(trx, tenant, auditContext.time);
          await writeSignInSettings(trx, tenant, { [name]: decision.value });
          const resource = { type: SIGN_IN_SETTING_RESOURCES[name], id: 'tenant' } as const;
          await recordChange(trx, { auditContext, resource, before, after: decision.value });
        }
        return decision;
      }),
  };
}
