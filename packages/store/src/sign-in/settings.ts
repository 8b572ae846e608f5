import { DEFAULT_SIGN_IN_SETTINGS, type SignInSettings } from '@access-admin/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../schema/tables.ts';

/** The settings of a tenant; defaults for what is not set. */
export async function readSignInSettings(db: Kysely<Tables>, tenant: string): Promise<SignInSettings> {
  const row = await db.selectFrom('sign_in_settings').selectAll().where('tenant', '=', tenant).executeTakeFirst();
  const parse = <K extends keyof SignInSettings>(name: K): SignInSettings[K] => {
    const text = row?.[name] ?? null;
    return text === null ? DEFAULT_SIGN_IN_SETTINGS[name] : JSON.parse(text);
  };
  return { lockout: parse('lockout'), session: parse('session'), network: parse('network') };
}

/** Stores some of the settings; the others keep their values. */
export async function writeSignInSettings(
  trx: Transaction<Tables>,
  tenant: string,
  settings: Partial<SignInSettings>,
): Promise<void> {
  const columns = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, JSON.stringify(value)]));
  await trx
    .insertInto('sign_in_settings')
    .values({ tenant, lockout: null, session: null, network: null, ...columns })
    .onConflict((conflict) => conflict.column('tenant').doUpdateSet(columns))
    .execute();
}
