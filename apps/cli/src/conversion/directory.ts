import { ASSIGNMENTS_MAX, type TimedAccessRef } from '@access-admin/domain';
import { counted } from '../output/counted.ts';
import type { Position } from '../output/problem.ts';
import { createAssignments, type Window } from './assignments.ts';
import type { Conversion } from './conversion.ts';
import { intersect, parseWindow } from './dates.ts';
import { createIds } from './ids.ts';
import { type KnownTables, NO_MAPPING, plainName } from './mapping.ts';
import { attributeName } from './read-table.ts';
import type { Faults } from './report.ts';
import { createWatch } from './uses.ts';
import { isDisabled } from './vocabulary.ts';
import type { PersonField } from './write-records.ts';

/** A reference to an entry, with the name that it goes by there. */
export interface EntryRef {
  readonly key: string;
  /** What the reference says, for people. */
  readonly text: string;
  readonly name?: string | undefined;
  /** The name that a group gets, where the files have no groups. */
  readonly label?: string | undefined;
  /** What the entry is, where that is neither a person nor a group, such as a device. */
  readonly other?: string | undefined;
}

/** A person or a group of a directory. */
export interface DirectoryEntry {
  readonly kind: 'user' | 'group' | 'other';
  /** What the entry is, for one that is neither a person nor a group. */
  readonly other?: string | undefined;
  /** What others name it by. */
  readonly key: string;
  /** Its id in the directory. */
  readonly id: string;
  /** The values of its fields, by their names. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly members: readonly EntryRef[];
  /** The groups that it is in. */
  readonly memberOf: readonly EntryRef[];
  readonly at: Position;
}

/** What the fields of entries mean. */
export interface Vocabulary {
  /** For each known name the fields that hold it, the first one first. */
  readonly known: Readonly<Record<string, readonly string[]>>;
  /** Fields that become attributes, and the names of those. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Fields that are used in another way, and how that is told. */
  readonly told?: Readonly<Record<string, string>>;
  /** Fields that say nothing of access, with all that is within them. One that ends in `*` is a beginning. */
  readonly unused: readonly string[];
}

/** The values of a field of an entry; none of one that a mapping gives another meaning, or ignores. */
export type ValuesOf = (field: string) => readonly string[];

/** A kind of directory. */
export interface Dialect {
  readonly users: Vocabulary;
  readonly groups: Vocabulary;
  readonly profile: { readonly id: string; readonly name: string };
  /** Whether an entry is disabled, beside what the fields `disabled`, `enabled` and `status` say. */
  readonly disabled?: (valuesOf: ValuesOf) => { readonly disabled: boolean } | { readonly fault: string };
  /** When an account is valid, beside what the fields `start` and `end` say. */
  readonly window?: (valuesOf: ValuesOf) => Window | { readonly fault: string };
  /** What the ids of people in a model are made of. */
  readonly modelId: 'id' | 'uid';
  /** What members may name a person by, beside the key; null for nothing. */
  readonly nickname?: (entry: DirectoryEntry) => string | null;
}

/** The known names of people and groups, for mappings. */
export const directoryTables = ({ users, groups }: Dialect): KnownTables => ({
  users: [...Object.keys(users.known), ...USER_NAMES.filter((name) => !(name in users.known))],
  groups: Object.keys(groups.known),
});

const USER_NAMES = ['id', 'start', 'end', 'disabled', 'enabled', 'status', 'access'];
const FIELDS: readonly PersonField[] = ['firstname', 'lastname', 'email', 'workPhone'];

interface Group {
  readonly number: number;
  readonly key: string;
  readonly name: string;
  readonly displayName: string;
  readonly id: string;
  readonly externalId: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly at: Position;
  /** Whether people alone name it. */
  readonly isMentioned?: boolean;
}

/**
 * Converts the people and groups of a directory: groups become entitlements of their members, also through groups in groups. Entries
 * are read three times, so that only names and memberships are in memory.
 */
export async function convertDirectory(
  entries: (faults: Faults) => AsyncIterable<DirectoryEntry>,
  dialect: Dialect,
  conversion: Conversion,
): Promise<void> {
  const { writer, faults, onNote } = conversion;
  const system = conversion.system ?? dialect.profile.name;
  const ids = createIds();
  const silent: Faults = { add: () => {}, count: 0 };
  const fault = (at: Position, text: string) => faults.add({ at, text });
  const users = createReader('users', dialect.users, conversion);
  const groupFields = createReader('groups', dialect.groups, conversion);
  const people = new Map<string, number>();
  const nicknames = new Map<string, number | 'several'>();
  const uids = new Map<string, string>();
  const groups = new Map<string, Group>();
  const others = new Map<string, string>();

  for await (const entry of entries(faults)) {
    const { key, at } = entry;
    if (entry.kind === 'other') {
      others.set(key, entry.other ?? 'another kind');
      continue;
    }
    if (people.has(key) || groups.has(key)) {
      fault(at, `${entry.id} is repeated`);
      continue;
    }
    if (entry.kind === 'group') {
      const read = groupFields.read(entry);
      const name = read.get('name') || entry.id;
      const displayName = read.get('displayName') || name;
      const externalId = read.get('externalId') || undefined;
      groups.set(key, {
        number: groups.size,
        key,
        name,
        displayName,
        id: entry.id,
        externalId,
        attributes: read.attributes(),
        at,
      });
      continue;
    }
    const read = users.read(entry);
    const uid = read.get('uid') || entry.id;
    const folded = uid.toLowerCase();
    const known = uids.get(folded);
    // In a load an account is known by its id; in a model its name is that of the identity.
    if (known !== undefined && !conversion.isLoad) {
      fault(at, `${known} and ${entry.id} have the same name ${uid}: one identity has one name`);
      continue;
    }
    if (known !== undefined) onNote(`${known} and ${entry.id} have the same name ${uid}, and are two accounts`);
    uids.set(folded, entry.id);
    people.set(key, people.size);
    const nickname = dialect.nickname?.(entry)?.toLowerCase();
    if (nickname !== undefined) nicknames.set(nickname, nicknames.has(nickname) ? 'several' : people.size - 1);
    const disabled = disabledOf(read);
    if ('fault' in disabled) fault(at, disabled.fault);
    const window = windowOf(read);
    if ('fault' in window) fault(at, window.fault);
  }
  users.end(faults);
  groupFields.end(faults);

  const hasGroups = groups.size > 0;
  const assignments = createAssignments();
  // Of each group the groups that it is in.
  const parents = new Map<number, Set<number>>();
  const left = new Map<string, { count: number; text: string }>();
  const leave = (what: string, text: string) => {
    const known = left.get(what) ?? { count: 0, text };
    known.count++;
    left.set(what, known);
  };
  const join = (group: number, { key, text, other }: EntryRef, at: Position) => {
    const nickname = people.has(key) ? undefined : nicknames.get(text.toLowerCase());
    const person = people.get(key) ?? nickname;
    const inner = groups.get(key);
    const kind = other ?? others.get(key);
    if (person === 'several') fault(at, `several people are called ${text}`);
    else if (person !== undefined)
      assignments.add(person, assignments.refNumber({ type: 'ENTITLEMENT', id: String(group) }), {});
    else if (inner !== undefined) parents.set(inner.number, (parents.get(inner.number) ?? new Set()).add(group));
    else if (kind !== undefined) leave(kind, text);
    else fault(at, `there is no person or group ${text}`);
  };
  for await (const entry of entries(silent)) {
    const own = groups.get(entry.key);
    if (own !== undefined && entry.kind === 'group')
      for (const member of entry.members) join(own.number, member, entry.at);
    if (entry.kind === 'other' || (own === undefined && !people.has(entry.key))) continue;
    for (const ref of entry.memberOf) {
      const isNamed = ref.name !== undefined || !hasGroups;
      const group = groups.get(ref.key) ?? (isNamed ? mentioned(ref, entry.at) : undefined);
      if (group === undefined) fault(entry.at, `there is no group ${ref.text}`);
      else join(group.number, { key: entry.key, text: entry.id }, entry.at);
    }
    if (entry.kind !== 'user') continue;
    for (const name of users.read(entry).list('access')) {
      const key = `access:${name}`;
      const group = groups.get(key) ?? mentioned({ key, text: name }, entry.at);
      join(group.number, { key: entry.key, text: entry.id }, entry.at);
    }
  }
  if (hasGroups && people.size > 0 && assignments.length === 0 && parents.size === 0)
    onNote('no group has a member in these files, and so nobody has access by them: does the export have members?');
  if (!hasGroups && groups.size > 0)
    onNote(
      'there are no groups in the files: they are those that people name, and which groups are in others is not known',
    );

  const byName = new Map<string, number>();
  for (const { name } of groups.values())
    byName.set(ids.idOf(name).toLowerCase(), (byName.get(ids.idOf(name).toLowerCase()) ?? 0) + 1);
  const refs: string[] = [];
  for (const group of groups.values()) {
    const { key: _, number, name, displayName, id: given, externalId, attributes, at, isMentioned } = group;
    const isUnique = byName.get(ids.idOf(name).toLowerCase()) === 1;
    if (!isUnique) onNote(`several groups are called ${name}: ${given} is the entitlement ${ids.idOf(given)}`);
    const id = ids.idOf(isUnique ? name : given);
    refs[number] = id;
    const record = { kind: 'entitlement', id, name: displayName, source: system, externalId, attributes };
    await writer.catalogue(record, at, isMentioned ? 'entitlement' : undefined);
  }

  const heldBy = assignments.finish(people.size);
  const reach = createReach(parents, groups.size);
  const written = new Set<number>();
  let indirect = 0;
  let example = '';
  for await (const entry of entries(silent)) {
    const person = entry.kind === 'user' ? people.get(entry.key) : undefined;
    if (person === undefined || written.has(person)) continue;
    written.add(person);
    const read = users.read(entry);
    const window = windowOf(read);
    const disabled = disabledOf(read);
    if ('fault' in window || 'fault' in disabled) continue;
    const direct = new Set(heldBy(person).map(({ id }) => Number(id)));
    const reached = reach([...direct]);
    if (reached === null) {
      fault(entry.at, `is in more than ${ASSIGNMENTS_MAX.toLocaleString('en-US')} groups`);
      continue;
    }
    const access = reached.map((group): TimedAccessRef => ({ type: 'ENTITLEMENT', id: refs[group] ?? '', ...window }));
    const uid = read.get('uid') || entry.id;
    const outer = reached.find((group) => !direct.has(group));
    if (outer !== undefined) {
      indirect += 1;
      example ||= `${uid} in ${refs[outer]}`;
    }
    const full = [read.get('firstname'), read.get('lastname')].filter((part) => part !== '').join(' ');
    const fields = FIELDS.flatMap((field) => (read.get(field) === '' ? [] : [[field, read.get(field)]]));
    const account = {
      id: read.get('id') || entry.id,
      name: uid,
      modelName: dialect.modelId === 'uid' ? uid : entry.id,
      displayName: read.get('displayName') || full || uid,
      fields: Object.fromEntries(fields),
      profile: { ...dialect.profile, name: system },
      disabled: disabled.disabled,
      attributes: read.attributes(),
      access,
      externalId: read.get('externalId') || undefined,
    };
    await writer.account(account, entry.at);
  }
  users.tell();
  groupFields.tell();
  await writer.end();
  if (indirect > 0)
    onNote(
      `${counted(indirect, 'person is', 'people are')} in a group through another group, such as ${example}: where a remedy names such a group, remove the person from the group inside it`,
    );
  const counts = Map.groupBy(others.values(), (kind) => kind);
  if (others.size > 0)
    onNote(
      `${counted(others.size, 'entry is', 'entries are')} left out, as neither people nor groups: ${[...counts].map(([kind, { length }]) => `${kind} (${length})`).join(', ')}`,
    );
  for (const [what, { count, text }] of left)
    onNote(
      `${counted(count, 'member is', 'members are')} left out, as neither people nor groups of these files: ${what}, such as ${text}`,
    );

  /** A group that people alone name. */
  function mentioned({ key, text, name, label = text }: EntryRef, at: Position): Group {
    const names = { name: name === undefined ? label : text, displayName: name ?? label };
    const described = { id: text, externalId: undefined, attributes: {}, at };
    const group = { number: groups.size, key, ...names, ...described, isMentioned: true };
    groups.set(key, group);
    return group;
  }

  function disabledOf(read: ReadEntry): { readonly disabled: boolean } | { readonly fault: string } {
    const stated = isDisabled(read.get);
    const own = dialect.disabled?.(read.own) ?? { disabled: false };
    if ('fault' in stated) return stated;
    return 'fault' in own ? own : { disabled: stated.disabled || own.disabled };
  }

  function windowOf(read: ReadEntry): Window | { readonly fault: string } {
    const stated = parseWindow(read.get('start'), read.get('end'), { order: conversion.mapping.get('users')?.dates });
    const own = dialect.window?.(read.own) ?? {};
    if ('fault' in stated) return stated;
    if ('fault' in own) return own;
    return intersect(stated.window, own) ?? { fault: 'is valid at no time' };
  }
}

/** Some groups with all groups that contain them; null where there are more than one identity may hold. */
function createReach(parents: ReadonlyMap<number, ReadonlySet<number>>, count: number) {
  const reachedIn = new Uint32Array(count);
  let round = 0;
  return (from: readonly number[]): readonly number[] | null => {
    round++;
    const reached: number[] = [];
    const visit = (group: number) => {
      if (reachedIn[group] === round) return;
      reachedIn[group] = round;
      reached.push(group);
    };
    for (const group of from) visit(group);
    for (const group of reached) {
      for (const parent of parents.get(group) ?? []) visit(parent);
      if (reached.length > ASSIGNMENTS_MAX) return null;
    }
    return reached;
  };
}

/** An entry by known names. */
interface ReadEntry {
  readonly get: (name: string) => string;
  list(name: string): readonly string[];
  readonly own: ValuesOf;
  attributes(): Readonly<Record<string, string>>;
}

/** Fields that each company gives a meaning of its own, also among those of the directory. */
const CUSTOM = /extension(custom)?attribute\d+$/i;

const isAmong = (names: readonly string[], field: string): boolean => {
  const plain = field.toLowerCase();
  return names.some((given) => {
    const name = given.toLowerCase();
    return name.endsWith('*')
      ? plain.startsWith(name.slice(0, -1)) && !CUSTOM.test(plain)
      : plain === name || plain.startsWith(`${name}.`);
  });
};

/** Reads the fields of entries by known names, and tells what became of each field. */
function createReader(table: 'users' | 'groups', vocabulary: Vocabulary, { mapping, uses }: Conversion) {
  const { columns, attributes: mapped, ignore, values, separator } = mapping.get(table) ?? NO_MAPPING;
  const isSame = (one: string, other: string) => plainName(one) === plainName(other);
  const known: Readonly<Record<string, readonly string[]>> = {
    ...vocabulary.known,
    ...Object.fromEntries(Object.entries(columns).map(([name, field]) => [name, [field]])),
  };
  const watch = createWatch({ types: true });
  const decisions = new Map<
    string,
    {
      readonly attributes: readonly string[];
      readonly isWatched: boolean;
      /** Whether a mapping says what it is, or that it is nothing. */
      readonly isMapped: boolean;
      readonly names: readonly string[];
      /** What becomes of a field that is neither a known name nor an attribute. */
      readonly told: string;
    }
  >();
  const decide = (field: string) => {
    const made = decisions.get(field);
    if (made !== undefined) return made;
    const isIgnored = ignore.some((of) => isSame(of, field));
    const names = Object.keys(known).filter(
      (name) => known[name]?.some((of) => isSame(of, field)) && !isElsewhere(name, field),
    );
    const stated = Object.keys(mapped).filter((name) => isSame(mapped[name] ?? '', field));
    const given = Object.entries(vocabulary.attributes ?? {}).find(([of]) => isSame(of, field))?.[1];
    const isFree = names.length === 0 && stated.length === 0 && given !== undefined;
    const attributes = isIgnored ? [] : isFree ? [given] : stated;
    const told = isIgnored ? 'ignored' : (vocabulary.told?.[field] ?? 'not used');
    const isUsed = names.length > 0 || attributes.length > 0;
    const isWatched = !isUsed && told === 'not used' && !isAmong(vocabulary.unused, field);
    const isMapped = isIgnored || Object.values(columns).some((of) => isSame(of, field));
    const decision = { attributes, isWatched, isMapped, names, told };
    decisions.set(field, decision);
    return decision;
  };
  /** Whether a field is not read as a known name: it is ignored, or a mapping makes attributes alone of it. */
  const isElsewhere = (name: string, field: string) =>
    ignore.some((of) => isSame(of, field)) ||
    (!Object.hasOwn(columns, name) && Object.values(mapped).some((of) => isSame(of, field)));
  // Of each known name the fields that its values came from, in their plain form.
  const origins = new Map<string, Set<string>>();
  return {
    read: ({ fields, at }: DirectoryEntry): ReadEntry => {
      const byPlain = new Map<string, readonly string[]>();
      for (const [field, given] of fields) {
        byPlain.set(plainName(field), given);
        if (decide(field).isWatched) for (const value of given) watch.see(field, value, at);
      }
      const all = (name: string): readonly string[] => {
        for (const field of known[name] ?? []) {
          const plain = plainName(field);
          const given = isElsewhere(name, field) ? [] : (byPlain.get(plain) ?? []).filter((value) => value !== '');
          if (given.length === 0) continue;
          origins.set(name, (origins.get(name) ?? new Set()).add(plain));
          return given;
        }
        return [];
      };
      return {
        get: (name) => {
          const [value = ''] = all(name);
          return values[name]?.[value] ?? value;
        },
        list: (name) => {
          const between = separator[name];
          return between === undefined || between === ''
            ? all(name)
            : all(name).flatMap((value) =>
                value
                  .split(between)
                  .map((each) => each.trim())
                  .filter(Boolean),
              );
        },
        own: (field) => {
          const given = fields.get(field);
          return given === undefined || decide(field).isMapped ? [] : given;
        },
        attributes: () =>
          Object.fromEntries(
            [...fields].flatMap(([field, [value = '']]) => {
              const { attributes } = decide(field);
              return value === '' ? [] : attributes.map((attribute) => [attribute, value]);
            }),
          ),
      };
    },
    end: (faults: Faults) => watch.end(faults),
    /** Tells what became of each field: of several that a known name may come from, those that it came from. */
    tell: () => {
      for (const [field, { names, attributes, told }] of decisions) {
        const used = names.filter((name) => origins.get(name)?.has(plainName(field)) ?? true);
        uses.add(
          table,
          field,
          [...used, ...attributes.map((attribute) => `attribute ${attribute}`)].join(', ') || told,
        );
      }
    },
  };
}

/** The attributes that fields of these names become. */
export const attributesNamed = (...fields: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map((field) => [field, attributeName(field.split('.').at(-1) ?? field)]));
