import type { AccessType, NameOf } from '@access-admin/domain';
import { createPauses } from '../../engine/concurrency/pauses.ts';
import type { Reads } from '../../engine/database.ts';
import { readColumns } from '../../query/model-tables.ts';

const TABLES = {
  ENTITLEMENT: 'entitlement',
  ACCESS_PROFILE: 'access_profile',
  ROLE: 'role',
  IDENTITY_PROFILE: 'identity_profile',
} as const;

/** A reference to a record with a name. */
interface NamedTarget {
  readonly type: AccessType | 'IDENTITY_PROFILE';
  readonly id: string;
}

/** Reads the names of referenced records. */
export async function readNames({ read }: Reads, tenant: string, refs: readonly NamedTarget[]): Promise<NameOf> {
  const names = new Map<NamedTarget['type'], Map<string, string>>();
  const pause = createPauses();
  for (const [type, targets] of Map.groupBy(refs, (ref) => ref.type)) {
    const ids = new Set(targets.map(({ id }) => id));
    const known = new Map<string, string>();
    names.set(type, known);
    await read(async (db) => {
      const from = { table: TABLES[type], tenant, by: 'id', columns: ['id', 'name'] } as const;
      for await (const rows of readColumns(db, from, ids)) {
        for (const { id, name } of rows) known.set(id, name);
        await pause();
      }
    });
  }
  return ({ type, id }) => names.get(type)?.get(id);
}
