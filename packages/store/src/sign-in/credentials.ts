import { type AuditContext, newEvent } from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../engine/database.ts';
import { insertRows } from '../query/insert.ts';
import { recordChange } from '../record/audit/append-event.ts';
import { appendEvents } from '../record/events/append-events.ts';
import { appendMails } from '../record/mail/append.ts';
import type { Tables } from '../schema/tables.ts';
import { type AccountKey, ensureAccount, sessionScope, signInScope } from './account.ts';
import { type CredentialStore, type Enrolment, type EnrolmentOutcome, PASSKEYS_MAX } from './credential-store.ts';
import { findByPasskey, findByUsername, findSignInIdentity } from './find-identity.ts';
import type { Passkey } from './identity.ts';
import { isOfPresentUsedLink } from './link-generation.ts';
import { useLink } from './links.ts';
import { removeAll, removeOne, reseal } from './remove-credentials.ts';
import type { SignInFactor } from './session.ts';
import { endSessionsOf } from './sessions.ts';
import { findMaker, isUsedLinkPresent } from './used-links.ts';

/** `isMailed` stores mails to identities about their new factors. */
export const createCredentialStore = (database: Database, isMailed = false): CredentialStore => ({
  findByUsername: (tenant, username) => database.read((db) => findByUsername(db, tenant, username)),
  findIdentity: (tenant, identityId) => database.read((db) => findSignInIdentity(db, tenant, identityId)),
  findByPasskey: (tenant, passkeyId) => database.read((db) => findByPasskey(db, tenant, passkeyId)),
  ...passwordWrites(database, isMailed),
  ...totpWrites(database, isMailed),
  ...passkeyWrites(database, isMailed),
  ...recoveryCodeWrites(database, isMailed),
  removeOne: removeOne(database),
  removeAll: removeAll(database),
  reseal: reseal(database),
});

interface Change extends Enrolment {
  readonly isMailed: boolean;
  readonly auditContext: AuditContext;
  readonly identityId: string;
}

/** Stores a factor and emits its event. Consumes an open link, and passes the used link to `store`. */
async function enrol(
  trx: Transaction<Tables>,
  { auditContext, identityId, isMailed, link, usedLink }: Change,
  { store, factor }: { readonly store: (usedLink: string | null) => Promise<void>; readonly factor: AddedFactor },
): Promise<EnrolmentOutcome> {
  const { tenant, time } = auditContext;
  const key = { tenant, identityId };
  if (!(await ensureAccount(trx, key))) return 'IDENTITY_GONE';
  if (!(await isUsedLinkPresent(trx, key, usedLink))) return 'LINK_GONE';
  const used = link === null ? { usedLink } : await useLink(trx, key, { hash: link, nowMs: Date.parse(time) });
  if (used === null) return 'LINK_GONE';
  await store(used.usedLink);
  const linkMakerId = await findMaker(trx, tenant, used.usedLink);
  const data = { id: identityId, displayName: await readDisplayName(trx, key), ...factor, linkMakerId };
  if (isMailed)
    await appendMails(trx, auditContext, [
      { kind: 'factor-added', recipientId: identityId, data: { ...factor, time } },
    ]);
  await appendEvents(trx, tenant, [newEvent('auth-user.factor-added', identityId, { time, data })]);
  return 'STORED';
}

/** A new factor in its event. */
interface AddedFactor {
  readonly factor: SignInFactor;
  /** The name of a passkey; null for other factors. */
  readonly name: string | null;
}

async function readDisplayName(trx: Transaction<Tables>, { tenant, identityId }: AccountKey): Promise<string | null> {
  const { display_name } = await trx
    .selectFrom('identity')
    .select('display_name')
    .where('tenant', '=', tenant)
    .where('id', '=', identityId)
    .executeTakeFirstOrThrow();
  return display_name;
}

const updateAccount = (trx: Transaction<Tables>, tenant: string, identityId: string) =>
  trx.updateTable('sign_in_account').where('tenant', '=', tenant).where('identity_id', '=', identityId);

/** Audits a change of credentials, without their values. */
const record = (
  trx: Transaction<Tables>,
  { auditContext, identityId }: Pick<Change, 'auditContext' | 'identityId'>,
  [before, after]: readonly [object, object],
): Promise<void> => recordChange(trx, { auditContext, resource: { type: 'AUTH_USER', id: identityId }, before, after });

function passwordWrites(
  database: Database,
  isMailed: boolean,
): Pick<CredentialStore, 'setPassword' | 'rehashPassword'> {
  return {
    setPassword: (auditContext, identityId, { hash, keepSession, ...by }) =>
      database.write(sessionScope(auditContext), (trx) =>
        enrol(
          trx,
          { auditContext, identityId, isMailed, ...by },
          {
            factor: { factor: 'PASSWORD', name: null },
            store: async (usedLink) => {
              const { tenant, time } = auditContext;
              const account = await trx
                .selectFrom('sign_in_account')
                .select('password_changed')
                .where('tenant', '=', tenant)
                .where('identity_id', '=', identityId)
                .executeTakeFirst();
              await updateAccount(trx, tenant, identityId)
                .set({ password_hash: hash, password_changed: time, password_used_link: usedLink })
                .execute();
              await record(trx, { auditContext, identityId }, [
                { passwordChanged: account?.password_changed ?? null },
                { passwordChanged: time },
              ]);
              await endSessionsOf(trx, auditContext, { identityId, except: keepSession });
            },
          },
        ),
      ),
    rehashPassword: (tenant, identityId, { from, to }) =>
      database.write(signInScope({ tenant }), async (trx) => {
        await updateAccount(trx, tenant, identityId)
          .set({ password_hash: to })
          .where('password_hash', '=', from)
          .execute();
      }),
  };
}

function totpWrites(database: Database, isMailed: boolean): Pick<CredentialStore, 'setTotp' | 'useTotpStep'> {
  return {
    setTotp: (auditContext, identityId, { secret, lastStep, ...by }) =>
      database.write(signInScope(auditContext), (trx) =>
        enrol(
          trx,
          { auditContext, identityId, isMailed, ...by },
          {
            factor: { factor: 'TOTP', name: null },
            store: async (usedLink) => {
              const { tenant, time } = auditContext;
              await updateAccount(trx, tenant, identityId)
                .set({ totp_secret: secret, totp_step: lastStep, totp_created: time, totp_used_link: usedLink })
                .execute();
              await record(trx, { auditContext, identityId }, [{ totpEnrolled: null }, { totpEnrolled: time }]);
            },
          },
        ),
      ),
    useTotpStep: (tenant, identityId, step) =>
      database.write(signInScope({ tenant }), async (trx) => {
        const { numUpdatedRows } = await updateAccount(trx, tenant, identityId)
          .set({ totp_step: step })
          .where('totp_step', '<', step)
          .where('totp_secret', 'is not', null)
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      }),
  };
}

function passkeyWrites(database: Database, isMailed: boolean): Pick<CredentialStore, 'addPasskey' | 'usePasskey'> {
  return {
    addPasskey: (auditContext, identityId, { passkey, ...by }) =>
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
        const { id, name } = passkey;
        return enrol(
          trx,
          { auditContext, identityId, isMailed, ...by },
          {
            factor: { factor: 'PASSKEY', name },
            store: async (usedLink) => {
              await trx
                .insertInto('passkey')
                .values({ ...passkeyToRow(tenant, identityId, passkey), used_link: usedLink })
                .execute();
              await record(trx, { auditContext, identityId }, [{ passkey: null }, { passkey: { id, name } }]);
            },
          },
        );
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

const passkeyToRow = (tenant: string, identityId: string, passkey: Passkey): Omit<Tables['passkey'], 'used_link'> => ({
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

function recoveryCodeWrites(
  database: Database,
  isMailed: boolean,
): Pick<CredentialStore, 'setRecoveryCodes' | 'useRecoveryCode'> {
  return {
    setRecoveryCodes: (auditContext, identityId, { hashes, ...by }) =>
      database.write(signInScope(auditContext), (trx) =>
        enrol(
          trx,
          { auditContext, identityId, isMailed, ...by },
          {
            factor: { factor: 'RECOVERY_CODE', name: null },
            store: async (usedLink) => {
              const { tenant, time } = auditContext;
              await trx
                .deleteFrom('recovery_code')
                .where('tenant', '=', tenant)
                .where('identity_id', '=', identityId)
                .execute();
              await insertRows(
                trx,
                { table: 'recovery_code', onConflict: () => sql`` },
                hashes.map((hash) => ({ tenant, identity_id: identityId, hash, created: time, used_link: usedLink })),
              );
              await record(trx, { auditContext, identityId }, [
                { recoveryCodesMade: null },
                { recoveryCodesMade: time },
              ]);
            },
          },
        ),
      ),
    useRecoveryCode: (tenant, identityId, hash) =>
      database.write(signInScope({ tenant }), async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('recovery_code')
          .where('tenant', '=', tenant)
          .where('identity_id', '=', identityId)
          .where('hash', '=', hash)
          .where(isOfPresentUsedLink('recovery_code.used_link', tenant))
          .executeTakeFirst();
        return numDeletedRows > 0n;
      }),
  };
}
