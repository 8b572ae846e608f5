import { type ChangedAssignments, changedAssignments } from '../access/model/assignments.ts';
import type { Identity } from '../access/model/records.ts';
import { equalJson } from '../basics/json-patch/value.ts';
import { keysOf } from '../basics/objects/keys-of.ts';
import type { AuditChange } from '../record/audit/event.ts';

/** An identity before and after a change; null when it does not exist. */
export interface ChangedIdentity {
  readonly id: string;
  readonly before: Identity | null;
  readonly after: Identity | null;
}

type Attribute = Exclude<keyof Identity, 'id' | 'capabilities' | 'access'>;

const ATTRIBUTES: readonly Attribute[] = keysOf({
  active: 0,
  alias: 0,
  attributes: 0,
  currentLoginTimestamp: 0,
  displayName: 0,
  email: 0,
  externalId: 0,
  firstname: 0,
  identificationNumber: 0,
  identityProfile: 0,
  lastLoginTimestamp: 0,
  lastPasswordChangeDate: 0,
  lastUnlockTimestamp: 0,
  lastname: 0,
  personalEmail: 0,
  phone: 0,
  uid: 0,
  workPhone: 0,
} satisfies Record<Attribute, 0>);

/**
 * The attributes of an identity that differ, and the refs that it gained and lost; null when only its capabilities differ.
 * `access` is an attribute that differs when the same refs are in another order.
 */
export function identityChange({ id, before, after }: ChangedIdentity): AuditChange | null {
  const differing = ATTRIBUTES.filter((name) => !equalJson(attributeOf(before, name), attributeOf(after, name)));
  const access = accessChange(before, after);
  const { added, removed } = access ?? NO_REFS;
  const isSameAccess = access === null;
  const isReordered = !isSameAccess && added.length === 0 && removed.length === 0;
  if (before !== null && after !== null && differing.length === 0 && isSameAccess) return null;
  const pick = (identity: Identity | null) =>
    identity === null ? null : pickAttributes(identity, isReordered ? [...differing, 'access'] : differing);
  return {
    field: id,
    before: pick(before),
    after: pick(after),
    ...(added.length > 0 ? { added } : {}),
    ...(removed.length > 0 ? { removed } : {}),
  };
}

/** An identity that does not exist counts as active: that a new one is so is no news. */
const attributeOf = (identity: Identity | null, name: Attribute): unknown =>
  identity?.[name] ?? (name === 'active' ? true : null);

/** The refs that an identity gained and lost, both empty if only their order changed; null if its access is unchanged. */
export const accessChange = (before: Identity | null, after: Identity | null): ChangedAssignments | null =>
  changedAssignments(before?.access ?? [], after?.access ?? []);

const NO_REFS = { added: [], removed: [] };

const pickAttributes = (identity: Identity, names: readonly (keyof Identity)[]): object =>
  Object.fromEntries(names.map((name) => [name, identity[name] ?? null]));

// Punctuation, and the names of the members of a change and of a ref.
const CHANGE_LENGTH = 60;
const REF_LENGTH = 34;
const WINDOW_LENGTH = 66;
const MEMBER_LENGTH = 6;

/** The approximate length of a change as JSON. */
export function sizeOfChange({ field, before, after, added = [], removed = [] }: AuditChange): number {
  let length = CHANGE_LENGTH + field.length + sizeOfMembers(before) + sizeOfMembers(after);
  for (const refs of [added, removed])
    for (const { id, start, end } of refs)
      length += REF_LENGTH + id.length + (start === undefined && end === undefined ? 0 : WINDOW_LENGTH);
  return length;
}

function sizeOfMembers(object: unknown): number {
  let length = 0;
  for (const [name, value] of Object.entries(object ?? {}))
    length += MEMBER_LENGTH + name.length + (typeof value === 'string' ? value.length : JSON.stringify(value).length);
  return length;
}
