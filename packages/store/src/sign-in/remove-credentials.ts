import { type AuditContext, fail, failure, type NotFound, ok, type Result } from '@access-admin/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Failed } from '../engine/change.ts';
import type { Database } from '../engine/database.ts';
import { recordChange } from '../record/audit/append-event.ts';
import { recordTiesOfChange } from '../record/ties/record.ts';
import type { Tables } from '../schema/tables.ts';
import { type AccountKey, ensureAccount, NO_PASSWORD, NO_TOTP, sessionScope, signInScope } from './account.ts';
import type { CredentialRef, CredentialRemoval, CredentialStore, CredentialsRemoval } from './credential-store.ts';
import { findSignInIdentity } from './find-identity.ts';
import { catchRefusal, guarded } from './guard.ts';
import { readCapabilities } from './links.ts';
import { endSessionsOf } from './sessions.ts';

const NO_USER: NotFound = failure('NotFound', '', 'There is no such auth user.');

/** Removes one credential of an identity, guarded. */
export const removeOne =
  (database: Database): CredentialStore['removeOne'] =>
  (auditContext, identityId, removal) => {
    const { tenant } = auditContext;
    const scope = removal.endsSessions ? sessionScope(auditContext) : signInScope(auditContext);
    return catchRefusal(() =>
      database.write(scope, (trx) =>
        guarded(trx, { tenant, guard: removal.guard }, () =>
          removeOneDecided(trx, { auditContext, identityId }, removal),
        ),
      ),
    );
  };

interface Target {
  readonly auditContext: AuditContext;
  readonly identityId: string;
}

async function removeOneDecided<F extends Failed>(
  trx: Transaction<Tables>,
  { auditContext, identityId }: Target,
  { credential, decide, endsSessions }: CredentialRemoval<F>,
): Promise<Result<null, F | NotFound>> {
  const { tenant } = auditContext;
  const identity = await findSignInIdentity(trx, tenant, identityId);
  if (identity === null) return fail(NO_USER);
  const decision = decide(identity);
  if (!decision.ok) return decision;
  const removed = await remove(trx, { tenant, identityId }, credential);
  if (removed === null) return ok(null);
  if (endsSessions) await endSessionsOf(trx, auditContext, { identityId });
  const resource = { type: 'AUTH_USER', id: identityId } as const;
  await recordChange(trx, { auditContext, resource, before: removed.before, after: removed.after });
  await recordTiesOfChange(trx, auditContext, [identityId]);
  return ok(null);
}

/** A removal as the audit log records it, without secrets. */
interface Removed {
  readonly before: object;
  readonly after: object;
}

/** Null if there was no such credential. */
function remove(trx: Transaction<Tables>, key: AccountKey, credential: CredentialRef): Promise<Removed | null> {
  switch (credential.type) {
    case 'PASSWORD':
      return removePassword(trx, key);
    case 'TOTP':
      return removeTotp(trx, key);
    case 'RECOVERY_CODES':
      return removeRecoveryCodes(trx, key);
    case 'PASSKEY':
      return removePasskey(trx, key, credential.id);
  }
}

const accountOf = (trx: Transaction<Tables>, { tenant, identityId }: AccountKey) =>
  trx.updateTable('sign_in_account').where('tenant', '=', tenant).where('identity_id', '=', identityId);

async function removePassword(trx: Transaction<Tables>, key: AccountKey): Promise<Removed | null> {
  const { numUpdatedRows } = await accountOf(trx, key)
    .set(NO_PASSWORD)
    .where('password_hash', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? { before: { passwordSet: true }, after: { passwordSet: null } } : null;
}

async function removeTotp(trx: Transaction<Tables>, key: AccountKey): Promise<Removed | null> {
  const { numUpdatedRows } = await accountOf(trx, key)
    .set(NO_TOTP)
    .where('totp_secret', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? { before: { totpEnrolled: true }, after: { totpEnrolled: null } } : null;
}

async function removeRecoveryCodes(
  trx: Transaction<Tables>,
  { tenant, identityId }: AccountKey,
): Promise<Removed | null> {
  const { numDeletedRows } = await trx
    .deleteFrom('recovery_code')
    .where('tenant', '=', tenant)
    .where('identity_id', '=', identityId)
    .executeTakeFirst();
  const before = { recoveryCodes: Number(numDeletedRows) };
  return numDeletedRows > 0n ? { before, after: { recoveryCodes: 0 } } : null;
}

async function removePasskey(
  trx: Transaction<Tables>,
  { tenant, identityId }: AccountKey,
  id: string,
): Promise<Removed | null> {
  const removed = await trx
    .deleteFrom('passkey')
    .where('tenant', '=', tenant)
    .where('identity_id', '=', identityId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return removed === undefined ? null : { before: { passkey: { id, name: removed.name } }, after: { passkey: null } };
}

/** Removes all credentials of an identity, guarded. */
export const removeAll =
  (database: Database): CredentialStore['removeAll'] =>
  (auditContext, identityId, { decide, guard }) =>
    catchRefusal(() =>
      database.write(sessionScope(auditContext), (trx) =>
        guarded(trx, { tenant: auditContext.tenant, guard }, () =>
          removeDecided(trx, { auditContext, identityId, decide }),
        ),
      ),
    );

interface DecidedRemoval<F extends Failed> {
  readonly auditContext: AuditContext;
  readonly identityId: string;
  readonly decide: CredentialsRemoval<F>['decide'];
}

async function removeDecided<F extends Failed>(
  trx: Transaction<Tables>,
  { auditContext, identityId, decide }: DecidedRemoval<F>,
): Promise<Result<null, F | NotFound>> {
  const { tenant, time } = auditContext;
  const key = { tenant, identityId };
  if (!(await ensureAccount(trx, key))) return fail(NO_USER);
  const decision = decide({ identityId, capabilities: await readCapabilities(trx, key) });
  if (!decision.ok) return decision;
  await removeFactors(trx, key);
  await endSessionsOf(trx, auditContext, { identityId });
  const resource = { type: 'AUTH_USER', id: identityId } as const;
  const after = { credentialsRemoved: time };
  await recordChange(trx, { auditContext, resource, before: { credentialsRemoved: null }, after });
  await recordTiesOfChange(trx, auditContext, [identityId]);
  return ok(null);
}

async function removeFactors(trx: Transaction<Tables>, { tenant, identityId }: AccountKey): Promise<void> {
  for (const table of ['passkey', 'recovery_code', 'sign_in_link', 'used_sign_in_link', 'pending_sign_in'] as const)
    await trx.deleteFrom(table).where('tenant', '=', tenant).where('identity_id', '=', identityId).execute();
  await trx
    .updateTable('sign_in_account')
    .set({ ...NO_PASSWORD, ...NO_TOTP })
    .where('tenant', '=', tenant)
    .where('identity_id', '=', identityId)
    .execute();
}

/** Re-encrypts the TOTP secrets that another key has sealed. */
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
    let sealed = 0;
    let failed = 0;
    for (const { tenant, identity_id: identityId, totp_secret: before } of rows) {
      const after = before === null ? null : sealAgain({ tenant, identityId }, before);
      if (after === null) failed += 1;
      else {
        await database.write(signInScope({ tenant }), async (trx) => {
          await trx
            .updateTable('sign_in_account')
            .set({ totp_secret: after })
            .where('tenant', '=', tenant)
            .where('identity_id', '=', identityId)
            .where('totp_secret', '=', before)
            .execute();
        });
        sealed += 1;
      }
    }
    return { sealed, failed };
  };
