import { type AuditContext, CLIENT_TIE_HOURS, type ClientTie } from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Reads } from '../engine/database.ts';
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

/** The identity that made a client; null for none of this tenant. */
export async function findMaker(trx: Transaction<Tables>, tenant: string, clientId: string): Promise<string | null> {
  const origin = await trx
    .selectFrom('oauth_client_origin')
    .select('maker_id')
    .where('tenant', '=', tenant)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return origin?.maker_id ?? null;
}

/** The clients that identities made for others and that are young enough to tie them. */
export interface RecentTies {
  readonly ties: readonly ClientTie[];
  /** Whether no such client was made since they were read. Their origins stay, so that a number tells. */
  isCurrent(db: Kysely<Tables>): Promise<boolean>;
}

const TIES_AT_ONCE = 1_000;

/** Reads in pages without a transaction, because an identity can make very many clients. */
export async function readClientTies({ read }: Reads, tenant: string, now: string): Promise<RecentTies> {
  const since = new Date(Date.parse(now) - CLIENT_TIE_HOURS * 3_600_000).toISOString();
  const ties: ClientTie[] = [];
  for (let last = { made: since, client_id: '' }; ; ) {
    const { made: lastMade, client_id: lastId } = last;
    const rows = await read((db) =>
      tiesSince(db, tenant, since)
        .select(['client_id', 'identity_id', 'maker_id', 'made'])
        .where(sql<boolean>`(made, client_id) > (${lastMade}, ${lastId})`)
        .orderBy('made')
        .orderBy('client_id')
        .limit(TIES_AT_ONCE)
        .execute(),
    );
    for (const { identity_id, maker_id, made } of rows)
      ties.push({ identityId: identity_id ?? '', makerId: maker_id ?? '', made });
    const end = rows.at(-1);
    if (end === undefined || rows.length < TIES_AT_ONCE) break;
    last = end;
  }
  const countNow = async (db: Kysely<Tables>) =>
    (
      await tiesSince(db, tenant, since)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count;
  return { ties, isCurrent: async (db) => (await countNow(db)) === ties.length };
}

const tiesSince = (db: Kysely<Tables>, tenant: string, since: string) =>
  db
    .selectFrom('oauth_client_origin')
    .where('tenant', '=', tenant)
    .where('made', '>', since)
    .where('identity_id', 'is not', null)
    .where('maker_id', 'is not', null);
