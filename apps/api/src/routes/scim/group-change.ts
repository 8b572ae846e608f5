import { scimGroupFields, validate } from '@access-admin/contract';
import { fail, ok, parseScimPath, type Result, type ScimFilter } from '@access-admin/domain';
import type { ScimGroup, ScimGroupChange, ScimMembersChange } from '@access-admin/store';
import { type BrokenRule, brokenRule } from './errors.ts';
import { asObject, listOf, type PatchOperation, propertyOf } from './json.ts';

/** A group while a request changes it. */
export interface GroupDraft {
  name: string | null;
  externalId: string | null;
  readonly members: ScimMembersChange[];
}

export const newGroupDraft = (): GroupDraft => ({ name: null, externalId: null, members: [] });

export const groupDraftOf = ({ name, externalId }: ScimGroup): GroupDraft => ({ name, externalId, members: [] });

export function groupChangeOf({ name, externalId, members }: GroupDraft): Result<ScimGroupChange, BrokenRule> {
  const fields = validate(scimGroupFields, { displayName: name, externalId });
  if (fields.ok) return ok({ name: fields.value.displayName, externalId, members });
  const [{ at, text } = { at: '', text: '' }] = fields.failure.causes;
  return fail(brokenRule('invalidValue', `${at} ${text}.`));
}

/** Performs the operations of a PATCH, or the fault of the first that cannot be. */
export function applyToGroup(draft: GroupDraft, operations: readonly PatchOperation[]): BrokenRule | null {
  for (const { op, path, value } of operations) {
    const fault = path === null ? setGroup(draft, op, value) : setGroupPath(draft, { op, path, value });
    if (fault !== null) return fault;
  }
  return null;
}

/** Takes all attributes of an object. What only the service decides on, and what it does not keep, is passed over. */
export function setGroup(draft: GroupDraft, op: PatchOperation['op'], value: unknown): BrokenRule | null {
  const object = asObject(value);
  if (op === 'remove') return brokenRule('noTarget', 'An operation remove needs a path.');
  if (object === null) return brokenRule('invalidValue', 'An operation without a path needs an object.');
  for (const [path, each] of Object.entries(object)) {
    if (READ_ONLY.includes(path.toLowerCase())) continue;
    const fault = setGroupPath(draft, { op, path, value: each });
    if (fault !== null) return fault;
  }
  return null;
}

const READ_ONLY: readonly string[] = ['id', 'schemas', 'meta'];

function setGroupPath(
  draft: GroupDraft,
  { op, path, value }: PatchOperation & { readonly path: string },
): BrokenRule | null {
  const parsed = parseScimPath(path);
  if (parsed === null) return brokenRule('invalidPath', `${path.slice(0, 100)} is not a path.`);
  const { attribute, filter } = parsed;
  const name = attribute.toLowerCase();
  if (READ_ONLY.includes(name.split('.')[0] ?? '')) return brokenRule('mutability', `${attribute} is read only.`);
  const given = op === 'remove' || value === undefined || value === '' ? null : value;
  if (name === 'members' || name === 'members.value')
    return filter === null ? setMembers(draft, op, value) : setFiltered(draft, op, filter);
  if (name !== 'displayname' && name !== 'externalid') return null;
  if (given !== null && typeof given !== 'string') return brokenRule('invalidValue', `${attribute} must be a text.`);
  if (name === 'displayname') draft.name = given;
  else draft.externalId = given;
  return null;
}

function setMembers(draft: GroupDraft, op: PatchOperation['op'], value: unknown): BrokenRule | null {
  const isOfAll = value === undefined || value === null;
  if (isOfAll) {
    // To remove members without saying which is to remove them all.
    if (op !== 'add') draft.members.push({ kind: 'set', keys: [] });
    return null;
  }
  const keys = keysOf(value);
  if (!keys.ok) return keys.failure;
  draft.members.push({ kind: op === 'replace' ? 'set' : op, keys: keys.value });
  return null;
}

function keysOf(value: unknown): Result<readonly string[], BrokenRule> {
  const keys: string[] = [];
  for (const each of listOf(value)) {
    const object = typeof each === 'string' ? { value: each } : asObject(each);
    const key = object === null ? null : propertyOf(object, 'value');
    if (object === null || typeof key !== 'string') return fail(brokenRule('invalidValue', 'A member needs a value.'));
    const type = String(propertyOf(object, 'type') ?? 'User').toLowerCase();
    const ref = String(propertyOf(object, '$ref') ?? '');
    if (type === 'group' || ref.includes('/Groups/'))
      return fail(brokenRule('invalidValue', 'A group cannot be a member of a group.'));
    keys.push(key);
  }
  return ok(keys);
}

/** Removes the members that a filter names: `value eq "…"`, and several of these with `or`. */
function setFiltered(draft: GroupDraft, op: PatchOperation['op'], filter: ScimFilter): BrokenRule | null {
  const keys = namedBy(filter);
  if (keys === null) return brokenRule('invalidFilter', 'The filter of members must name them by value eq.');
  if (op === 'replace') return brokenRule('invalidPath', 'A member cannot be replaced by another one: remove and add.');
  draft.members.push({ kind: op, keys });
  return null;
}

function namedBy(filter: ScimFilter): readonly string[] | null {
  if (filter.kind === 'compare')
    return filter.attribute === 'value' && filter.operator === 'eq' && typeof filter.value === 'string'
      ? [filter.value]
      : null;
  if (filter.kind !== 'or') return null;
  const named = filter.filters.map(namedBy);
  return named.some((keys) => keys === null) ? null : named.flatMap((keys) => keys ?? []);
}
