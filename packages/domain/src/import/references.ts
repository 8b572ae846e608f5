import type { AccessType } from '../access/model/records.ts';
import { foldUid } from '../administration/fold-uid.ts';
import { ownersOf } from '../governance/controls/model.ts';
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

/** Receives a reference to a record, and its place among the references of its record. */
type VisitReference = (kind: StoredKind, id: string, place: number) => void;

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
  let place = 0;
  if (record.kind === 'identity') {
    visit('identityProfile', record.identityProfile, place++);
    for (const { type, id } of record.access ?? []) visit(KIND_OF_ACCESS[type], id, place++);
  }
  if (record.kind === 'source' && record.identityProfileId !== null)
    visit('identityProfile', record.identityProfileId, place++);
  if (record.kind === 'account') {
    visit('source', record.source, place++);
    for (const { type, id } of record.access) visit(KIND_OF_ACCESS[type], id, place++);
    for (const id of identitiesOf(record)) visit('identity', id, place++);
  }
  if (record.kind === 'sodPolicy') {
    if (record.ownerRef !== null) visit('identity', record.ownerRef.id, place++);
    for (const { id } of allowedControlsOf(record)) visit('control', id, place++);
  }
  if (record.kind === 'control') for (const id of ownersOf(record)) visit('identity', id, place++);
  if (record.kind === 'role') for (const id of record.accessProfiles) visit('accessProfile', id, place++);
  if (record.kind === 'role' || record.kind === 'accessProfile')
    for (const id of record.entitlements) visit('entitlement', id, place++);
}

/** The identity that an account is given by hand, then the one that it has made. */
const identitiesOf = ({ manual, madeIdentityId }: UpsertOf<'account'>): readonly string[] =>
  [manual?.identityId, madeIdentityId].flatMap((id) => id ?? []);

/** The path of the field with the reference at this place. */
export function pathOfReference(record: Upsert, place: number): string {
  if (record.kind === 'sodPolicy') return pathOfPolicy(record, place);
  if (record.kind === 'control') return pathOfOwner(record, place);
  if (record.kind === 'source') return 'identityProfileId';
  if (record.kind === 'account') return pathOfAccount(record, place);
  if (record.kind === 'identity') return place === 0 ? 'identityProfile' : `access[${place - 1}].id`;
  const profiles = record.kind === 'role' ? record.accessProfiles.length : 0;
  return place < profiles ? `accessProfiles[${place}]` : `entitlements[${place - profiles}]`;
}

function pathOfAccount({ access, manual }: UpsertOf<'account'>, place: number): string {
  if (place === 0) return 'source';
  if (place <= access.length) return `access[${place - 1}].id`;
  return place === access.length + 1 && manual?.identityId != null ? 'identityId' : 'madeIdentityId';
}

function pathOfPolicy(record: UpsertOf<'sodPolicy'>, place: number): string {
  const owner = record.ownerRef === null ? [] : [{ at: 'ownerRef.id' }];
  return [...owner, ...allowedControlsOf(record)][place]?.at ?? '';
}

function pathOfOwner({ owner }: UpsertOf<'control'>, place: number): string {
  if (owner !== null && place === 0) return 'owner.id';
  return `secondaryOwners[${owner === null ? place : place - 1}].id`;
}

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
