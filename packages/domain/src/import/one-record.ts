import { showExternalData } from '../access/model/attributes.ts';
import { timedAccessRef } from '../access/model/interval.ts';
import type { Identity } from '../access/model/records.ts';
import type { Patch } from '../basics/json-patch/parse.ts';
import { type PatchableField, type PatchRules, patchResource } from '../basics/json-patch/resource.ts';
import { equalJson } from '../basics/json-patch/value.ts';
import { compareTexts } from '../basics/order/compare-texts.ts';
import { type Conflict, type Failure, failure, type NotFound } from '../basics/result/failure.ts';
import { fail, ok, type Result } from '../basics/result/result.ts';
import { type AuditChange, changesBetween, type ResourceChange } from '../record/audit/event.ts';
import { accessChange } from './identity-change.ts';
import { recordsOf } from './record-changes.ts';
import type { ImportBase, ImportPlan, RecordByKind, StoredKind } from './records.ts';

/** The kinds of which callers change one record at a time, as they are called in texts. */
export const SINGLE_KINDS = {
  entitlement: 'entitlement',
  accessProfile: 'access profile',
  role: 'role',
  identityProfile: 'identity profile',
  identity: 'identity',
} as const satisfies Partial<Record<StoredKind, string>>;
/** One of these kinds. */
export type SingleKind = keyof typeof SINGLE_KINDS;

/** A record as an import has it, without kind and id and with nothing left out. */
export type RecordDocument = Readonly<Record<string, unknown>>;

/** The document of a stored record. Its properties are always in the same order. */
export function documentOf(record: RecordByKind[SingleKind]): RecordDocument {
  const { id: _, ...fields } = record;
  const access = 'access' in record ? { access: record.access.map((ref) => timedAccessRef(ref, ref)) } : {};
  const grants = 'source' in record ? { grants: record.grants ?? [] } : {};
  const external = 'authProfile' in record ? {} : showExternalData(record);
  return sortedDocument({ ...fields, ...external, ...access, ...grants });
}

/** A document of these properties, in the order of their names. */
export const sortedDocument = (fields: object): RecordDocument =>
  Object.fromEntries(Object.entries(fields).sort(([one], [other]) => compareTexts(one, other)));

/** The fields of a record of a kind in its document. */
type FieldsOf<K extends SingleKind> = Omit<RecordByKind[K], 'id'>;

/** What a patch of the document of each kind may do. */
const RULES = {
  entitlement: {
    name: 'optional',
    source: 'optional',
    grants: 'optional',
    attributes: 'optional',
    externalId: 'optional',
  },
  accessProfile: {
    name: 'optional',
    entitlements: 'optional',
    attributes: 'optional',
    externalId: 'optional',
  },
  role: {
    name: 'optional',
    accessProfiles: 'optional',
    entitlements: 'optional',
    attributes: 'optional',
    externalId: 'optional',
  },
  identityProfile: { name: 'optional', authProfile: 'optional' },
  identity: {
    uid: 'optional',
    identityProfile: 'optional',
    displayName: 'optional',
    alias: 'optional',
    firstname: 'optional',
    lastname: 'optional',
    email: 'optional',
    personalEmail: 'optional',
    phone: 'optional',
    workPhone: 'optional',
    identificationNumber: 'optional',
    lastPasswordChangeDate: 'optional',
    lastLoginTimestamp: 'optional',
    currentLoginTimestamp: 'optional',
    lastUnlockTimestamp: 'optional',
    active: 'optional',
    capabilities: 'optional',
    access: 'optional',
    attributes: 'optional',
    externalId: 'optional',
  },
} as const satisfies { readonly [K in SingleKind]: PatchRules<FieldsOf<K>> };

/** A field that a patch of a record of a kind may change. */
export type RecordPatchField<K extends SingleKind> = PatchableField<(typeof RULES)[K]>;

/** The patches of a kind. What they leave still has to be validated like an upsert. */
const patchesOf = (kind: SingleKind) => patchResource<RecordDocument>(ok, RULES[kind]);

/** Parses a patch of a record of a kind: its shape, and that it touches neither kind nor id. */
export const parseRecordPatch = (kind: SingleKind) => patchesOf(kind).parse;

/** What an upsert of an identity keeps where it leaves it out: a patch that removes it gives it its default. */
const DEFAULTS = { active: true, capabilities: [], access: [], attributes: {}, externalId: null };

/** Settings of an identity profile that may be null: a patch that removes one makes it so. */
const NULLED = { applicationId: null, applicationName: null };

/** Applies a patch to the document of a record. The result still has to be validated like an upsert. */
export function patchRecord(kind: SingleKind, document: RecordDocument, patch: Patch): Result<unknown, Failure> {
  const patched = patchesOf(kind).apply(document, patch);
  if (!patched.ok) return patched;
  if (kind === 'identity') return ok({ ...DEFAULTS, ...patched.value });
  return kind === 'identityProfile' ? withSettings(patched.value, document) : patched;
}

/** An upsert would keep the settings that a patch has removed, and the patch would answer 200 without effect. */
function withSettings(fields: RecordDocument, document: RecordDocument): Result<RecordDocument, Failure> {
  const authProfile = fields['authProfile'];
  if (authProfile === undefined) return fail(failure('RequiredMissing', 'authProfile', 'is required'));
  // The validation of the upsert refuses what is no object.
  if (typeof authProfile !== 'object' || authProfile === null) return ok(fields);
  const settings = { ...NULLED, ...authProfile };
  const missing = Object.keys(Object(document['authProfile'])).find((name) => !Object.hasOwn(settings, name));
  return missing === undefined
    ? ok({ ...fields, authProfile: settings })
    : fail(failure('RequiredMissing', `authProfile.${missing}`, 'is required'));
}

/** What a caller does to one record. */
export type SingleChange = 'CREATE' | 'REPLACE' | 'DELETE';

/** Whether there is the record that a change needs, or that a new one must not meet. */
export function validateExistence(
  { kind, id, change }: { readonly kind: SingleKind; readonly id: string; readonly change: SingleChange },
  { stored }: Pick<ImportBase, 'stored'>,
): Result<null, NotFound | Conflict> {
  const exists = stored[kind].has(id);
  if (change === 'CREATE')
    return exists ? fail(failure('Conflict', 'id', `there is the ${SINGLE_KINDS[kind]} ${id} already`)) : ok(null);
  return exists ? ok(null) : fail(noRecord(kind));
}

/** The refusal of a request about a record that does not exist. */
export const noRecord = (kind: SingleKind): NotFound =>
  failure('NotFound', '', `There is no such ${SINGLE_KINDS[kind]}.`);

/** Whether a stored record is that of a document. */
export const isOfDocument = (record: RecordByKind[SingleKind] | undefined, document: RecordDocument): boolean =>
  record !== undefined && equalJson(documentOf(record), document);

/** What a change of one record is recorded as: one event, of an identity too. */
export function* recordOne(plan: ImportPlan, base: ImportBase): Generator<ResourceChange, void> {
  const [id = plan.deletes.identity[0]] = plan.upserts.identity.map((identity) => identity.id);
  if (id === undefined) return yield* recordsOf(plan, base);
  const before = base.stored.identity.get(id) ?? null;
  const after = plan.upserts.identity[0] ?? null;
  yield { resource: { type: 'IDENTITY', id }, changes: [...changesOfIdentity(before, after)] };
}

/** Only the gained and lost access: an identity can have thousands of assignments, of which a patch changes one. */
function* changesOfIdentity(before: Identity | null, after: Identity | null): Generator<AuditChange> {
  yield* changesBetween(withoutAccess(before), withoutAccess(after));
  const access = accessChange(before, after);
  if (access !== null) yield { field: 'access', before: null, after: null, ...access };
}

function withoutAccess(identity: Identity | null): object | null {
  if (identity === null) return null;
  const { access: _, ...fields } = identity;
  return fields;
}
