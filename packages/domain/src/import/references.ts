import type { AccessRef, AccessType } from '../access/model/records.ts';
import { foldUid } from '../administration/fold-uid.ts';
import { allowedControlsOf, sidesOf } from '../policies/model.ts';
import type { AccessModelRecord, ImportRecord, RecordKind, RecordRef, StoredKind } from './records.ts';

/** Ids by kind. */
export type IdsByKind = { readonly [K in StoredKind]: ReadonlySet<string> };

/** The stored records that an import depends on. */
export interface ImportFootprint {
  /** Upserted or deleted records. */
  readonly touched: IdsByKind;
  /** Deleted records, a part of `touched`. */
  readonly deleted: IdsByKind;
  /** Records that are not touched and that an upserted record refers to, including items of policies. */
  readonly referenced: IdsByKind;
  /** The folded uids of upserted identities. */
  readonly uids: ReadonlySet<string>;
}

/** A record that deletes. */
export type Deletion = Extract<AccessModelRecord, { readonly delete: true }>;

/** A record that upserts. */
export type Upsert = Exclude<AccessModelRecord, Deletion>;

/** A record that upserts one kind. */
export type UpsertOf<K extends RecordKind> = { readonly [U in Upsert as U['kind']]: U }[K];

/** The effective records, which are the last of each kind and id. */
export interface LastRecords {
  /** In the order of their lines. */
  readonly inOrder: readonly ImportRecord[];
  find(kind: RecordKind, id: string): ImportRecord | undefined;
}

/** Receives a reference to a record, and the field that has it, such as `access[].id`, with the index there. */
type VisitReference = (kind: StoredKind, id: string, field: string, index?: number) => void;

/** The kind of record that an access ref of a type refers to. */
export const KIND_OF_ACCESS = {
  ENTITLEMENT: 'entitlement',
  ACCESS_PROFILE: 'accessProfile',
  ROLE: 'role',
} as const satisfies Record<AccessType, StoredKind>;

/** The key of a record within its tenant: `kind:id`. */
export const recordKey = ({ kind, id }: RecordRef): string => `${kind}:${id}`;

/** Whether a record deletes. */
export const isDeletion = (record: AccessModelRecord): record is Deletion => 'delete' in record;

/** The effective records of all lines. */
export function lastRecords(records: readonly ImportRecord[]): LastRecords {
  // A map for each kind, because keys made of kind and id cost more than all else.
  const none = () => new Map<string, ImportRecord>();
  const byKind: Readonly<Record<RecordKind, Map<string, ImportRecord>>> = forEachRecordKind(none);
  for (const entry of records) byKind[entry.record.kind].set(entry.record.id, entry);
  const find = (kind: RecordKind, id: string) => byKind[kind].get(id);
  return { inOrder: records.filter((entry) => find(entry.record.kind, entry.record.id) === entry), find };
}

/** The effective upserts of one kind. */
export function upsertsOf<K extends RecordKind>(last: LastRecords, kind: K): UpsertOf<K>[] {
  const ofKind = (record: AccessModelRecord): record is UpsertOf<K> => record.kind === kind && !isDeletion(record);
  return last.inOrder.map(({ record }) => record).filter(ofKind);
}

/** Calls `visit` for each reference that must exist. Items of a policy may be missing. An import has millions of references. */
export function visitRequired(record: Upsert, visit: VisitReference): void {
  if (record.kind === 'identity') {
    visit('identityProfile', record.identityProfile, 'identityProfile');
    visitAccess(record.access ?? [], visit);
  }
  if (record.kind === 'source' && record.identityProfileId !== null)
    visit('identityProfile', record.identityProfileId, 'identityProfileId');
  if (record.kind === 'account') {
    visit('source', record.source, 'source');
    visitAccess(record.access, visit);
    if (record.manual?.identityId != null) visit('identity', record.manual.identityId, 'identityId');
    if (record.madeIdentityId != null) visit('identity', record.madeIdentityId, 'madeIdentityId');
  }
  if (record.kind === 'sodPolicy') {
    if (record.ownerRef !== null) visit('identity', record.ownerRef.id, 'ownerRef.id');
    for (const { id, at } of allowedControlsOf(record)) visit('control', id, at);
  }
  if (record.kind === 'control') {
    if (record.owner !== null) visit('identity', record.owner.id, 'owner.id');
    for (const [index, { id }] of record.secondaryOwners.entries())
      visit('identity', id, 'secondaryOwners[].id', index);
  }
  if (record.kind === 'role')
    for (const [index, id] of record.accessProfiles.entries()) visit('accessProfile', id, 'accessProfiles[]', index);
  if (record.kind === 'role' || record.kind === 'accessProfile')
    for (const [index, id] of record.entitlements.entries()) visit('entitlement', id, 'entitlements[]', index);
}

function visitAccess(access: readonly AccessRef[], visit: VisitReference): void {
  for (const [index, { type, id }] of access.entries()) visit(KIND_OF_ACCESS[type], id, 'access[].id', index);
}

/** The path of a reference that `visitRequired` visits. */
export const pathOfReference = (field: string, index = 0): string => field.replace('[]', `[${index}]`);

/** Determines which stored records an import depends on, from its records alone. */
export function importFootprint(records: readonly ImportRecord[]): ImportFootprint {
  const last = lastRecords(records);
  const noIds = () => new Set<string>();
  const touched = forEachKind(noIds);
  const deleted = forEachKind(noIds);
  const referenced = forEachKind(noIds);
  for (const { record } of last.inOrder) {
    const { kind, id } = record;
    if (isStoredKind(kind)) touched[kind].add(id);
    if (isDeletion(record)) {
      if (isStoredKind(kind)) deleted[kind].add(id);
      continue;
    }
    visitAll(record, (to, toId) => {
      if (last.find(to, toId) === undefined) referenced[to].add(toId);
    });
  }
  const uids = new Set(upsertsOf(last, 'identity').map(({ uid }) => foldUid(uid)));
  return { touched, deleted, referenced, uids };
}

function visitAll(record: Upsert, visit: (kind: StoredKind, id: string) => void): void {
  visitRequired(record, visit);
  if (record.kind !== 'sodPolicy') return;
  for (const { criteriaList } of sidesOf(record.conflictingAccessCriteria))
    for (const { id } of criteriaList) visit('entitlement', id);
}

/** One value for each stored kind. */
export const forEachKind = <T>(make: (kind: StoredKind) => T): { readonly [K in StoredKind]: T } => ({
  entitlement: make('entitlement'),
  accessProfile: make('accessProfile'),
  role: make('role'),
  identityProfile: make('identityProfile'),
  source: make('source'),
  identity: make('identity'),
  account: make('account'),
  sodPolicy: make('sodPolicy'),
  control: make('control'),
});

/** The same for settings too. */
export const forEachRecordKind = <T>(make: () => T): { readonly [K in RecordKind]: T } => ({
  ...forEachKind(make),
  uiMetadata: make(),
  branding: make(),
  lockoutConfig: make(),
  sessionConfig: make(),
  networkConfig: make(),
});

/** Whether a tenant can have many records of this kind. */
const isStoredKind = (kind: RecordKind): kind is StoredKind => STORED_KINDS.has(kind);

const STORED_KINDS: ReadonlySet<string> = new Set(Object.keys(forEachKind(() => null)));
