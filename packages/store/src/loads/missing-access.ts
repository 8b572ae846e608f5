import { type AccessRef, type AccessType, KIND_OF_ACCESS } from '@access-admin/domain';
import type { Kysely } from 'kysely';
import { readColumns } from '../query/model-tables.ts';
import type { Tables } from '../schema/tables.ts';

const TABLE_OF = { ENTITLEMENT: 'entitlement', ACCESS_PROFILE: 'access_profile', ROLE: 'role' } as const;

/** Finds which access does not exist. */
export interface KnownAccess {
  /** It exists from now on. */
  add(type: AccessType, id: string): void;
  /** Reads what is not known yet of these. */
  read(db: Kysely<Tables>, refs: Iterable<AccessRef>): Promise<void>;
  has(ref: AccessRef): boolean;
}

/** Remembers the access of a tenant that exists: there is no more of it than the catalogue has. */
export function createKnownAccess(tenant: string): KnownAccess {
  const known = { ENTITLEMENT: new Set<string>(), ACCESS_PROFILE: new Set<string>(), ROLE: new Set<string>() };
  return {
    add: (type, id) => void known[type].add(id),
    read: async (db, refs) => {
      const wanted = { ENTITLEMENT: new Set<string>(), ACCESS_PROFILE: new Set<string>(), ROLE: new Set<string>() };
      for (const { type, id } of refs) if (!known[type].has(id)) wanted[type].add(id);
      for (const type of TYPES)
        for await (const rows of readColumns(
          db,
          { table: TABLE_OF[type], tenant, by: 'id', columns: ['id'] },
          wanted[type],
        ))
          for (const { id } of rows) known[type].add(id);
    },
    has: ({ type, id }) => known[type].has(id),
  };
}

const TYPES = ['ENTITLEMENT', 'ACCESS_PROFILE', 'ROLE'] as const;

/** What a reference to nothing is told as. */
export const textOfMissingAccess = ({ type, id }: AccessRef): string =>
  `there is no ${KIND_OF_ACCESS[type]} ${id}, here or in the load`;
