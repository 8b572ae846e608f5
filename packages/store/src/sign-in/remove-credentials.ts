import { fail, failure, type NotFound, ok } from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { recordChange } from '../audit/append-event.ts';
import type { Database } from '../engine/database.ts';
import type { Tables } from '../schema/tables.ts';
import { type AccountKey, ensureAccount, sessionScope, signInScope } from './account.ts';
import type { CredentialStore } from './credential-store.ts';
import { readCapabilities } from './links.ts';
import { endSessionsOf } from './sessions.ts';

const NO_USER: NotFound = failure('NotFound', '', 'There is no such auth user.');

/** Removes everything that an identity signs in with. */
export const removeAll =
  (database: Database): CredentialStore['removeAll'] =>
  (auditContext, identityId, decide) =>
    database.write(sessionScope(auditContext), async (trx) => {
      const { tenant, time } = auditContext;
      const key = { tenant, identityId };
      if (!(await ensureAccount(trx, key))) return fail(NO_USER);
      const admins = await findSigningInAdmins(trx, tenant, identityId);
      const decision = decide({
        identityId,
        capabilities: await readCapabilities(trx, key),
        isSigningInAdmin: admins.includes(identityId),
        otherSigningInAdmins: admins.some((id) => id !== identityId),
      });
      if (!decision.ok) return decision;
      await removeFactors(trx, key);
      await endSessionsOf(trx, auditContext, { identityId });
      const resource = { type: 'AUTH_USER', id: identityId } as const;
      const after = { credentialsRemoved: time };
      await recordChange(trx, { auditContext, resource, before: { credentialsRemoved: null }, after });
      return ok(null);
    });

async function removeFactors(trx: Transaction<Tables>, { tenant, identityId }: AccountKey): Promise<void> {
  for (const table of ['passkey', 'recovery_code', 'sign_in_link', 'pending_sign_in'] as const)
    await trx.deleteFrom(table).where('tenant', '=', tenant).where('identity_id', '=', identityId).execute();
  await trx
    .updateTable('sign_in_account')
    .set({ password_hash: null, password_changed: null, totp_secret: null })
    .where('tenant', '=', tenant)
    .where('identity_id', '=', identityId)
    .execute();
}

/** Whether the identity is an `ORG_ADMIN` with the factors that its auth profile demands, and one other such, by id. */
async function findSigningInAdmins(
  trx: Transaction<Tables>,
  tenant: string,
  identityId: string,
): Promise<readonly string[]> {
  const passkeys = sql<boolean>`exists (
    select 1 from passkey where passkey.tenant = identity.tenant and passkey.identity_id = identity.id)`;
  const admins = (mine: boolean) =>
    trx
      .selectFrom('identity')
      .innerJoin('identity_profile as profile', (join) =>
        join.onRef('profile.tenant', '=', 'identity.tenant').onRef('profile.id', '=', 'identity.identity_profile'),
      )
      .leftJoin('sign_in_account as account', (join) =>
        join.onRef('account.tenant', '=', 'identity.tenant').onRef('account.identity_id', '=', 'identity.id'),
      )
      .select('identity.id')
      .where('identity.tenant', '=', tenant)
      .where('identity.id', mine ? '=' : '<>', identityId)
      // A literal, because the partial index does not match a parameter.
      .where('identity.is_org_admin', '=', sql.lit(1))
      .where(
        sql<boolean>`(profile.type = 'PTA' or profile.type <> 'BLOCK' and ${passkeys}
          or profile.type = 'NON_PTA' and account.password_hash is not null
          or profile.type = 'MFA' and account.password_hash is not null and account.totp_secret is not null)`,
      )
      .limit(1)
      .execute();
  return [...(await admins(true)), ...(await admins(false))].map(({ id }) => id);
}

/** Seals the secrets of TOTP again that another key has sealed. */
export const reseal =
  (database: Database): CredentialStore['reseal'] =>
  async (keyId, sealAgain) => {
    const rows = await database.read((db: Kysely<Tables>) =>
      db
        .selectFrom('sign_in_account')
        .select(['tenant', 'identity_id', 'totp_secret'])
        .where('totp_secret', 'not like', `v1.${keyId}.%`)
        .execute(),
    );
    let failed = 0;
    for (const { tenant, identity_id: identityId, totp_secret: before } of rows) {
      const after = before === null ? null : sealAgain({ tenant, identityId }, before);
      if (after === null) failed += 1;
      else
        await database.write(signInScope({ tenant }), async (trx) => {
          await trx
            .updateTable('sign_in_account')
            .set({ totp_secret: after })
            .where('tenant', '=', tenant)
            .where('identity_id', '=', identityId)
            .where('totp_secret', '=', before)
            .execute();
        });
    }
    return failed;
  };
