import type { ConcernedIdentity, SignInView } from '@access-admin/domain';
import { sql } from 'kysely';
import type { Reads } from '../engine/database.ts';
import { rowToFactors, withFactors } from './factors.ts';
import { readSignInView } from './guard.ts';

/** Identities by id. */
export interface PopulationPart {
  readonly identities: readonly ConcernedIdentity[];
  /** The id after which the next part begins; null at the end. */
  readonly next: string | null;
}

/** The identities of a tenant, as the decisions on their sign-ins see them. */
export interface SignInPopulationStore {
  /** What the guard of sign-ins is decided on. */
  readView(tenant: string): Promise<SignInView>;
  /** Reads some identities: few enough that other requests need not wait. `after` is empty for the first ones. */
  readPart(tenant: string, after: string): Promise<PopulationPart>;
}

const PART_IDENTITIES = 1_000;

export const createSignInPopulationStore = (database: Reads): SignInPopulationStore => ({
  readView: (tenant) => database.read((db) => readSignInView(db, tenant)),
  readPart: (tenant, after) =>
    database.read(async (db) => {
      const ordered = db
        .selectFrom('identity')
        .select(['identity.id as identity_id', 'identity.display_name'])
        .where('identity.tenant', '=', tenant)
        // The id within the tenant, so that the primary key serves the order.
        .where('identity.id', '>', after)
        .orderBy('identity.id')
        .limit(sql.lit(PART_IDENTITIES));
      const rows = await withFactors(ordered, tenant).execute();
      const identities = rows.map(({ identity_id: identityId, display_name: displayName, ...row }) => ({
        ...rowToFactors(row),
        identityId,
        displayName,
      }));
      return { identities, next: rows.length < PART_IDENTITIES ? null : (rows.at(-1)?.identity_id ?? null) };
    }),
});
