import {
  type AccessHolder,
  type AccessRef,
  type IdentityProfile,
  type ShownAccessProfile,
  type ShownEntitlement,
  type ShownIdentity,
  type ShownRole,
  showIdentity,
} from '@access-admin/domain';
import type { Database } from '../../engine/database.ts';
import { exactly, type Total } from '../../query/total.ts';
import { rowToIdentity } from '../records/identity-codec.ts';
import { readGrantingAccounts } from '../sources/read.ts';
import { findGrantingAccess } from './granting-access.ts';
import { countHolders, readHoldersAt } from './holders.ts';
import { LOOK_UP_LIMITS, type LookUpLimits } from './limits.ts';
import { readNames } from './names.ts';
import { countLookUp, type LookUpPage, readLookUpPage } from './page.ts';
import type { LookUpCondition, LookUpKind, LookUpPart, LookUpQuery } from './query.ts';
import type { Searches } from './read-keys.ts';
import { countViolations, type ListedRecords, NO_VIOLATIONS, READ_RECORDS } from './records.ts';

/** Single records by kind. */
export interface FoundRecords {
  readonly entitlement: ShownEntitlement;
  readonly access_profile: ShownAccessProfile;
  readonly role: ShownRole;
  readonly identity_profile: IdentityProfile;
  readonly identity: ShownIdentity;
}

/** Which records of a tenant to list. */
export interface LookUpList<K extends LookUpKind> {
  readonly tenant: string;
  readonly kind: K;
  readonly query: LookUpQuery;
}

/** Reads of the records of the access model, with the names of what they refer to. */
export interface LookUpStore {
  /** In bounded time without an offset, however many records there are and whatever the conditions leave. */
  list<K extends LookUpKind>(list: LookUpList<K>, part: LookUpPart): Promise<LookUpPage<ListedRecords[K]>>;
  /** In bounded parts, up to 10,000 and somewhat beyond; of all identities always exactly. */
  count(list: {
    readonly tenant: string;
    readonly kind: LookUpKind;
    readonly conditions: readonly LookUpCondition[];
  }): Promise<Total>;
  find<K extends LookUpKind>(tenant: string, kind: K, id: string): Promise<FoundRecords[K] | null>;
  /** The assignments by which identities hold something, in the order of their ids; null where it does not exist. */
  listHolders(tenant: string, target: AccessRef, part: LookUpPart): Promise<LookUpPage<AccessHolder> | null>;
  countHolders(tenant: string, target: AccessRef): Promise<Total>;
}

export function createLookUpStore(database: Database, limits: LookUpLimits = LOOK_UP_LIMITS): LookUpStore {
  const searches: Searches = { read: database.read, limits };
  return {
    list: (list, part) => readLookUpPage(searches, list, part),
    count: ({ tenant, kind, conditions }) =>
      countLookUp(searches, { tenant, table: kind, query: { conditions, sorters: [] } }),
    find: async (tenant, kind, id) => FIND[kind](database, tenant, id),
    listHolders: async (tenant, target, part) => {
      const grantingAccess = await findGrantingAccess(searches, tenant, target);
      return grantingAccess === null ? null : readHoldersAt(searches, { tenant, grantingAccess }, part);
    },
    countHolders: async (tenant, target) => {
      const grantingAccess = await findGrantingAccess(searches, tenant, target);
      return grantingAccess === null ? exactly(0) : countHolders(searches, { tenant, grantingAccess });
    },
  };
}

const findListed =
  <K extends Exclude<LookUpKind, 'identity'>>(kind: K) =>
  async (database: Database, tenant: string, id: string): Promise<ListedRecords[K] | null> =>
    (await READ_RECORDS[kind](database, tenant, new Set([id])))[0] ?? null;

const FIND: {
  readonly [K in LookUpKind]: (database: Database, tenant: string, id: string) => Promise<FoundRecords[K] | null>;
} = {
  entitlement: findListed('entitlement'),
  access_profile: findListed('access_profile'),
  role: findListed('role'),
  identity_profile: findListed('identity_profile'),
  identity: findIdentity,
};

async function findIdentity(database: Database, tenant: string, id: string): Promise<ShownIdentity | null> {
  const row = await database.read((db) =>
    db.selectFrom('identity').selectAll().where('tenant', '=', tenant).where('id', '=', id).executeTakeFirst(),
  );
  if (row === undefined) return null;
  const identity = rowToIdentity(row);
  const profile = { type: 'IDENTITY_PROFILE', id: identity.identityProfile } as const;
  const accounts = await database.read((db) => readGrantingAccounts(db, tenant, id));
  const refs = [...identity.access, ...accounts.flatMap(({ access }) => access), profile];
  const nameOf = await readNames(database, tenant, refs);
  const violations = await countViolations(database, tenant, new Set([id]));
  return showIdentity(identity, { violations: violations.get(id) ?? NO_VIOLATIONS, accounts }, nameOf);
}
