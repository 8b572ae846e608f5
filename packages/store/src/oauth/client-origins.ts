import { type AuditContext, CLIENT_TIE_HOURS, type ClientTie } from '@access-admin/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../schema/tables.ts';

interface NewClient {
  readonly tenant: string;
  readonly id: string;
  readonly identityId: string | null;
  readonly created: string;
}

/**
 * Records the maker of a client and the identity that the client acts as. A client made by an application counts as made by
 * the identity that made the application. The record stays when the client is deleted.
 */
export async function recordClientOrigin(
  trx: Transaction<Tables>,
  { tenant: actorTenant, actor }: AuditContext,
  { tenant, id, identityId, created }: NewClient,
): Promise<void> {
  const isOwnTenant = actorTenant === tenant;
  await trx
    .insertInto('oauth_client_origin')
    .values({
      ...{ tenant, client_id: id, identity_id: identityId, made: created },
      maker_client_id: isOwnTenant ? actor.clientId : null,
      maker_id: isOwnTenant ? (actor.identityId ?? (await findMaker(trx, tenant, actor.clientId))) : null,
    })
    .execute();
}

async function findMaker(trx: Transaction<Tables>, tenant: string, clientId: string): Promise<string | null> {
  const origin = await trx
    .selectFrom('oauth_client_origin')
    .select('maker_id')
    .where('tenant', '=', tenant)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return origin?.maker_id ?? null;
}

/** The clients that identities made for others and that are young enough to tie them at `now`. */
export async function readClientTies(db: Kysely<Tables>, tenant: string, now: string): Promise<readonly ClientTie[]> {
  const since = new Date(Date.parse(now) - CLIENT_TIE_HOURS * 3_600_000).toISOString();
  const rows = await db
    .selectFrom('oauth_client_origin')
    .select(['identity_id', 'maker_id', 'made'])
    .where('tenant', '=', tenant)
    .where('made', '>', since)
    .where('identity_id', 'is not', null)
    .where('maker_id', 'is not', null)
    .execute();
  return rows.map(({ identity_id, maker_id, made }) => ({
    identityId: identity_id ?? '',
    makerId: maker_id ?? '',
    made,
  }));
}
