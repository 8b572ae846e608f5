import type { AuditContext } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import type { Tables } from '../../schema/tables.ts';

/**
 * The identities that may have made a change: the caller alone, or those that know a secret of the application that calls,
 * directly or by other applications. None where they are of another tenant.
 */
export const findMakers = async (
  trx: Transaction<Tables>,
  { tenant, actor: { clientId, identityId } }: Pick<AuditContext, 'tenant' | 'actor'>,
): Promise<readonly string[]> =>
  identityId === null ? findMakersOfApplication(trx, { tenant, clientId }) : [identityId];

/** An application, by its client. */
export interface Application {
  readonly tenant: string;
  readonly clientId: string;
}

/** The identities that know a secret of an application. */
export async function findMakersOfApplication(
  trx: Transaction<Tables>,
  { tenant, clientId }: Application,
): Promise<readonly string[]> {
  const rows = await trx
    .selectFrom('oauth_client_origin')
    .select('maker_id')
    .where('tenant', '=', tenant)
    .where('client_id', '=', clientId)
    .orderBy('maker_id')
    .execute();
  return rows.map(({ maker_id }) => maker_id);
}

/** Keeps which identities know a secret of an application. The records stay when it is deleted: its tokens may live on. */
export async function recordMakers(
  trx: Transaction<Tables>,
  { tenant, clientId }: Application,
  makerIds: readonly string[],
): Promise<void> {
  if (makerIds.length === 0) return;
  await trx
    .insertInto('oauth_client_origin')
    .values(makerIds.map((makerId) => ({ tenant, client_id: clientId, maker_id: makerId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
