import { unpackAccess } from '../../access/records/access-codec.ts';
import { inParts } from '../../engine/concurrency/in-parts.ts';
import type { Database } from '../../engine/database.ts';
import { readColumns } from '../../query/model-tables.ts';
import type { FixPlanTexts } from './report.ts';

const IDS_AT_ONCE = 500;

/** Reads the names of roles and access profiles, by id; those that are gone are left out. */
export async function readBundleNames(
  { read }: Database,
  tenant: string,
  { type, ids }: { readonly type: 'ROLE' | 'ACCESS_PROFILE'; readonly ids: ReadonlySet<string> },
): Promise<ReadonlyMap<string, string>> {
  const table = type === 'ROLE' ? 'role' : 'access_profile';
  const names = new Map<string, string>();
  await read(async (db) => {
    const columns = ['id', 'name'] as const;
    for await (const rows of readColumns(db, { table, tenant, by: 'id', columns }, ids))
      for (const { id, name } of rows) names.set(id, name);
  });
  return names;
}

/** Reads which of some identities exist. */
export async function presentIdentities(
  { read }: Database,
  tenant: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const present = new Set<string>();
  await read(async (db) => {
    for await (const rows of readColumns(db, { table: 'identity', tenant, by: 'id', columns: ['id'] }, new Set(ids)))
      for (const { id } of rows) present.add(id);
  });
  return present;
}

/** Reads what the accounts of identities grant, with their sources, account by account, in pages. */
export async function* readGrantsBySource(
  { read }: Database,
  tenant: string,
  identityIds: readonly string[],
): ReturnType<FixPlanTexts['readGrantsBySource']> {
  for (const some of inParts(identityIds, IDS_AT_ONCE)) {
    const rows = await read((db) =>
      db
        .selectFrom('account')
        .innerJoin('source', (join) =>
          join.onRef('source.tenant', '=', 'account.tenant').onRef('source.id', '=', 'account.source_id'),
        )
        .select(['account.identity_id', 'account.source_id', 'account.access'])
        .where('account.tenant', '=', tenant)
        .where('account.identity_id', 'in', some)
        .where((eb) => eb.or([eb('account.disabled', '=', 0), eb('source.ignore_disabled', '=', 0)]))
        .execute(),
    );
    yield rows.flatMap(({ identity_id, source_id, access }) =>
      identity_id === null ? [] : { identityId: identity_id, source: source_id, refs: unpackAccess(access) },
    );
  }
}
