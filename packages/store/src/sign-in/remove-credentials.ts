import { type AuditContext, type Conflict, fail, failure, type NotFound, ok, type Result } from '@access-admin/domain';
import type { Kysely, Transaction } from 'kysely';
import { recordChange } from '../audit/append-event.ts';
import type { Failed } from '../engine/change.ts';
import type { Database } from '../engine/database.ts';
import type { Tables } from '../schema/tables.ts';
import { type AccountKey, ensureAccount, sessionScope, signInScope } from './account.ts';
import type { CredentialStore, CredentialsRemoval, FactorRemoval } from './credential-store.ts';
import { catchRefusal, guarded } from './guard.ts';
import { readCapabilities } from './links.ts';
import { endSessionsOf } from './sessions.ts';

const NO_USER: NotFound = failure('NotFound', '', 'There is no such auth user.');

/** Removes the authenticator app of an identity. */
export const removeTotp =
  (database: Database): CredentialStore['removeTotp'] =>
  (auditContext, identityId, removal) =>
    removeFactor(database, { auditContext, identityId, ...removal }, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('sign_in_account')
        .set({ totp_secret: null })
        .where('tenant', '=', auditContext.tenant)
        .where('identity_id', '=', identityId)
        .where('totp_secret', 'is not', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n ? [{ totpEnrolled: true }, { totpEnrolled: null }] : null;
    });

/** Removes one passkey of an identity. */
export const removePasskey =
  (database: Database): CredentialStore['removePasskey'] =>
  (auditContext, identityId, { passkeyId: id, ...removal }) =>
    removeFactor(database, { auditContext, identityId, ...removal }, async (trx) => {
      const removed = await trx
        .deleteFrom('passkey')
        .where('tenant', '=', auditContext.tenant)
        .where('identity_id', '=', identityId)
        .where('id', '=', id)
        .returning('name')
        .executeTakeFirst();
      return removed === undefined ? null : [{ passkey: { id, name: removed.name } }, { passkey: null }];
    });

interface RemovedFactor extends FactorRemoval {
  readonly auditContext: AuditContext;
  readonly identityId: string;
}

/** Removes a factor, guarded, and records what `remove` tells of it; null when there was none. */
const removeFactor = (
  database: Database,
  { auditContext, identityId, guard }: RemovedFactor,
  remove: (trx: Transaction<Tables>) => Promise<readonly [before: object, after: object] | null>,
): Promise<Result<null, Conflict>> =>
  catchRefusal(() =>
    database.write(signInScope(auditContext), (trx) =>
      guarded(trx, { tenant: auditContext.tenant, guard }, async () => {
        const removed = await remove(trx);
        const resource = { type: 'AUTH_USER', id: identityId } as const;
        if (removed !== null)
          await recordChange(trx, { auditContext, resource, before: removed[0], after: removed[1] });
        return ok(null);
      }),
    ),
  );

/** Removes everything that an identity signs in with. */
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
  return ok(null);
}

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
