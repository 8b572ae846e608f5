import type {
  AccessHolder,
  IdentityProfile,
  ListedIdentity,
  PersonalRecord,
  PersonErasure,
  RecordPatchField,
  ShownAccessProfile,
  ShownEntitlement,
  ShownIdentity,
  ShownRole,
  SingleKind,
} from '@access-admin/contract';
import { type CursorOptions, type CursorPage, iteratePages, readCursorPage } from '../http/cursor-list.ts';
import type { JsonPatch } from '../http/json-patch.ts';
import { parseNdjson } from '../http/ndjson.ts';
import { createRecords } from '../http/records.ts';
import type { WriteOptions } from '../http/resource.ts';
import type { ResourceCall } from '../http/resource-call.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import { resourcePath } from '../http/url.ts';
import type { AccessModelInput } from './access-model-record.ts';

/** Filters and order of a list of records. */
export interface LookUpOptions extends CallOptions {
  /** Such as `name co "pay"`, which ignores case, best written with `filter`; all if left out. */
  readonly filters?: string | undefined;
  /** `id`, `name` (of identities `displayName`), or one with `-` before it; by id if left out. */
  readonly sorters?: string | undefined;
}

/** Which page of records to read. */
export interface LookUpPageOptions extends LookUpOptions, CursorOptions {}

/** A record of an import without its kind. */
export type NewRecord<K extends SingleKind> = Omit<
  Exclude<Extract<AccessModelInput, { readonly kind: K }>, { readonly delete: true }>,
  'kind'
>;

/** A record without its id, which the call names. */
export type RecordFields<New> = Omit<New, 'id'>;

/** The records of one kind. `Listed` is what lists have of one, `Found` what a read of one has. */
export interface LookUp<Listed, K extends SingleKind, Found = Listed> {
  /** Iterates over all records that meet the filters, a page at a time. */
  list(options?: LookUpOptions): AsyncIterable<Listed>;
  /** Reads one page of the list. It may have fewer records than `limit` although `next` is not null. */
  page(options?: LookUpPageOptions): Promise<CursorPage<Listed>>;
  /** Reads a record by its id. */
  get(id: string, options?: CallOptions): ResourceCall<Found>;
  /** Creates a record, under the rules of an import. A `ConflictError` after a repeat can mean that the first attempt took effect. */
  create(record: NewRecord<K>, options?: CallOptions): ResourceCall<Found>;
  /** Replaces a record as an import of it does. */
  replace(id: string, record: RecordFields<NewRecord<K>>, options?: WriteOptions): ResourceCall<Found>;
  /** Changes all but the id, all operations or none. After an unknown outcome it is repeated only with `ifMatch`. */
  patch(id: string, operations: JsonPatch<RecordPatchField<K>>, options?: WriteOptions): ResourceCall<Found>;
  /** Deletes a record. */
  delete(id: string, options?: WriteOptions): Promise<void>;
}

/** Records that identities can hold. */
export interface HeldLookUp<Record, K extends SingleKind> extends LookUp<Record, K> {
  /** Iterates over the assignments by which identities hold it. */
  holders(id: string, options?: CallOptions): AsyncIterable<AccessHolder>;
  /** Reads one page of these. */
  holdersPage(id: string, options?: CursorOptions): Promise<CursorPage<AccessHolder>>;
}

/** Identities, and what is kept of people. */
export interface IdentityLookUp extends LookUp<ListedIdentity, 'identity', ShownIdentity> {
  /** Iterates over all that names a person, as it arrives; also of a deleted identity. */
  personalData(id: string, options?: CallOptions): AsyncIterable<PersonalRecord>;
  /**
   * Has the texts of a deleted identity replaced by a pseudonym, and resolves while that is under way. This cannot be undone. Rejects
   * with a `ConflictError` while the identity exists and for a pseudonym, and with a `NotFoundError` where nothing names it.
   */
  erase(id: string, options: IdentityErasure): Promise<PersonErasure>;
}

/** The confirmation of an erasure. */
export interface IdentityErasure extends CallOptions {
  /** The id of the identity once more. */
  readonly confirm: string;
}

/** The records of the access model, with the names of what they refer to. */
export interface LookUps {
  /** create-identity-v1, put-identity-v1, patch-identity-v1, delete-identity-v1, list-identities-v1, get-identity-v1, export-personal-data-v1 and erase-identity-v1 */
  readonly identities: IdentityLookUp;
  /** create-entitlement-v1, put-entitlement-v1, patch-entitlement-v1, delete-entitlement-v1, list-entitlements-v1, get-entitlement-v1 and list-entitlement-holders-v1 */
  readonly entitlements: HeldLookUp<ShownEntitlement, 'entitlement'>;
  /** create-access-profile-v1, put-access-profile-v1, patch-access-profile-v1, delete-access-profile-v1, list-access-profiles-v1, get-access-profile-v1 and list-access-profile-holders-v1 */
  readonly accessProfiles: HeldLookUp<ShownAccessProfile, 'accessProfile'>;
  /** create-role-v1, put-role-v1, patch-role-v1, delete-role-v1, list-roles-v1, get-role-v1 and list-role-holders-v1 */
  readonly roles: HeldLookUp<ShownRole, 'role'>;
  /** create-identity-profile-v1, put-identity-profile-v1, patch-identity-profile-v1, delete-identity-profile-v1, list-identity-profiles-v1 and get-identity-profile-v1 */
  readonly identityProfiles: LookUp<IdentityProfile, 'identityProfile'>;
}

/** Builds the operations that look records up. */
export const createLookUps = (transport: Transport): LookUps => ({
  identities: {
    ...createLookUp(transport, '/identities/v1'),
    personalData: (id, options) => readPersonalData(transport, id, options),
    erase: async (id, { confirm, ...options }) => {
      const path = `${resourcePath('/identities/v1', id)}/erasure`;
      const headers = { 'x-confirm-identity': confirm };
      return (await transport.call<PersonErasure>({ method: 'POST', path, headers, options })).value;
    },
  },
  entitlements: createHeldLookUp(transport, '/entitlements/v1'),
  accessProfiles: createHeldLookUp(transport, '/access-profiles/v1'),
  roles: createHeldLookUp(transport, '/roles/v1'),
  identityProfiles: createLookUp(transport, '/identity-profiles/v1'),
});

const readPersonalData = (transport: Transport, id: string, options?: CallOptions): AsyncIterable<PersonalRecord> =>
  parseNdjson(
    transport.stream({
      method: 'GET',
      path: `${resourcePath('/identities/v1', id)}/personal-data`,
      headers: { accept: 'application/x-ndjson' },
      options,
    }),
  );

function createLookUp<Listed, K extends SingleKind, Found = Listed>(
  transport: Transport,
  group: string,
): LookUp<Listed, K, Found> {
  const page: LookUp<Listed, K>['page'] = async (options) => {
    const query = { filters: options?.filters, sorters: options?.sorters };
    return (await readCursorPage<Listed>(transport, { path: group, query }, options)).page;
  };
  return {
    ...createRecords<Found, NewRecord<K>>(transport, group),
    list: (options) => iteratePages((part) => page({ ...options, ...part })),
    page,
  };
}

function createHeldLookUp<Record, K extends SingleKind>(transport: Transport, group: string): HeldLookUp<Record, K> {
  const holdersPage: HeldLookUp<Record, K>['holdersPage'] = async (id, options) =>
    (await readCursorPage<AccessHolder>(transport, { path: `${resourcePath(group, id)}/holders` }, options)).page;
  return {
    ...createLookUp<Record, K>(transport, group),
    holders: (id, options) => iteratePages((part) => holdersPage(id, { ...options, ...part })),
    holdersPage,
  };
}
