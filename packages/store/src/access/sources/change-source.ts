import {
  accountFieldsOf,
  type CorrelatedIdentity,
  changesAccounts,
  keysOfIdentity,
  manualLinkOf,
  type Source,
} from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import { deleteRows, upsertRows } from '../../query/model-tables.ts';
import type { Tables } from '../../schema/tables.ts';
import { columnsToExternal } from '../records/external-codec.ts';
import { ACCOUNTS_AT_ONCE, type Recording, recordingOf } from './apply-accounts.ts';
import { rowToAccount, type StoredAccount, sourceToRow } from './codec.ts';
import { deleteAccounts } from './delete-accounts.ts';
import { addKeys, removeFields } from './keys.ts';
import { identityFieldsOf, readSources } from './read.ts';
import { type AccountsOf, writeAccounts } from './write-accounts.ts';

/** A source before and after a change; null where it does not exist. */
export interface SourceChange {
  readonly auditContext: AccountsOf['auditContext'];
  readonly before: Source | null;
  readonly after: Source | null;
}

/**
 * Stores or deletes a source with all that follows for its accounts and their identities. Returns what is still to be recorded,
 * piece by piece: it may be as large as the source.
 */
export async function* writeSource(
  trx: Transaction<Tables>,
  { auditContext, before, after }: SourceChange,
): AsyncGenerator<Recording, void> {
  const { tenant } = auditContext;
  const sourcesBefore = await readSources(trx, tenant);
  const sources = new Map(sourcesBefore);
  const id = (after ?? before)?.id ?? '';
  if (after === null) sources.delete(id);
  else sources.set(id, after);
  const fieldsBefore = identityFieldsOf(sourcesBefore);
  const fields = identityFieldsOf(sources);
  await addFields(
    trx,
    tenant,
    [...fields].filter((field) => !fieldsBefore.has(field)),
  );
  if (after !== null) await upsertRows(trx, 'source', [sourceToRow(tenant, after)]);
  if (before !== null && after === null) {
    yield* deleteAll(trx, { auditContext, source: before, sources });
    await deleteRows(trx, { table: 'source', tenant }, [before.id]);
    await trx.deleteFrom('kept_members').where('tenant', '=', tenant).where('source_id', '=', before.id).execute();
    // A later source with the same id must not revive them.
    await trx.deleteFrom('bearer_token').where('tenant', '=', tenant).where('source_id', '=', before.id).execute();
    await endLoads(trx, tenant, before.id);
  }
  if (before !== null && after !== null && changesAccounts(before, after))
    yield* writeAll(trx, { auditContext, source: after, sources, sourceBefore: before });
  await removeFields(
    trx,
    tenant,
    [...fieldsBefore].filter((field) => !fields.has(field)),
  );
}

/** Has the loads of a deleted source removed. A worker that applies one finds that it has lost it. */
async function endLoads(trx: Transaction<Tables>, tenant: string, sourceId: string): Promise<void> {
  await sql`
    update source_load set state = 'CANCELLED', due_ms = 0, fence = fence + 1
    where tenant = ${tenant} and source_id = ${sourceId}`.execute(trx);
}

/** Links all accounts of a source anew. */
async function* writeAll(trx: Transaction<Tables>, of: AccountsOf): AsyncGenerator<Recording, void> {
  for await (const accounts of readAll(trx, of)) {
    const writes = accounts.map((before) => ({
      fields: accountFieldsOf(before),
      before,
      manual: manualLinkOf(before),
      madeIdentityId: before.madeIdentityId,
      seenByLoad: before.seenByLoad,
      externalId: before.externalId,
    }));
    yield recordingOf(of.auditContext, await writeAccounts(trx, of, writes));
  }
}

async function* deleteAll(trx: Transaction<Tables>, of: AccountsOf): AsyncGenerator<Recording, void> {
  for await (const accounts of readAll(trx, of))
    yield deleteAccounts(
      trx,
      of,
      accounts.map(({ key }) => key),
    );
}

async function* readAll(
  trx: Transaction<Tables>,
  { auditContext: { tenant }, source }: AccountsOf,
): AsyncGenerator<readonly StoredAccount[]> {
  for (let after = ''; ; ) {
    const rows = await trx
      .selectFrom('account')
      .selectAll()
      .where('tenant', '=', tenant)
      .where('source_id', '=', source.id)
      .where('id', '>', after)
      .orderBy('id')
      .limit(ACCOUNTS_AT_ONCE)
      .execute();
    if (rows.length > 0) yield rows.map(rowToAccount);
    const last = rows.at(-1);
    if (last === undefined || rows.length < ACCOUNTS_AT_ONCE) return;
    after = last.id;
  }
}

const IDENTITIES_AT_ONCE = 1_000;

/** Adds the keys of all identities of further fields. */
async function addFields(trx: Transaction<Tables>, tenant: string, fields: readonly string[]): Promise<void> {
  for (let after = fields.length === 0 ? null : ''; after !== null; ) {
    const rows = await trx
      .selectFrom('identity')
      .select(['id', 'uid', 'email', 'identification_number', 'attributes', 'external_id'])
      .where('tenant', '=', tenant)
      .where('id', '>', after)
      .orderBy('id')
      .limit(IDENTITIES_AT_ONCE)
      .execute();
    const keys = rows.flatMap((row) => {
      const { id, uid, email } = row;
      const identity: CorrelatedIdentity = {
        id,
        uid,
        email,
        identificationNumber: row.identification_number,
        ...columnsToExternal(row),
      };
      return keysOfIdentity(identity, fields).map((key) => ({ key, owner: id }));
    });
    await addKeys(trx, { tenant, side: 'i' }, keys);
    after = rows.length < IDENTITIES_AT_ONCE ? null : (rows.at(-1)?.id ?? null);
  }
}
