import type { AccessType } from '../access-model/records.ts';
import { sidesOf } from '../policy/model.ts';
import type { AccessModelRecord, ImportRecord, RecordKind, StoredRecords } from './records.ts';

/** The kinds of which a tenant has many: every kind but the UI metadata. */
export type StoredKind = keyof StoredRecords;

/** Ids by kind. */
export type IdsByKind = { readonly [K in StoredKind]: ReadonlySet<string> };

/** Which stored records bear on an import. */
export interface ImportFootprint {
  /** Upserted or deleted. */
  readonly touched: IdsByKind;
  /** Deleted: some of the touched. */
  readonly deleted: IdsByKind;
  /** Referred to, by policy items too, and not touched. */
  readonly referenced: IdsByKind;
}

/** A record that deletes. */
export type Deletion = Extract<AccessModelRecord, { readonly delete: true }>;

/** A record that upserts. */
export type Upsert = Exclude<AccessModelRecord, Deletion>;

/** A record that upserts one kind. */
export type UpsertOf<K extends RecordKind> = Extract<Upsert, { readonly kind: K }>;

/** The records that count, by `kind:id` and in the order of their lines: the last one of each id. */
export type LastByKey = ReadonlyMap<string, ImportRecord>;

/** What a field of a record names, and where it does. */
export interface FieldReference {
  readonly kind: StoredKind;
  readonly id: string;
  readonly at: string;
}

/** The kind of record that an access ref of each type names. */
export const KIND_OF_ACCESS = {
  ENTITLEMENT: 'entitlement',
  ACCESS_PROFILE: 'accessProfile',
  ROLE: 'role',
} as const satisfies Record<AccessType, StoredKind>;

/** The key of a record within its tenant: `kind:id`. */
export const recordKey = (kind: RecordKind, id: string): string => `${kind}:${id}`;

/** Whether a record deletes. */
export const isDeletion = (record: AccessModelRecord): record is Deletion => 'delete' in record;

/** The records that count of all the lines. */
export function lastRecords(records: readonly ImportRecord[]): LastByKey {
  const lastByKey = new Map<string, ImportRecord>();
  for (const entry of records) {
    const key = recordKey(entry.record.kind, entry.record.id);
    // Deleted first, so that the key moves to the place of its last line.
    lastByKey.delete(key);
    lastByKey.set(key, entry);
  }
  return lastByKey;
}

/** The records that count and upsert one kind. */
export function upsertsOf<K extends RecordKind>(lastByKey: LastByKey, kind: K): UpsertOf<K>[] {
  const ofKind = (record: AccessModelRecord): record is UpsertOf<K> => record.kind === kind && !isDeletion(record);
  return [...lastByKey.values()].map(({ record }) => record).filter(ofKind);
}

/** The references of a record that must exist. The items of a policy are not among them. */
export function* requiredReferences(record: Upsert): Generator<FieldReference> {
  if (record.kind === 'identity') {
    yield { kind: 'identityProfile', id: record.identityProfile, at: 'identityProfile' };
    for (const [position, { type, id }] of (record.access ?? []).entries()) {
      yield { kind: KIND_OF_ACCESS[type], id, at: `access[${position}].id` };
    }
  }
  if (record.kind === 'role') {
    for (const [position, id] of record.accessProfiles.entries()) {
      yield { kind: 'accessProfile', id, at: `accessProfiles[${position}]` };
    }
  }
  if (record.kind === 'role' || record.kind === 'accessProfile') {
    for (const [position, id] of record.entitlements.entries()) {
      yield { kind: 'entitlement', id, at: `entitlements[${position}]` };
    }
  }
}

/** The stored records that the decision about an import depends on, from its records alone. */
export function importFootprint(records: readonly ImportRecord[]): ImportFootprint {
  const lastByKey = lastRecords(records);
  const touched = noIds();
  const deleted = noIds();
  const referenced = noIds();
  for (const { record } of lastByKey.values()) {
    if (record.kind !== 'uiMetadata') touched[record.kind].add(record.id);
    if (isDeletion(record)) {
      if (record.kind !== 'uiMetadata') deleted[record.kind].add(record.id);
      continue;
    }
    for (const { kind, id } of allReferences(record)) {
      if (!lastByKey.has(recordKey(kind, id))) referenced[kind].add(id);
    }
  }
  return { touched, deleted, referenced };
}

function* allReferences(record: Upsert): Generator<{ readonly kind: StoredKind; readonly id: string }> {
  yield* requiredReferences(record);
  if (record.kind !== 'sodPolicy') return;
  for (const { criteriaList } of sidesOf(record.conflictingAccessCriteria)) {
    for (const { id } of criteriaList) yield { kind: 'entitlement', id };
  }
}

const noIds = (): { readonly [K in StoredKind]: Set<string> } => ({
  entitlement: new Set(),
  accessProfile: new Set(),
  role: new Set(),
  identityProfile: new Set(),
  identity: new Set(),
  sodPolicy: new Set(),
});
