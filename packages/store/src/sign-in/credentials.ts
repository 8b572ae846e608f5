import type { AuditContext } from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import { recordChange } from '../audit/append-event.ts';
import type { Database } from '../engine/database.ts';
import { insertRows } from '../query/insert.ts';
import type { Tables } from '../schema/tables.ts';
import { ensureAccount, sessionScope, signInScope } from './account.ts';
import { type CredentialStore, type EnrolmentOutcome, PASSKEYS_MAX } from './credential-store.ts';
import { findByPasskey, findByUsername, findSignInIdentity } from './find-identity.ts';
import type { Passkey } from './identity.ts';
import { useLink } from './links.ts';
import { removeAll, removeOne, reseal } from './remove-credentials.ts';
import { endSessionsOf } from './sessions.ts';

export const createCredentialStore = (database: Database): CredentialStore => ({
  findByUsername: (tenant, username) => database.read((db) => findByUsername(db, tenant, username)),
  findIdentity: (tenant, identityId) => database.read((db) => findSignInIdentity(db, tenant, identityId)),
  findByPasskey: (tenant, passkeyId) => database.read((db) => findByPasskey(db, tenant, passkeyId)),
  ...passwordWrites(database),
  ...totpWrites(database),
  ...passkeyWrites(database),
  ...recoveryCodeWrites(database),
  removeOne: removeOne(database),
  removeAll: removeAll(database),
  reseal: reseal(database),
});

interface Change {
  readonly auditContext: AuditContext;
  readonly identityId: string;
  readonly link: string | null;
}

/** Runs a change of factors once the identity is known to exist, and uses up the link. */
async function enrol<T extends string>(
  trx: Transaction<Tables>,
  { auditContext, identityId, link }: Change,
  work: () => Promise<T>,
): Promise<T | Exclude<EnrolmentOutcome, 'STORED'>> {
  const key = { tenant: auditContext.tenant, identityId };
  if (!(await ensureAccount(trx, key))) return 'IDENTITY_GONE';
  const use = { hash: link ?? '', nowMs: Date.parse(auditContext.time) };
  return link === null || (await useLink(trx, key, use)) ? work() : 'LINK_GONE';
}

const ofAccount = (trx: Transaction<Tables>, tenant: string, identityId: string) =>
  trx.updateTable('sign_in_account').where('tenant', '=', tenant).where('identity_id', '=', identityId);

/** Records a change of an identity's credentials, without their values. */
const record = (
  trx: Transaction<Tables>,
  { auditContext, identityId }: Pick<Change, 'auditContext' | 'identityId'>,
  [before, after]: readonly [object, object],
): Promise<void> => recordChange(trx, { auditContext, resource: { type: 'AUTH_USER', id: identityId }, before, after });

function passwordWrites(database: Database): Pick<CredentialStore, 'setPassword' | 'rehashPassword'> {
  return {
    setPassword: (auditContext, identityId, { hash, link, keepSession }) =>
      database.write(sessionScope(auditContext), (trx) =>
        enrol(trx, { auditContext, identityId, link }, async () => {
          const { tenant, time } = auditContext;
          const account = await trx
            .selectFrom('sign_in_account')
            .select('password_changed')
            .where('tenant', '=', tenant)
            .where('identity_id', '=', identityId)
            .executeTakeFirst();
          await ofAccount(trx, tenant, identityId).set({ password_hash: hash, password_changed: time }).execute();
          await record(trx, { auditContext, identityId }, [
            { passwordChanged: account?.password_changed ?? null },
            { passwordChanged: time },
          ]);
          await endSessionsOf(trx, auditContext, { identityId, except: keepSession });
          return 'STORED';
        }),
      ),
    rehashPassword: (tenant, identityId, { from, to }) =>
      database.write(signInScope({ tenant }), async (trx) => {
        await ofAccount(trx, tenant, identityId).set({ password_hash: to }).where('password_hash', '=', from).execute();
      }),
  };
}

function totpWrites(database: Database): Pick<CredentialStore, 'setTotp' | 'useTotpStep'> {
  return {
    setTotp: (auditContext, identityId, { secret, lastStep, link }) =>
      database.write(signInScope(auditContext), (trx) =>
        enrol(trx, { auditContext, identityId, link }, async () => {
          const { tenant, time } = auditContext;
          await ofAccount(trx, tenant, identityId).set({ totp_secret: secret, totp_step: lastStep }).execute();
          await record(trx, { auditContext, identityId }, [{ totpEnrolled: null }, { totpEnrolled: time }]);
          return 'STORED';
        }),
      ),
    useTotpStep: (tenant, identityId, step) =>
      database.write(signInScope({ tenant }), async (trx) => {
        const { numUpdatedRows } = await ofAccount(trx, tenant, identityId)
          .set({ totp_step: step })
          .where('totp_step', '<', step)
          .where('totp_secret', 'is not', null)
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      }),
  };
}

function passkeyWrites(database: Database): Pick<CredentialStore, 'addPasskey' | 'usePasskey'> {
  return {
    addPasskey: (auditContext, identityId, { passkey, link }) =>
      database.write(signInScope(auditContext), async (trx) => {
        const { tenant } = auditContext;
        const conflicting = await trx
          .selectFrom('passkey')
          .select('id')
          .where('tenant', '=', tenant)
          .where((eb) => eb.or([eb('id', '=', passkey.id), eb('identity_id', '=', identityId)]))
          .limit(PASSKEYS_MAX)
          .execute();
        if (conflicting.length === PASSKEYS_MAX || conflicting.some(({ id }) => id === passkey.id)) return 'CONFLICT';
        return enrol(trx, { auditContext, identityId, link }, async () => {
          await trx
            .insertInto('passkey')
            .values(passkeyToRow(tenant, identityId, passkey))
            .execute();
          const { id, name } = passkey;
          await record(trx, { auditContext, identityId }, [{ passkey: null }, { passkey: { id, name } }]);
          return 'STORED';
        });
      }),
    usePasskey: (tenant, passkeyId, { counter, time }) =>
      database.write(signInScope({ tenant }), async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('passkey')
          .set({ counter, last_used: time })
          .where('tenant', '=', tenant)
          .where('id', '=', passkeyId)
          .where((eb) => (counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter)))
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      }),
  };
}

const passkeyToRow = (tenant: string, identityId: string, passkey: Passkey): Tables['passkey'] => ({
  tenant,
  id: passkey.id,
  identity_id: identityId,
  name: passkey.name,
  public_key: passkey.publicKey,
  counter: passkey.counter,
  transports: JSON.stringify(passkey.transports),
  created: passkey.created,
  last_used: passkey.lastUsed,
});

function recoveryCodeWrites(database: Database): Pick<CredentialStore, 'setRecoveryCodes' | 'useRecoveryCode'> {
  return {
    setRecoveryCodes: (auditContext, identityId, hashes) =>
      database.write(signInScope(auditContext), async (trx) => {
        const { tenant, time } = auditContext;
        if (!(await ensureAccount(trx, { tenant, identityId }))) return false;
        await trx
          .deleteFrom('recovery_code')
          .where('tenant', '=', tenant)
          .where('identity_id', '=', identityId)
          .execute();
        await insertRows(
          trx,
          { table: 'recovery_code', onConflict: () => sql`` },
          hashes.map((hash) => ({ tenant, identity_id: identityId, hash })),
        );
        await record(trx, { auditContext, identityId }, [{ recoveryCodesMade: null }, { recoveryCodesMade: time }]);
        return true;
      }),
    useRecoveryCode: (tenant, identityId, hash) =>
      database.write(signInScope({ tenant }), async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('recovery_code')
          .where('tenant', '=', tenant)
          .where('identity_id', '=', identityId)
          .where('hash', '=', hash)
          .executeTakeFirst();
        return numDeletedRows > 0n;
      }),
  };
}
