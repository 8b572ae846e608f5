import type { Identity } from '../access/model/records.ts';
import type { AuditedResource } from '../administration/authorization.ts';
import { SIGN_IN_SETTING_RESOURCES } from '../administration/sign-in/settings.ts';
import { keysOf } from '../basics/objects/keys-of.ts';
import { brandingChanges } from '../record/audit/branding-changes.ts';
import { controlChanges } from '../record/audit/control-changes.ts';
import { type AuditChange, changesBetween, type ResourceChange } from '../record/audit/event.ts';
import { policyChanges } from '../record/audit/policy-changes.ts';
import { sourceChanges } from '../record/audit/source-changes.ts';
import { identityChange, sizeOfChange } from './identity-change.ts';
import type { ImportBase, ImportPlan, RecordByKind, StoredKind } from './records.ts';

/** The most identities that one event tells of. */
export const IDENTITIES_OF_EVENT_MAX = 1_000;

/** An event about identities ends with the one that brings its changes to this size, in characters of JSON. */
export const IDENTITY_EVENT_LENGTH = 256 * 1024;

/**
 * What an import changes, for the audit log: its counts, then each record, and the access and attributes of identities in
 * groups. Lazy, because all of it can be larger than the import. Nothing when the import changes nothing.
 */
export function* recordImport(plan: ImportPlan, base: ImportBase): Generator<ResourceChange, void> {
  const records = recordsOf(plan, base);
  const first = records.next();
  // The store records accounts with their identities.
  if (first.done && plan.upserts.account.length + plan.deletes.account.length === 0) return;
  yield {
    resource: { type: 'ACCESS_MODEL', id: null },
    changes: [{ field: 'counts', before: null, after: plan.counts }],
  };
  if (!first.done) yield first.value;
  yield* records;
}

/** What an import changes, without its counts. */
export function* recordsOf(plan: ImportPlan, base: ImportBase): Generator<ResourceChange, void> {
  yield* changesOfKind('entitlement', 'ENTITLEMENT', changesBetween);
  yield* changesOfKind('accessProfile', 'ACCESS_PROFILE', changesBetween);
  yield* changesOfKind('role', 'ROLE', changesBetween);
  yield* changesOfKind('identityProfile', 'AUTH_PROFILE', (before, after) =>
    changesBetween(toAuthProfile(before), toAuthProfile(after)),
  );
  yield* changesOfKind('source', 'SOURCE', sourceChanges);
  yield* changesOfKind('identity', 'AUTH_USER', capabilityChanges);
  yield* groupChanges('IDENTITY', mapEach(changedRecords('identity', plan, base), identityChange));
  yield* changesOfKind('sodPolicy', 'SOD_POLICY', policyChanges);
  yield* changesOfKind('control', 'CONTROL', controlChanges);
  if (plan.uiMetadata !== null)
    yield {
      resource: { type: 'UI_METADATA', id: 'tenant' },
      changes: changesBetween(base.uiMetadata, plan.uiMetadata),
    };
  if (plan.branding !== null)
    yield {
      resource: { type: 'BRANDING', id: 'tenant' },
      changes: brandingChanges(base.branding, plan.branding),
    };
  for (const name of keysOf(plan.signIn))
    yield {
      resource: { type: SIGN_IN_SETTING_RESOURCES[name], id: 'tenant' },
      changes: changesBetween(base.signIn[name], plan.signIn[name] ?? null),
    };

  function* changesOfKind<K extends StoredKind>(
    kind: K,
    type: AuditedResource,
    changesOf: (before: RecordByKind[K] | null, after: RecordByKind[K] | null) => readonly AuditChange[],
  ): Generator<ResourceChange, void> {
    for (const { id, before, after } of changedRecords(kind, plan, base)) {
      const changes = changesOf(before, after);
      if (changes.length > 0) yield { resource: { type, id }, changes };
    }
  }
}

function* mapEach<A, B>(all: Iterable<A>, map: (each: A) => B): Generator<B, void> {
  for (const each of all) yield map(each);
}

interface ChangedRecord<R> {
  readonly id: string;
  readonly before: R | null;
  readonly after: R | null;
}

function* changedRecords<K extends StoredKind>(
  kind: K,
  { upserts, deletes }: ImportPlan,
  { stored }: ImportBase,
): Generator<ChangedRecord<RecordByKind[K]>, void> {
  const before = (id: string) => stored[kind].get(id) ?? null;
  for (const after of upserts[kind]) yield { id: after.id, before: before(after.id), after };
  for (const id of deletes[kind]) yield { id, before: before(id), after: null };
}

/** An identity profile is recorded as the auth profile with its id, whose settings are changed by other operations too. */
const toAuthProfile = (profile: RecordByKind['identityProfile'] | null): object | null =>
  profile === null ? null : { id: profile.id, name: profile.name, ...profile.authProfile };

function capabilityChanges(before: Identity | null, after: Identity | null): readonly AuditChange[] {
  const had = (before?.capabilities.length ?? 0) > 0;
  const has = (after?.capabilities.length ?? 0) > 0;
  if (!(had || has)) return [];
  const capabilitiesOf = (identity: Identity | null) => identity && { capabilities: identity.capabilities };
  return changesBetween(capabilitiesOf(before), capabilitiesOf(after));
}

/** What changed of many resources of one kind, as events of up to 1,000 each. That of one account alone names it. */
export function* groupChanges(
  type: AuditedResource,
  all: Iterable<AuditChange | null>,
): Generator<ResourceChange, void> {
  let changes: AuditChange[] = [];
  let length = 0;
  for (const change of all) {
    if (change === null) continue;
    changes.push(change);
    length += sizeOfChange(change);
    if (changes.length < IDENTITIES_OF_EVENT_MAX && length < IDENTITY_EVENT_LENGTH) continue;
    yield groupOf(type, changes);
    changes = [];
    length = 0;
  }
  if (changes.length > 0) yield groupOf(type, changes);
}

function groupOf(type: AuditedResource, changes: readonly AuditChange[]): ResourceChange {
  const ids = changes.map(({ field }) => field);
  const [id] = ids;
  // Identities that are changed one by one have events of another form.
  if (type === 'ACCOUNT' && id !== undefined && ids.length === 1) return { resource: { type, id }, changes };
  return { resource: { type, id: null }, changes, members: ids };
}
