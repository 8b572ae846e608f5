import {
  type Attributes,
  fail,
  ok,
  parseScimPath,
  type Result,
  type ScimFilter,
  type ScimPath,
} from '@access-admin/domain';
import type { ScimAccount, ScimAccountFields } from '@access-admin/store';
import { type BrokenRule, brokenRule } from './errors.ts';
import { asObject, booleanOf, type JsonObject, listOf, type PatchOperation } from './json.ts';
import { ENTERPRISE_SCHEMA } from './schemas.ts';

/** A user while a request changes it. Attributes have the names that accounts keep them by. */
export interface UserDraft {
  userName: string | null;
  externalId: string | null;
  displayName: string | null;
  active: boolean;
  email: string | null;
  readonly attributes: Map<string, string>;
}

/** The attributes of accounts, by the path that SCIM has for them, in small letters. */
const KEPT_NAMES = [
  'name.formatted',
  'name.familyName',
  'name.givenName',
  'name.middleName',
  'name.honorificPrefix',
  'name.honorificSuffix',
  'title',
  'userType',
  'preferredLanguage',
  'locale',
  'timezone',
] as const;
const ENTERPRISE_NAMES = [
  'employeeNumber',
  'department',
  'division',
  'organization',
  'costCenter',
  'manager.value',
] as const;

export const CORE_ATTRIBUTES: readonly string[] = KEPT_NAMES;
export const ENTERPRISE_ATTRIBUTES: readonly string[] = ENTERPRISE_NAMES;
export const PHONE_ATTRIBUTE = 'phoneNumbers';

const KEPT: ReadonlyMap<string, string> = new Map(
  [...KEPT_NAMES, ...ENTERPRISE_NAMES].map((name) => [name.toLowerCase(), name]),
);

export const newDraft = (): UserDraft => ({
  userName: null,
  externalId: null,
  displayName: null,
  active: true,
  email: null,
  attributes: new Map(),
});

/** The draft of a stored user. */
export const draftOf = ({ account }: ScimAccount): UserDraft => ({
  userName: account.name,
  externalId: account.externalId,
  displayName: account.displayName,
  active: !account.disabled,
  email: account.email,
  attributes: new Map(Object.entries(account.attributes ?? {})),
});

/** A draft as accounts have it. The lengths of its texts are still to be validated. */
export function fieldsOfDraft(draft: UserDraft): Result<ScimAccountFields, BrokenRule> {
  const { userName, externalId, displayName, active, email } = draft;
  if (userName === null) return fail(brokenRule('invalidValue', 'userName is required.'));
  const attributes: Attributes = Object.fromEntries(draft.attributes);
  return ok({ name: userName, externalId, displayName, email, disabled: !active, attributes });
}

/** Performs the operations of a PATCH, or the fault of the first that cannot be. */
export function applyToDraft(draft: UserDraft, operations: readonly PatchOperation[]): BrokenRule | null {
  for (const { op, path, value } of operations) {
    const fault = path === null ? setAll(draft, op, value) : setPath(draft, { op, path, value });
    if (fault !== null) return fault;
  }
  return null;
}

/** Takes all attributes of an object. What only the service decides on, and what it does not keep, is passed over. */
export function setAll(draft: UserDraft, op: PatchOperation['op'], value: unknown): BrokenRule | null {
  const object = asObject(value);
  if (op === 'remove') return brokenRule('noTarget', 'An operation remove needs a path.');
  if (object === null) return brokenRule('invalidValue', 'An operation without a path needs an object.');
  for (const [name, each] of Object.entries(object)) {
    if (READ_ONLY.has(name.toLowerCase())) continue;
    const fault = setPath(draft, { op, path: name, value: each });
    if (fault !== null) return fault;
  }
  return null;
}

const READ_ONLY: ReadonlySet<string> = new Set(['id', 'schemas', 'meta', 'groups']);

interface Step {
  readonly op: PatchOperation['op'];
  readonly path: string;
  readonly value: unknown;
}

function setPath(draft: UserDraft, { op, path, value }: Step): BrokenRule | null {
  const parsed = parseScimPath(path);
  if (parsed === null) return brokenRule('invalidPath', `${path.slice(0, 100)} is not a path.`);
  const attribute = withoutEnterprise(parsed.attribute);
  if (attribute === '') return setEnterprise(draft, op, value);
  const name = attribute.toLowerCase();
  if (READ_ONLY.has(name.split('.')[0] ?? '')) return brokenRule('mutability', `${attribute} is read only.`);
  const given = op === 'remove' ? null : value;
  switch (name) {
    case 'username':
      return setText(attribute, given, (text) => {
        draft.userName = text;
      });
    case 'externalid':
      return setText(attribute, given, (text) => {
        draft.externalId = text;
      });
    case 'displayname':
      return setText(attribute, given, (text) => {
        draft.displayName = text;
      });
    case 'active':
      return setActive(draft, given);
    case 'emails':
    case 'emails.value':
      return setPlural(draft.email, { ...parsed, op, value }, (text) => {
        draft.email = text;
      });
    case 'phonenumbers':
    case 'phonenumbers.value':
      return setPlural(draft.attributes.get(PHONE_ATTRIBUTE) ?? null, { ...parsed, op, value }, (text) =>
        setAttribute(draft, PHONE_ATTRIBUTE, text),
      );
    case 'name':
      return setComplex(draft, 'name', given);
    case 'manager':
      return setComplex(draft, 'manager', typeof given === 'string' ? { value: given } : given);
  }
  const kept = KEPT.get(name);
  // What else is sent is accepted and not kept.
  return kept === undefined ? null : setText(attribute, given, (text) => setAttribute(draft, kept, text));
}

/** The name of an attribute in the enterprise extension; empty for the extension itself. */
function withoutEnterprise(attribute: string): string {
  if (!attribute.toLowerCase().startsWith(ENTERPRISE_SCHEMA.toLowerCase())) return attribute;
  return attribute.slice(ENTERPRISE_SCHEMA.length).replace(/^[:.]/, '');
}

function setEnterprise(draft: UserDraft, op: PatchOperation['op'], value: unknown): BrokenRule | null {
  if (op === 'remove' || value === null) {
    for (const name of ENTERPRISE_NAMES) draft.attributes.delete(name);
    return null;
  }
  return setAll(draft, op, value);
}

function setAttribute(draft: UserDraft, name: string, text: string | null): void {
  if (text === null) draft.attributes.delete(name);
  else draft.attributes.set(name, text);
}

/** An empty text, and null, are no value. */
function setText(attribute: string, value: unknown, set: (text: string | null) => void): BrokenRule | null {
  if (value === null || value === undefined || value === '') set(null);
  else if (typeof value === 'string') set(value);
  else if (typeof value === 'number' || typeof value === 'boolean') set(String(value));
  else return brokenRule('invalidValue', `${attribute} must be a text.`);
  return null;
}

function setActive(draft: UserDraft, value: unknown): BrokenRule | null {
  // Some directories wrap the value.
  const active = value === null ? true : booleanOf(asObject(value)?.['value'] ?? value);
  if (active === null) return brokenRule('invalidValue', 'active must be true or false.');
  draft.active = active;
  return null;
}

/** Sets the sub-attributes that are given, or removes all. */
function setComplex(draft: UserDraft, attribute: 'name' | 'manager', value: unknown): BrokenRule | null {
  const names = [...KEPT].filter(([path]) => path.startsWith(`${attribute}.`));
  if (value === null || value === undefined || value === '') {
    for (const [, name] of names) draft.attributes.delete(name);
    return null;
  }
  const object = asObject(value);
  if (object === null) return brokenRule('invalidValue', `${attribute} must be an object.`);
  for (const [sub, each] of Object.entries(object)) {
    const name = KEPT.get(`${attribute}.${sub}`.toLowerCase());
    const fault = name === undefined ? null : setText(name, each, (text) => setAttribute(draft, name, text));
    if (fault !== null) return fault;
  }
  return null;
}

/** Sets the one value that is kept of an attribute with many: that for work, else the primary or the first one. */
function setPlural(
  present: string | null,
  { filter, subAttribute, op, value }: ScimPath & Pick<Step, 'op' | 'value'>,
  set: (text: string | null) => void,
): BrokenRule | null {
  const kept = present === null ? null : { value: present, type: 'work', primary: true };
  if (filter !== null) {
    if (!isPluralFilter(filter)) return brokenRule('invalidFilter', 'The filter of the path is not supported.');
    const isOfKept = kept !== null && meets(filter, kept);
    // Another value than the one that is kept is accepted and not kept.
    if (!isOfKept && (op === 'remove' || kept !== null)) return null;
    if (subAttribute !== null && subAttribute.toLowerCase() !== 'value') return null;
    const given = op === 'remove' ? null : (asObject(value)?.['value'] ?? firstOf(value));
    return setText('value', given, set);
  }
  if (op === 'remove' || value === null) return setText('value', null, set);
  const entries: JsonObject[] = [];
  for (const each of listOf(value)) {
    const object = typeof each === 'string' ? { value: each } : asObject(each);
    if (object === null) return brokenRule('invalidValue', 'A value must be an object.');
    entries.push(object);
  }
  const isOfWork = (entry: JsonObject) => String(entry['type'] ?? '').toLowerCase() === 'work';
  const preferred = entries.find(isOfWork) ?? entries.find((entry) => booleanOf(entry['primary']) === true);
  if (preferred === undefined && op === 'add' && kept !== null) return null;
  return setText('value', (preferred ?? entries[0])?.['value'] ?? null, set);
}

const firstOf = (value: unknown): unknown => {
  if (!Array.isArray(value)) return value;
  const [first] = value;
  return asObject(first)?.['value'] ?? first;
};

/** Whether a filter is on the sub-attributes of an email or a phone number. */
function isPluralFilter(filter: ScimFilter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.every(isPluralFilter);
    case 'not':
      return isPluralFilter(filter.filter);
    case 'value':
      return false;
    default:
      return ['value', 'type', 'primary', 'display'].includes(filter.attribute);
  }
}

function meets(filter: ScimFilter, entry: Readonly<Record<string, string | boolean>>): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((each) => meets(each, entry));
    case 'or':
      return filter.filters.some((each) => meets(each, entry));
    case 'not':
      return !meets(filter.filter, entry);
    case 'present':
      return entry[filter.attribute] !== undefined;
    case 'value':
      return false;
    case 'compare': {
      const held = String(entry[filter.attribute] ?? '').toLowerCase();
      const wanted = String(filter.value).toLowerCase();
      if (filter.operator === 'eq') return held === wanted;
      if (filter.operator === 'ne') return held !== wanted;
      if (filter.operator === 'co') return held.includes(wanted);
      if (filter.operator === 'sw') return held.startsWith(wanted);
      return filter.operator === 'ew' && held.endsWith(wanted);
    }
  }
}
