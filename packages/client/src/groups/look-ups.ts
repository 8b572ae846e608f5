import type {
  AccessHolder,
  Entitlement,
  IdentityProfile,
  ListedIdentity,
  ShownAccessProfile,
  ShownIdentity,
  ShownRole,
} from '@access-admin/contract';
import { type CursorOptions, type CursorPage, iteratePages, readCursorPage } from '../http/cursor-list.ts';
import { getResource } from '../http/resource.ts';
import type { ResourceCall } from '../http/resource-call.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import { resourcePath } from '../http/url.ts';

/** Filters and order of a list of records. */
export interface LookUpOptions extends CallOptions {
  /** Such as `name co "pay"`, which ignores case, best written with `filter`; all if left out. */
  readonly filters?: string | undefined;
  /** `id`, `name` (of identities `displayName`), or one with `-` before it; by id if left out. */
  readonly sorters?: string | undefined;
}

/** Which page of records to read. */
export interface LookUpPageOptions extends LookUpOptions, CursorOptions {}

/** The records of one kind. `Listed` is what lists have of one, `Found` what a read of one has. */
export interface LookUp<Listed, Found = Listed> {
  /** Iterates over all records that meet the filters, a page at a time. */
  list(options?: LookUpOptions): AsyncIterable<Listed>;
  /** Reads one page of the list. It may have fewer records than `limit` although `next` is not null. */
  page(options?: LookUpPageOptions): Promise<CursorPage<Listed>>;
  /** Reads a record by its id. */
  get(id: string, options?: CallOptions): ResourceCall<Found>;
}

/** Records that identities can hold. */
export interface HeldLookUp<Record> extends LookUp<Record> {
  /** Iterates over the assignments by which identities hold it. */
  holders(id: string, options?: CallOptions): AsyncIterable<AccessHolder>;
  /** Reads one page of these. */
  holdersPage(id: string, options?: CursorOptions): Promise<CursorPage<AccessHolder>>;
}

/** The records of the access model, with the names of what they refer to. */
export interface LookUps {
  /** list-identities-v1 and get-identity-v1 */
  readonly identities: LookUp<ListedIdentity, ShownIdentity>;
  /** list-entitlements-v1, get-entitlement-v1 and list-entitlement-holders-v1 */
  readonly entitlements: HeldLookUp<Entitlement>;
  /** list-access-profiles-v1, get-access-profile-v1 and list-access-profile-holders-v1 */
  readonly accessProfiles: HeldLookUp<ShownAccessProfile>;
  /** list-roles-v1, get-role-v1 and list-role-holders-v1 */
  readonly roles: HeldLookUp<ShownRole>;
  /** list-identity-profiles-v1 and get-identity-profile-v1 */
  readonly identityProfiles: LookUp<IdentityProfile>;
}

/** Builds the operations that look records up. */
export const createLookUps = (transport: Transport): LookUps => ({
  identities: createLookUp(transport, '/identities/v1'),
  entitlements: createHeldLookUp(transport, '/entitlements/v1'),
  accessProfiles: createHeldLookUp(transport, '/access-profiles/v1'),
  roles: createHeldLookUp(transport, '/roles/v1'),
  identityProfiles: createLookUp(transport, '/identity-profiles/v1'),
});

function createLookUp<Listed, Found = Listed>(transport: Transport, group: string): LookUp<Listed, Found> {
  const page: LookUp<Listed>['page'] = async (options) => {
    const query = { filters: options?.filters, sorters: options?.sorters };
    return (await readCursorPage<Listed>(transport, { path: group, query }, options)).page;
  };
  return {
    list: (options) => iteratePages((part) => page({ ...options, ...part })),
    page,
    get: (id, options) => getResource(transport, { group, id, experimental: false }, options),
  };
}

function createHeldLookUp<Record>(transport: Transport, group: string): HeldLookUp<Record> {
  const holdersPage: HeldLookUp<Record>['holdersPage'] = async (id, options) =>
    (await readCursorPage<AccessHolder>(transport, { path: `${resourcePath(group, id)}/holders` }, options)).page;
  return {
    ...createLookUp<Record>(transport, group),
    holders: (id, options) => iteratePages((part) => holdersPage(id, { ...options, ...part })),
    holdersPage,
  };
}
