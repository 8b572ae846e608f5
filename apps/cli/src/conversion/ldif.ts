import { type LineBatch, readLines } from '../files/read-lines.ts';
import type { Position } from '../output/problem.ts';
import { createAssignments } from './assignments.ts';
import { createIds } from './ids.ts';
import type { Faults } from './report.ts';
import type { ModelWriter } from './write-model.ts';

/** An entry of a directory. */
export interface LdifEntry {
  readonly dn: string;
  /** The values of each attribute, by its name in lower case without options. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  readonly at: Position;
}

/** What a conversion of a directory needs. */
export interface LdifConversion {
  readonly writer: ModelWriter;
  readonly faults: Faults;
  readonly signal: AbortSignal;
  readonly onProgress: (file: string, bytes: number) => void;
  /** The name of the directory, as the source of its entitlements. */
  readonly source: string;
}

const PEOPLE = new Set(['person', 'organizationalperson', 'inetorgperson', 'user', 'posixaccount', 'account']);
const GROUPS = new Set(['group', 'groupofnames', 'groupofuniquenames', 'posixgroup', 'groupofurls', 'groupofmembers']);

/**
 * Converts an LDIF export of a directory to a model: groups become entitlements, and people become identities. An
 * identity holds the groups of which it is a member, also through other groups. The file is read three times, so that only names and memberships are in memory.
 */
export async function convertLdif(
  path: string,
  { writer, faults, signal, onProgress, source }: LdifConversion,
): Promise<void> {
  const ids = createIds();
  const silent: Faults = { add: () => {}, count: 0 };
  const people = new Map<string, number>();
  const peopleByUid = new Map<string, number>();
  const groups = new Map<string, { readonly id: string; readonly number: number }>();
  const takenIds = new Set<string>();
  const entries = (named: Faults) =>
    readLdif(path, { faults: named, signal, onProgress: (bytes) => onProgress(path, bytes) });
  for await (const entry of entries(faults)) {
    const dn = normalDn(entry.dn);
    const kind = kindOf(entry);
    if (kind === 'other') continue;
    if (people.has(dn) || groups.has(dn)) faults.add({ at: entry.at, text: `${entry.dn} is repeated` });
    else if (kind === 'group') {
      const name = first(entry, 'cn', 'name') ?? entry.dn;
      const id = ids.idOf(name);
      const own = takenIds.has(id) ? ids.idOf(entry.dn) : id;
      takenIds.add(own);
      groups.set(dn, { id: own, number: groups.size });
      await writer.write(
        {
          kind: 'entitlement',
          id: own,
          name: first(entry, 'displayname', 'cn', 'name') ?? entry.dn,
          source,
          externalId: entry.dn,
        },
        entry.at,
      );
    } else {
      const uid = uidOf(entry);
      people.set(dn, people.size);
      peopleByUid.set(uid.toLowerCase(), people.size - 1);
    }
  }
  // Of each group the people in it, and the groups that it is in.
  const members: (readonly [group: number, person: number])[] = [];
  const parents = new Map<number, Set<number>>();
  const join = (group: number, member: string, at: Position) => {
    const dn = normalDn(member);
    const person = people.get(dn) ?? peopleByUid.get(member.toLowerCase());
    const inner = groups.get(dn);
    if (person !== undefined) members.push([group, person]);
    else if (inner !== undefined) parents.set(inner.number, (parents.get(inner.number) ?? new Set()).add(group));
    else faults.add({ at, text: `there is no entry ${member}` });
  };
  for await (const entry of entries(silent)) {
    const dn = normalDn(entry.dn);
    const own = groups.get(dn);
    if (own !== undefined)
      for (const name of ['member', 'uniquemember', 'memberuid'])
        for (const member of entry.attributes.get(name) ?? []) join(own.number, member, entry.at);
    for (const of of entry.attributes.get('memberof') ?? []) {
      const group = groups.get(normalDn(of));
      if (group === undefined) faults.add({ at: entry.at, text: `there is no group ${of}` });
      else if (own !== undefined || people.has(dn)) join(group.number, entry.dn, entry.at);
    }
  }
  const assignments = createAssignments();
  const groupIds = [...groups.values()].map(({ id }) => id);
  for (const [group, person] of members)
    for (const each of withParents(group, parents))
      assignments.add(person, assignments.refNumber({ type: 'ENTITLEMENT', id: groupIds[each] ?? '' }), {});
  await writer.write({ kind: 'identityProfile', id: 'directory', name: source }, { file: path, line: 1, column: 1 });
  const heldBy = assignments.finish(people.size);
  const written = new Set<number>();
  for await (const entry of entries(silent)) {
    const person = people.get(normalDn(entry.dn));
    if (person === undefined || written.has(person) || kindOf(entry) !== 'person') continue;
    written.add(person);
    const uid = uidOf(entry);
    const fields = { firstname: 'givenname', lastname: 'sn', email: 'mail', workPhone: 'telephonenumber' };
    const given = Object.entries(fields).flatMap(([field, name]) => {
      const value = first(entry, name);
      return value === undefined ? [] : [[field, value]];
    });
    const extras = ['department', 'departmentnumber', 'ou', 'title', 'employeetype', 'l', 'company', 'o'].flatMap(
      (name) => {
        const value = first(entry, name);
        return value === undefined ? [] : [[name, value]];
      },
    );
    await writer.write(
      {
        kind: 'identity',
        id: ids.idOf(uid),
        uid,
        identityProfile: 'directory',
        displayName: first(entry, 'displayname', 'cn') ?? uid,
        ...Object.fromEntries(given),
        access: heldBy(person),
        externalId: entry.dn,
        attributes: Object.fromEntries(extras),
      },
      entry.at,
    );
  }
  await writer.end();
}

/** A group, and all groups that it is in. */
function withParents(group: number, parents: ReadonlyMap<number, ReadonlySet<number>>): ReadonlySet<number> {
  const reached = new Set([group]);
  for (const each of reached) for (const parent of parents.get(each) ?? []) reached.add(parent);
  return reached;
}

function kindOf({ attributes }: LdifEntry): 'person' | 'group' | 'other' {
  const classes = (attributes.get('objectclass') ?? []).map((name) => name.toLowerCase());
  if (classes.includes('computer')) return 'other';
  if (classes.some((name) => GROUPS.has(name))) return 'group';
  return classes.some((name) => PEOPLE.has(name)) ? 'person' : 'other';
}

const first = ({ attributes }: LdifEntry, ...names: readonly string[]): string | undefined =>
  names.map((name) => attributes.get(name)?.[0]).find((value) => value !== undefined && value !== '');

const uidOf = (entry: LdifEntry): string =>
  first(entry, 'uid', 'samaccountname', 'userprincipalname', 'cn') ?? entry.dn;

/** A distinguished name without what does not distinguish: case, and spaces around separators. */
const normalDn = (dn: string): string => dn.toLowerCase().replaceAll(/[^,=+]+/g, (part) => part.trim());

/**
 * Reads the entries of an LDIF file (RFC 2849): folded lines, Base64 values and comments. Lines that are none of these, values
 * by URL and changes become faults.
 */
export async function* readLdif(
  path: string,
  {
    faults,
    signal,
    onProgress,
  }: { readonly faults: Faults; readonly signal: AbortSignal; readonly onProgress: (bytes: number) => void },
): AsyncGenerator<LdifEntry> {
  let attributes = new Map<string, string[]>();
  let begin = 1;
  let folded: { text: string; line: number } | null = null;
  const end = (): LdifEntry | null => {
    const [dn] = attributes.get('dn') ?? [];
    const entry = dn === undefined ? null : { dn, attributes, at: { file: path, line: begin, column: 1 } };
    attributes = new Map();
    return entry;
  };
  const take = () => {
    if (folded === null) return;
    const { text, line } = folded;
    folded = null;
    if (text.startsWith('#') || /^version:\s*\d+$/i.test(text) || text === '-') return;
    const at = { file: path, line, column: 1 };
    const [, name = '', mark, value = ''] =
      /^([A-Za-z][\w.;-]*|\d[\d.]*(?:;[\w-]+)*):([:<]?)[ ]*(.*)$/s.exec(text) ?? [];
    if (name === '') return faults.add({ at, text: 'neither an attribute with its value nor a comment' });
    if (mark === '<') return faults.add({ at, text: `${name}: values by URL are not read` });
    const [plain = ''] = name.toLowerCase().split(';');
    if (plain === 'changetype' && value !== 'add')
      return faults.add({ at, text: 'a change of an entry: export entries instead' });
    if (plain === 'dn') begin = line;
    const values = attributes.get(plain) ?? [];
    values.push(mark === ':' ? Buffer.from(value, 'base64').toString('utf8') : value.trimEnd());
    attributes.set(plain, values);
  };
  for await (const { lines, first: number, bytes } of readLines(path, signal) as AsyncGenerator<LineBatch>) {
    onProgress(bytes);
    for (let index = 0; index < lines.length; index++) {
      const line = (lines[index] ?? '').replace(/\r$/, '');
      const pending = folded as { text: string; line: number } | null;
      if (line.startsWith(' ') && pending !== null) {
        pending.text += line.slice(1);
        continue;
      }
      take();
      if (line === '') {
        const entry = end();
        if (entry !== null) yield entry;
      } else folded = { text: line, line: number + index };
    }
  }
  take();
  const last = end();
  if (last !== null) yield last;
}
