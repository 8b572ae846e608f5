import { counted } from '../output/counted.ts';
import type { Position } from '../output/problem.ts';
import type { Conversion } from './conversion.ts';
import { convertDirectory, type Dialect, type DirectoryEntry, type EntryRef } from './directory.ts';
import { expectFormat, type Format } from './kinds.ts';
import { type JsonObject, readObjects, textOf } from './read-objects.ts';
import type { Faults } from './report.ts';

/** What a resource is: a person, a group, another thing that has a name, or null where that is not known. */
export type ResourceKind = 'user' | 'group' | { readonly other: string } | null;

/** A kind of directory whose people and groups are JSON objects with ids. */
export interface ResourceDialect extends Dialect {
  readonly format: Format;
  /** The member of an answer that lists objects. */
  readonly list: string;
  /** `envelope` is what stands before the list. */
  readonly kindOf: (object: JsonObject, envelope: string) => ResourceKind;
  /** Where a resource lists the ids of its members, and of the groups that it is in. */
  readonly members: readonly string[];
  readonly memberOf: readonly string[];
  /** What of an object is written without its beginning, such as the name of an extension. */
  readonly shortened?: string;
  /** What shows that an object has been given in part. */
  readonly suspect?: (object: JsonObject, envelope: string) => readonly string[];
  /** Whether an answer is a part of its list; told after all files, by kind of resource. */
  readonly missing: (pages: readonly ListPage[]) => readonly { readonly at: Position; readonly text: string }[];
}

/** What encloses a list, and how many objects of which kinds it holds. */
export interface ListPage {
  readonly enclosing: JsonObject;
  readonly users: number;
  readonly groups: number;
  readonly others: number;
  readonly at: Position;
}

/** Lists whose number, in a member beside them, is more than the pages of their kind hold. */
export function shorterThan(member: string, pages: readonly ListPage[]) {
  const totals = new Map<string, { total: number; held: number; at: Position }>();
  for (const { enclosing, users, groups, others, at } of pages) {
    const total = Number(enclosing[member] ?? 0);
    const found = users + groups + others;
    const kind = found === 0 ? 'empty' : users === found ? 'user' : groups === found ? 'group' : 'resource';
    const known = totals.get(kind) ?? { total: 0, held: 0, at };
    totals.set(kind, { total: Math.max(known.total, total), held: known.held + found, at: known.at });
  }
  return [...totals].flatMap(([kind, { total, held, at }]) =>
    total <= held
      ? []
      : [
          {
            at,
            text: `${member} is ${total}, and there ${held === 1 ? 'is' : 'are'} ${counted(held, kind === 'empty' ? 'resource' : kind)}: the other pages are missing`,
          },
        ],
  );
}

/** Converts files of people and groups in JSON: lists as the interface answers, arrays, or one resource a line. */
export async function convertResources(
  files: readonly string[],
  dialect: ResourceDialect,
  conversion: Conversion,
): Promise<void> {
  const { signal, onProgress } = conversion;
  for (const file of files) expectFormat(file, dialect.format);
  const entries = async function* (faults: Faults): AsyncGenerator<DirectoryEntry> {
    const pages: ListPage[] = [];
    for (const file of files) {
      let users = 0;
      let groups = 0;
      let others = 0;
      const reading = { list: dialect.list, signal, onProgress: (bytes: number) => onProgress(file, bytes) };
      for await (const found of readObjects(file, reading)) {
        const { at } = found;
        if ('enclosing' in found) {
          pages.push({ enclosing: found.enclosing, users, groups, others, at });
          users = 0;
          groups = 0;
          others = 0;
          continue;
        }
        const { object, envelope } = found;
        const kind = dialect.kindOf(object, envelope);
        const id = textOf(object['id']);
        if (id === null) faults.add({ at, text: 'a resource without an id' });
        else if (kind === null)
          faults.add({
            at,
            text: `${id} is neither a user nor a group: it has ${Object.keys(object).slice(0, 8).join(', ')}`,
          });
        else {
          if (kind === 'user') users++;
          else if (kind === 'group') groups++;
          else others++;
          for (const text of [...partsOf(object), ...(dialect.suspect?.(object, envelope) ?? [])])
            faults.add({ at, text: `${id}: ${text}` });
          yield entryOf({ object, id, kind, at }, dialect);
        }
      }
    }
    for (const fault of dialect.missing(pages)) faults.add(fault);
  };
  await convertDirectory(entries, dialect, conversion);
}

/** Lists of a resource that go on elsewhere, have more than is there, or are changes of them. */
const partsOf = (object: JsonObject): readonly string[] =>
  Object.keys(object).flatMap((name) => {
    const [list = '', mark] = name.split('@');
    const given = object[list];
    const count = Array.isArray(given) ? given.length : 0;
    if (list === '') return [];
    if (mark === 'odata.nextLink') return [`${name}: there are more ${list} than the file has`];
    if (mark === 'delta') return [`${name}: changes of ${list}: ask for the whole list`];
    return mark === 'odata.count' && Number(object[name]) > count
      ? [`${name} is ${object[name]}, and the file has ${count}`]
      : [];
  });

interface Resource {
  readonly object: JsonObject;
  readonly id: string;
  readonly kind: Exclude<ResourceKind, null>;
  readonly at: Position;
}

function entryOf({ object, id, kind, at }: Resource, dialect: ResourceDialect): DirectoryEntry {
  const { members, memberOf, shortened = '' } = dialect;
  const fields = new Map<string, readonly string[]>();
  const lists = new Set([...members, ...memberOf]);
  const put = (value: unknown, path: string) => {
    if (lists.has(path)) fields.set(path, []);
    else if (Array.isArray(value)) fields.set(path, inOrder(value).flatMap(scalarOf));
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) put(inner, path === '' ? name : `${path}.${name}`);
    else fields.set(path.startsWith(shortened) ? path.slice(shortened.length) : path, scalarOf(value));
  };
  put(object, '');
  const refs = (names: readonly string[]) =>
    names.flatMap((name) => (Array.isArray(object[name]) ? object[name].map(refOf) : []));
  return {
    kind: typeof kind === 'string' ? kind : 'other',
    ...(typeof kind === 'string' ? {} : { other: kind.other }),
    key: id,
    id,
    fields,
    members: refs(members),
    memberOf: refs(memberOf),
    at,
  };
}

/** Values of which one is meant for work, or primary, before others. */
function inOrder(values: readonly unknown[]): readonly unknown[] {
  const rank = (value: unknown) => {
    const { type, primary } = Object(value);
    return type === 'work' ? 0 : primary === true ? 1 : 2;
  };
  return values.toSorted((one, other) => rank(one) - rank(other));
}

function scalarOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value.trim()];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  const named = Object(value);
  const text = ['value', 'id', 'display', 'displayName', 'name']
    .map((name) => textOf(named[name]))
    .find((each) => each !== null);
  return [text ?? JSON.stringify(value)];
}

/** A reference: an id, or an object with one. */
function refOf(value: unknown): EntryRef {
  const given: JsonObject = Object(value);
  const id = typeof value === 'string' ? value : (textOf(given['value']) ?? textOf(given['id']) ?? '');
  const name = textOf(given['displayName']) ?? textOf(given['display']) ?? undefined;
  const type = textOf(given['@odata.type'])?.replace('#microsoft.graph.', '');
  const isOther = type !== undefined && !['user', 'group', 'directoryRole'].includes(type);
  return { key: id, text: id, name, ...(isOther ? { other: type } : {}) };
}
