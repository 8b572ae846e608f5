import {
  type AuditContext,
  BEARER_TOKENS_MAX,
  type Conflict,
  fail,
  failure,
  type NotFound,
  ok,
  type ReferenceNotFound,
  type Result,
  textOfMissing,
} from '@access-admin/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Failed } from '../../engine/change.ts';
import type { Database } from '../../engine/database.ts';
import { changeScope } from '../../engine/scope.ts';
import type { Page } from '../../query/page.ts';
import { countRows } from '../../query/total.ts';
import { recordChange } from '../../record/audit/append-event.ts';
import type { Tables } from '../../schema/tables.ts';
import type { Client } from './client.ts';
import { rowToClient } from './codec.ts';
import { recordClientOrigin } from './origins.ts';

/** A static token of a client, for the SCIM routes of one source. */
export interface BearerToken {
  readonly id: string;
  readonly source: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly expires: string;
}

/** A token to store, with the SHA-256 of its secret. */
export interface NewBearerToken extends BearerToken {
  readonly secretHash: string;
}

/** Decides on a change of the tokens of a client. */
type Decide<F extends Failed> = (client: Client) => Result<unknown, F>;

export interface BearerTokenStore {
  /**
   * Stores a token. Its caller knows it, so this ties as a new secret does. `ReferenceNotFound` without the source, `Conflict`
   * where two tokens of the client for this source are valid.
   */
  create<F extends Failed>(
    auditContext: AuditContext,
    clientId: string,
    creation: { readonly token: NewBearerToken; readonly decide: Decide<F> },
  ): Promise<Result<BearerToken, F | NotFound | ReferenceNotFound | Conflict>>;
  /** The tokens of a client that are valid at a time, by id. */
  list(tenant: string, clientId: string, page: Page & { readonly now: Date }): Promise<readonly BearerToken[]>;
  count(tenant: string, clientId: string, now: Date): Promise<number>;
  delete<F extends Failed>(
    auditContext: AuditContext,
    clientId: string,
    deletion: { readonly id: string; readonly decide: Decide<F> },
  ): Promise<Result<null, F | NotFound>>;
  /** Finds a token by the hash of its secret, whether or not it has expired. Read on every request. */
  find(tenant: string, clientId: string, secretHash: string): Promise<BearerToken | null>;
}

export function createBearerTokenStore(database: Database): BearerTokenStore {
  return {
    create: (auditContext, clientId, { token, decide }) =>
      database.write(changeScope(auditContext), async (trx) => {
        const { tenant, time } = auditContext;
        const client = await findClient(trx, tenant, clientId);
        if (client === null) return fail(NO_CLIENT);
        const decision = decide(client);
        if (!decision.ok) return decision;
        if (!(await hasSource(trx, tenant, token.source)))
          return fail(failure('ReferenceNotFound', 'source', textOfMissing('source', token.source)));
        await deleteOf(trx, { tenant, clientId })
          .where('source_id', '=', token.source)
          .where('expires_ms', '<=', Date.parse(time))
          .execute();
        const valid = await trx
          .selectFrom('bearer_token')
          .select('id')
          .where('tenant', '=', tenant)
          .where('client_id', '=', clientId)
          .where('source_id', '=', token.source)
          .execute();
        if (valid.length >= BEARER_TOKENS_MAX) return fail(TOO_MANY);
        const { id, secretHash: secret_hash, expires } = token;
        const expires_ms = Date.parse(expires);
        await trx
          .insertInto('bearer_token')
          .values({ tenant, client_id: clientId, source_id: token.source, id, secret_hash, expires_ms })
          .execute();
        await recordClientOrigin(trx, auditContext, client);
        const after = { id, source: token.source, expires };
        await recordToken(trx, auditContext, { client, before: null, after });
        return ok(after);
      }),
    list: (tenant, clientId, { limit, offset, now }) =>
      database.read(async (db) => {
        const rows = await validOf(db, { tenant, clientId, now })
          .select(SHOWN)
          .orderBy('id')
          .limit(limit)
          .offset(offset)
          .execute();
        return rows.map(rowToToken);
      }),
    count: (tenant, clientId, now) => database.read((db) => countRows(validOf(db, { tenant, clientId, now }))),
    delete: (auditContext, clientId, { id, decide }) =>
      database.write(changeScope(auditContext), async (trx) => {
        const { tenant } = auditContext;
        const client = await findClient(trx, tenant, clientId);
        if (client === null) return fail(NO_CLIENT);
        const decision = decide(client);
        if (!decision.ok) return decision;
        const row = await deleteOf(trx, { tenant, clientId }).where('id', '=', id).returning(SHOWN).executeTakeFirst();
        if (row === undefined) return fail(NO_TOKEN);
        await recordToken(trx, auditContext, { client, before: rowToToken(row), after: null });
        return ok(null);
      }),
    find: (tenant, clientId, secretHash) =>
      database.read(async (db) => {
        const row = await db
          .selectFrom('bearer_token')
          .select(SHOWN)
          .where('tenant', '=', tenant)
          .where('client_id', '=', clientId)
          .where('secret_hash', '=', secretHash)
          .executeTakeFirst();
        return row === undefined ? null : rowToToken(row);
      }),
  };
}

const NO_CLIENT: NotFound = failure('NotFound', '', 'There is no such client.');
const NO_TOKEN: NotFound = failure('NotFound', '', 'There is no such token.');
const TOO_MANY: Conflict = failure(
  'Conflict',
  'source',
  `the client has ${BEARER_TOKENS_MAX} valid tokens for this source already; first delete one`,
);

const SHOWN = ['id', 'source_id', 'expires_ms'] as const;

const rowToToken = ({ id, source_id, expires_ms }: Pick<Tables['bearer_token'], (typeof SHOWN)[number]>) => ({
  id,
  source: source_id,
  expires: new Date(expires_ms).toISOString(),
});

const validOf = (
  db: Kysely<Tables>,
  { tenant, clientId, now }: { readonly tenant: string; readonly clientId: string; readonly now: Date },
) =>
  db
    .selectFrom('bearer_token')
    .where('tenant', '=', tenant)
    .where('client_id', '=', clientId)
    .where('expires_ms', '>', now.getTime());

/** Deletes tokens of a client. */
const deleteOf = (
  trx: Transaction<Tables>,
  { tenant, clientId }: { readonly tenant: string; readonly clientId: string },
) => trx.deleteFrom('bearer_token').where('tenant', '=', tenant).where('client_id', '=', clientId);

/** Deletes all tokens of clients, in the transaction that deletes these. */
export async function deleteTokensOfClients(
  trx: Transaction<Tables>,
  tenant: string,
  clientIds: readonly string[],
): Promise<void> {
  if (clientIds.length === 0) return;
  await trx.deleteFrom('bearer_token').where('tenant', '=', tenant).where('client_id', 'in', clientIds).execute();
}

async function findClient(trx: Transaction<Tables>, tenant: string, id: string): Promise<Client | null> {
  const row = await trx
    .selectFrom('oauth_client')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : rowToClient(row);
}

async function hasSource(trx: Transaction<Tables>, tenant: string, id: string): Promise<boolean> {
  const found = trx.selectFrom('source').select('id').where('tenant', '=', tenant).where('id', '=', id);
  return (await found.executeTakeFirst()) !== undefined;
}

interface TokenChange {
  readonly client: Client;
  readonly before: BearerToken | null;
  readonly after: BearerToken | null;
}

/** The token itself is not recorded. */
const recordToken = (trx: Transaction<Tables>, auditContext: AuditContext, { client, before, after }: TokenChange) =>
  recordChange(trx, {
    auditContext,
    resource: { type: 'OAUTH_CLIENT', id: client.id },
    before: { bearerToken: before },
    after: { bearerToken: after },
    members: client.identityId === null ? [] : [client.identityId],
  });
