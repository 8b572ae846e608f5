import type { ChangedIdentity, Identity } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { readMatches, upsertRows } from '../../query/model-tables.ts';
import { nextIdentityRevision } from '../../record/tenants/versions.ts';
import type { IdentityRow, Tables } from '../../schema/tables.ts';
import { unpackAccess } from '../records/access-codec.ts';
import { accessToColumns, identityToRow, rowToIdentity } from '../records/identity-codec.ts';
import { putEntries } from '../search/write-entries.ts';
import { readGrants, type SourcesById } from './read.ts';

/** The tenant and the time of a write, and the sources of the tenant as they are after it. */
export interface SourceWrite {
  readonly tenant: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly time: string;
  readonly sources: SourcesById;
}

/** Identities to write. */
export interface IdentitiesToWrite {
  /** The records that change or are new, by id. */
  readonly edits: ReadonlyMap<string, Identity>;
  /** The ids of identities whose accounts have changed; some may not exist. */
  readonly touched: ReadonlySet<string>;
}

// Their rows are in memory together, and each may have a megabyte.
const IDENTITIES_AT_ONCE = 250;

/**
 * Writes changed records of identities, and what identities hold by their accounts, once those are written. Returns each
 * identity that has changed, with the access that it holds.
 */
export async function writeIdentities(
  trx: Transaction<Tables>,
  write: SourceWrite,
  { edits, touched }: IdentitiesToWrite,
): Promise<readonly ChangedIdentity[]> {
  const ids = [...new Set([...edits.keys(), ...touched])];
  const changes: ChangedIdentity[] = [];
  let revision: number | null = null;
  for (let start = 0; start < ids.length; start += IDENTITIES_AT_ONCE) {
    const some = ids.slice(start, start + IDENTITIES_AT_ONCE);
    const before = await readRows(trx, write.tenant, some);
    const grantsOf = await readGrants(trx, write, some);
    const rows: IdentityRow[] = [];
    for (const id of some) {
      const row = before.get(id) ?? null;
      const edit = edits.get(id);
      const record = edit ?? (row === null ? null : rowToIdentity(row));
      if (record === null) continue;
      const held = accessToColumns(record.access, grantsOf(id));
      if (edit === undefined && row?.access === held.access && row.own_access === held.own_access) continue;
      revision ??= await nextIdentityRevision(trx, write.tenant);
      const createdMs = row?.created_ms ?? Date.parse(write.time);
      const after = { ...identityToRow(write.tenant, record, { revision, createdMs }), ...held };
      rows.push(after);
      changes.push({ id, before: row === null ? null : toHolder(row), after: toHolder(after) });
    }
    await upsertRows(trx, 'identity', rows);
    await putEntries(trx, 'identity', rows);
  }
  return changes;
}

async function readRows(
  trx: Transaction<Tables>,
  tenant: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, IdentityRow>> {
  const found = new Map<string, IdentityRow>();
  for await (const rows of readMatches(trx, { table: 'identity', tenant }, new Set(ids)))
    for (const row of rows) found.set(row.id, row);
  return found;
}

/** An identity with all that it holds. */
const toHolder = (row: IdentityRow): Identity => ({ ...rowToIdentity(row), access: unpackAccess(row.access) });
