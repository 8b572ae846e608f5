import type { TimedAccessRef } from '@access-admin/domain';
import { counted, shortened } from '../output/counted.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Position } from '../output/problem.ts';
import { createAssignments, type Window } from './assignments.ts';
import type { Conversion } from './conversion.ts';
import { intersect, parseWindow } from './dates.ts';
import { createIds } from './ids.ts';
import type { KnownTables } from './mapping.ts';
import { readTable, type TableColumns, type TableRow } from './read-table.ts';
import { type Authorization, functionsOf, grants, type SapFunction, tcodesOf } from './sap-functions.ts';
import { END, START, words } from './vocabulary.ts';

/** The tables of SAP that are read, and functions: transaction codes with the authorizations that they need. */
export type SapTable =
  | 'agrUsers'
  | 'agr1251'
  | 'agr1252'
  | 'agrAgrs'
  | 'agrDefine'
  | 'agrTexts'
  | 'agrProf'
  | 'ust04'
  | 'usr02'
  | 'usr21'
  | 'adr6'
  | 'functions';

/** The file of each table. */
export type SapFiles = Readonly<Partial<Record<SapTable, string | undefined>>>;

const ROLE = ['agrname', 'role', 'rolle', 'rolename', 'rollenname'];
const NAMES = ['uname', 'bname', 'user', 'username', 'benutzer', 'benutzername'];
const CLIENT = { client: ['mandt', 'client', 'mandant'] };
const PERSON_KEY = { person: ['persnumber'], address: ['addrnumber'] };
const TECHNICAL = ['excludeflg', 'counter', 'zahler', 'zaehler'];
const CHANGES = [
  'createusr',
  'createdat',
  'createtim',
  'createtmp',
  'changeusr',
  'changedat',
  'changetim',
  'changetst',
];

const COLUMNS: Readonly<Record<SapTable, TableColumns>> = {
  agrUsers: {
    required: ['role', 'user'],
    aliases: { ...CLIENT, role: ROLE, user: NAMES, start: ['fromdat', ...START], end: ['todat', ...END.included] },
    others: 'unused',
    unused: [...TECHNICAL, ...CHANGES, 'exclude', 'orgflag', 'colflag'],
  },
  agrAgrs: {
    required: ['role', 'child'],
    aliases: { ...CLIENT, role: ROLE, child: ['childagr', 'childrole', 'child', 'singlerole', 'einzelrolle'] },
    others: 'unused',
    unused: [...TECHNICAL, 'attributes'],
  },
  agr1251: {
    required: ['role', 'object', 'field', 'low'],
    aliases: {
      ...CLIENT,
      role: ROLE,
      object: ['object', 'objct', 'authobject', 'authorizationobject', 'objekt', 'berechtigungsobjekt'],
      auth: ['auth', 'authorization', 'berechtigung'],
      field: ['field', 'fieldname', 'feld', 'feldname'],
      low: ['low', 'von', 'value', 'from', 'wert'],
      high: ['high', 'bis', 'to'],
      deleted: ['deleted', 'geloscht', 'geloescht'],
    },
    others: 'unused',
    unused: [...TECHNICAL, 'variant', 'modified', 'copied', 'neu', 'node', 'atext'],
  },
  agr1252: {
    required: ['role', 'variable', 'low'],
    aliases: {
      ...CLIENT,
      role: ROLE,
      variable: ['varbl', 'variable', 'orgebene', 'organisationsebene'],
      low: ['low', 'von'],
      high: ['high', 'bis'],
    },
    others: 'unused',
    unused: TECHNICAL,
  },
  agrDefine: {
    required: ['role'],
    oneOf: ['parent', 'text'],
    aliases: {
      ...CLIENT,
      role: ROLE,
      text: ['text', 'description', 'kurzbeschreibung', 'bezeichnung'],
      parent: ['parentagr', 'parentrole', 'elternrolle'],
    },
    others: 'unused',
    unused: [...TECHNICAL, ...CHANGES, 'attributes'],
  },
  agrTexts: {
    required: ['role', 'text'],
    aliases: {
      ...CLIENT,
      role: ROLE,
      text: ['text'],
      line: ['line', 'zeile'],
      language: ['spras', 'langu', 'language', 'sprache'],
    },
    others: 'unused',
    unused: TECHNICAL,
  },
  agrProf: {
    required: ['role', 'profile'],
    aliases: { ...CLIENT, role: ROLE, profile: ['profile', 'profil', 'profn'] },
    others: 'unused',
    unused: [...TECHNICAL, 'langu', 'ptext', 'generated'],
  },
  ust04: {
    required: ['user', 'profile'],
    aliases: { ...CLIENT, user: NAMES, profile: ['profile', 'profil', 'profn'] },
    others: 'unused',
    unused: TECHNICAL,
  },
  usr02: {
    required: ['user'],
    oneOf: ['lock', 'kind', 'start', 'end'],
    aliases: {
      ...CLIENT,
      user: ['bname', ...NAMES],
      start: ['gltgv', ...START],
      end: ['gltgb', ...END.included],
      kind: ['ustyp', 'usertype', 'benutzertyp'],
      lock: ['uflag', 'lock', 'sperre', 'userlock'],
      name: ['nametextc', 'nametext', 'fullname', 'name', 'vollername', 'vollstandigername'],
      email: ['smtpaddr', 'email', 'emailadresse'],
      group: ['class', 'benutzergruppe', 'usergroup'],
    },
    others: 'unused',
    unused: [
      ...TECHNICAL,
      ...words(`
      aname erdat trdat ltime locnt bcda1 bcda2 bcda3 bcda4 bcda5 pwdchgdate pwdlgndate pwdsetdate pwdinitial
      pwdlockdate accnt tzone codvn modda modti modbe version security
    `),
    ],
  },
  usr21: {
    required: ['user', 'person', 'address'],
    aliases: { ...CLIENT, user: NAMES, ...PERSON_KEY },
    others: 'unused',
    unused: [...TECHNICAL, 'techdesc', 'kostl', 'idadtype', 'organization', 'department'],
  },
  adr6: {
    required: ['person', 'address', 'email'],
    aliases: { ...CLIENT, ...PERSON_KEY, email: ['smtpaddr'], standard: ['flgdefault'] },
    others: 'unused',
    unused: words(`
      datefrom consnumber flgnouse homeflag smtpsrch dftreceiv r3user encode tnef validfrom validto uuid
    `),
  },
  functions: {
    required: ['id', 'tcode'],
    aliases: {
      id: ['function', 'functionid', 'id', 'funktion'],
      name: ['name', 'functionname', 'description', 'beschreibung'],
      tcode: ['tcode', 'action', 'transaction', 'transaktion'],
      object: ['object', 'permission', 'permissionobject', 'authobject', 'objekt'],
      field: ['field', 'feld'],
      value: ['value', 'low', 'valuefrom', 'wert'],
    },
    others: 'unused',
  },
};

/** The columns of each table. */
export const SAP_COLUMNS = COLUMNS;

/** The tables that a mapping may speak of. */
export const SAP_TABLES: KnownTables = Object.fromEntries(
  Object.entries(COLUMNS).map(([table, { aliases }]) => [table, Object.keys(aliases)]),
);

/** Tables that are taken for those that are read: their columns, and what is read instead. */
export const SAP_LOOKALIKES: readonly {
  readonly name: string;
  readonly columns: readonly string[];
  readonly advice: string;
}[] = [
  {
    name: 'AGR_TCODES',
    columns: ['agrname', 'tcode'],
    advice: 'it has the menus of roles, and AGR_1251 what they grant',
  },
  {
    name: 'USR21',
    columns: ['bname', 'persnumber'],
    advice: 'it is read with both PERSNUMBER and ADDRNUMBER, and USR02 has the locks of users',
  },
];

/** Types of users that are no people at a screen. */
const USER_TYPES: Readonly<Record<string, string>> = {
  B: 'system',
  C: 'communication',
  L: 'reference',
  S: 'service',
};
/** Bits of UFLAG: locked by an administrator, here or for all systems. */
const LOCKED = 32 | 64;
/** Locked by wrong passwords, until it is unlocked or, by the usual setting, midnight. */
const WRONG_PASSWORDS = 128;
const ALL = 'SAP_ALL';
const ACTIVITY = 'ACTVT';
/** A value of one digit where SAP has two. */
const shortActivity = (row: TableRow): string | undefined =>
  ['low', 'high', 'value'].map((column) => row.get(column)).find((value) => /^\d$/.test(value));

interface Person {
  readonly number: number;
  readonly name: string;
  readonly email: string;
  readonly window: Window;
  readonly disabled: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  readonly at: Position;
}

interface HeldRole {
  readonly role: string;
  readonly window: Window;
}

/**
 * Converts tables of SAP. Each function, a transaction code with its authorizations, becomes one entitlement; without functions each
 * transaction code that a role names becomes one. Single and composite roles become roles. What somebody has only by several roles
 * together is assigned directly, for the time in which all of them are held.
 */
export async function convertSap(files: SapFiles, conversion: Conversion): Promise<void> {
  expectTables(files);
  const { writer, faults, mapping, onNote } = conversion;
  const system = conversion.system ?? 'SAP';
  const ofSystem = { source: system };
  const ids = createIds();
  const clients = new Map<string, Position>();
  const short = new Map<SapTable, { readonly at: Position; readonly example: string; rows: number }>();
  const rowsOf = async function* (table: SapTable): AsyncGenerator<TableRow> {
    const path = files[table];
    if (path === undefined) return;
    const reading = {
      ...conversion,
      columns: COLUMNS[table],
      format: 'sap' as const,
      mapping: mapping.get(table),
      onProgress: (bytes: number) => conversion.onProgress(path, bytes),
    };
    for await (const rows of readTable(path, reading))
      for (const row of rows) {
        const client = row.get('client');
        if (client !== '' && !clients.has(client)) clients.set(client, row.at);
        const example = row.get('field') === ACTIVITY ? shortActivity(row) : undefined;
        if (example !== undefined) {
          const known = short.get(table) ?? { at: row.at, example, rows: 0 };
          short.set(table, known);
          known.rows++;
        }
        yield row;
      }
  };
  const fault = (at: Position, text: string) => faults.add({ at, text });
  const windowOf = (row: TableRow, table: SapTable): Window | null => {
    const parsed = parseWindow(row.get('start'), row.get('end'), { order: mapping.get(table)?.dates });
    if ('window' in parsed) return parsed.window;
    fault(row.at, parsed.fault);
    return null;
  };
  const start = (path: string | undefined): Position => ({ file: path ?? 'AGR_USERS', line: 1, column: 1 });

  const texts = new Map<string, string>();
  const parents = new Map<string, { readonly parent: string; readonly at: Position }>();
  for await (const row of rowsOf('agrDefine')) {
    texts.set(row.get('role'), row.get('text'));
    if (row.get('parent') !== '') parents.set(row.get('role'), { parent: row.get('parent'), at: row.at });
  }
  for await (const row of rowsOf('agrTexts')) {
    // Line 0 is the short text; the first language that has one stays.
    const isShort = /^0*$/.test(row.get('line'));
    if (isShort && row.get('text') !== '' && !texts.get(row.get('role'))) texts.set(row.get('role'), row.get('text'));
  }
  const levels = new Map<string, Map<string, { low: string; high: string }[]>>();
  for await (const row of rowsOf('agr1252')) {
    // A row without a value gives no level.
    if (row.get('low') === '' && row.get('high') === '') continue;
    const ofRole = levels.get(row.get('role')) ?? new Map();
    levels.set(row.get('role'), ofRole);
    const ranges = ofRole.get(row.get('variable')) ?? [];
    ranges.push({ low: row.get('low'), high: row.get('high') });
    ofRole.set(row.get('variable'), ranges);
  }
  const children = new Map<string, Set<string>>();
  for await (const row of rowsOf('agrAgrs')) {
    const composite = children.get(row.get('role')) ?? new Set();
    composite.add(row.get('child'));
    children.set(row.get('role'), composite);
  }

  const stated = new Map<string, Map<string, Authorization>>();
  let hasGrants = false;
  for await (const row of rowsOf('agr1251')) {
    hasGrants = true;
    if (/^x$/i.test(row.get('deleted'))) continue;
    const role = row.get('role');
    const object = row.get('object');
    const field = row.get('field');
    if (role === '' || object === '' || field === '') {
      fault(row.at, 'no role, object or field');
      continue;
    }
    const authorizations = stated.get(role) ?? new Map<string, Authorization>();
    stated.set(role, authorizations);
    const key = `${object} ${row.get('auth')}`;
    const authorization = authorizations.get(key) ?? { object, fields: new Map(), at: row.at };
    authorizations.set(key, authorization);
    const ranges = authorization.fields.get(field) ?? [];
    ranges.push({ low: row.get('low'), high: row.get('high') });
    authorization.fields.set(field, ranges);
  }
  if (!hasGrants) fault(start(files.agr1251), 'AGR_1251 has no rows: no role would grant anything');
  const empty = new Set<string>();
  const told = new Set<string>();
  const tellOnce = (at: Position, text: string) => {
    if (!told.has(text)) fault(at, text);
    told.add(text);
  };
  /** The authorizations of a role: its own, else those of the role that it is derived from. */
  const grantsOf = (role: string): Iterable<Authorization> => {
    const lineage = [role];
    let child = { name: role, at: start(files.agrDefine) };
    let last = role;
    while (!stated.has(last)) {
      const derived = parents.get(last);
      if (derived === undefined) {
        if (last !== role && !texts.has(last) && !children.has(last))
          tellOnce(
            child.at,
            `the role ${child.name} is derived from ${last}, which the files do not have: export its rows of AGR_1251 too`,
          );
        // A composite role has none of its own, and SAP_ALL is a profile.
        else if (!children.has(role) && role !== ALL) empty.add(role);
        return [];
      }
      const { parent, at } = derived;
      if (lineage.includes(parent)) {
        const round = lineage.slice(lineage.indexOf(parent)).sort();
        tellOnce(
          at,
          round.length === 1
            ? `the role ${parent} is derived from itself`
            : `the roles ${shortened(round)} are derived from each other`,
        );
        return [];
      }
      lineage.push(parent);
      child = { name: last, at };
      last = parent;
    }
    return stated.get(last)?.values() ?? [];
  };
  const resolved = new Map<string, ReadonlyMap<string, readonly Authorization[]>>();
  const ownOf = (role: string): ReadonlyMap<string, readonly Authorization[]> => {
    const known = resolved.get(role);
    if (known !== undefined) return known;
    const byObject = new Map<string, Authorization[]>();
    resolved.set(role, byObject);
    const missing = new Set<string>();
    for (const authorization of grantsOf(role)) {
      const fields = new Map(
        [...authorization.fields].map(([field, ranges]) => [
          field,
          ranges.flatMap((range) => {
            if (!range.low.startsWith('$')) return [range];
            const found = levels.get(role)?.get(range.low);
            if (found !== undefined) return found;
            if (!missing.has(range.low)) {
              missing.add(range.low);
              fault(authorization.at, `the role ${role} has no value of ${range.low} in AGR_1252`);
            }
            return [];
          }),
        ]),
      );
      const ofObject = byObject.get(authorization.object) ?? [];
      ofObject.push({ ...authorization, fields });
      byObject.set(authorization.object, ofObject);
    }
    return byObject;
  };
  /** A role and, of a composite role, its single roles, also those of composite roles in it. */
  const partsOf = (role: string): readonly string[] => {
    const parts = new Set([role]);
    for (const part of parts) for (const child of children.get(part) ?? []) parts.add(child);
    return [...parts];
  };
  const heldIn = (roles: readonly string[]): ReadonlySet<string> => {
    const parts = [...new Set(roles.flatMap(partsOf))].map(ownOf);
    return new Set(functions.filter(({ ways }) => ways.some((way) => grants(parts, way))).map(({ id }) => id));
  };
  const every = [...stated.values()].flatMap((authorizations) => [...authorizations.values()]);
  const functions: readonly SapFunction[] =
    files.functions === undefined
      ? tcodesOf(every, start(files.agr1251))
      : await functionsOf(rowsOf('functions'), faults);
  for (const { at, example, rows } of short.values())
    fault(
      at,
      `${counted(rows, 'row has', 'rows have')} an ACTVT of one digit, such as ${example}: SAP has two, and Excel takes a leading zero away; import the column as text`,
    );
  for (const { id: name, name: text, at } of functions) {
    const id = ids.idOf(name);
    const record = { kind: 'entitlement', id, name: text || name, source: system };
    await writer.catalogue({ ...record, externalId: id === name ? undefined : name }, at);
  }

  const contents = new Map<string, ReadonlySet<string>>();
  const contentOf = (role: string): ReadonlySet<string> => {
    const known = contents.get(role) ?? heldIn([role]);
    contents.set(role, known);
    return known;
  };
  const written = new Set<string>();
  const writeRole = async (role: string, at: Position) => {
    if (written.has(role)) return;
    written.add(role);
    const id = ids.idOf(role);
    const entitlements = [...contentOf(role)].map(ids.idOf).sort();
    const record = { kind: 'role', id, name: texts.get(role) || role, accessProfiles: [], entitlements };
    await writer.catalogue({ ...record, externalId: id === role ? undefined : role, attributes: ofSystem }, at);
  };
  for (const role of [...new Set([...stated.keys(), ...children.keys(), ...texts.keys(), ...parents.keys()])].sort())
    if (role !== '') await writeRole(role, start(files.agr1251));

  const people = new Map<string, Person>();
  const spellings = new Map<string, string>();
  const addPerson = (user: string, given: Omit<Person, 'number'>): Person => {
    const known = people.get(user);
    if (known !== undefined) return known;
    const other = spellings.get(user.toUpperCase());
    if (other !== undefined) fault(given.at, `the users ${other} and ${user} differ in case alone, which SAP has not`);
    spellings.set(user.toUpperCase(), user);
    const person = { number: people.size, ...given };
    people.set(user, person);
    return person;
  };
  const emails = await emailsOf(rowsOf);
  const bare = (at: Position) => ({ name: '', email: '', window: {}, disabled: false, attributes: {}, at });
  const named = new Map<string, string[]>();
  const name = (what: string, user: string) => named.set(what, [...(named.get(what) ?? []), user]);
  const unsaid = new Map([
    ['lock', 'no row of USR02 has a UFLAG: which users are locked is not known, and no user is disabled'],
    ['kind', 'no row of USR02 has a USTYP: which users are no people is not known'],
    ['start', 'no row of USR02 has a GLTGV: from when users are valid is not known, and they are from the beginning'],
    ['end', 'no row of USR02 has a GLTGB: until when users are valid is not known, and they are without an end'],
  ]);
  for await (const row of rowsOf('usr02')) {
    for (const column of unsaid.keys()) if (row.get(column) !== '') unsaid.delete(column);
    const user = row.get('user');
    const window = windowOf(row, 'usr02');
    const lock = row.get('lock') === '' ? 0 : Number(row.get('lock'));
    const kind = row.get('kind').toUpperCase();
    if (window === null) continue;
    if (user === '') fault(row.at, 'no user');
    else if (people.has(user)) fault(row.at, `the user ${user} is repeated`);
    else if (!Number.isSafeInteger(lock)) fault(row.at, `UFLAG: ${row.get('lock')} is no number`);
    else {
      const type = USER_TYPES[kind];
      if (type !== undefined) name(`of type ${kind} (${type})`, user);
      else if (!['', 'A'].includes(kind)) name(`of the unknown type ${kind}`, user);
      if ((lock & LOCKED) !== 0) name('locked, and so disabled', user);
      else if ((lock & WRONG_PASSWORDS) !== 0) name('locked by wrong passwords alone, and so not disabled', user);
      const attributes = {
        ...(kind === '' ? {} : { userType: kind }),
        ...(row.get('group') === '' ? {} : { userGroup: row.get('group') }),
      };
      const known = {
        name: row.get('name'),
        email: row.get('email') || (emails.get(user) ?? ''),
        window,
        attributes,
        at: row.at,
      };
      addPerson(user, { ...known, disabled: (lock & LOCKED) !== 0 });
    }
  }

  const assignments = createAssignments();
  const rolesOf = new Map<number, HeldRole[]>();
  const assigned = new Set<string>();
  const hold = (person: Person, role: string, window: Window) => {
    assigned.add(role);
    const both = intersect(window, person.window);
    if (both === null) return;
    assignments.add(person.number, assignments.refNumber({ type: 'ROLE', id: ids.idOf(role) }), both);
    const held = rolesOf.get(person.number) ?? [];
    held.push({ role, window: both });
    rolesOf.set(person.number, held);
  };
  const assignedTo = new Set<string>();
  for await (const row of rowsOf('agrUsers')) {
    const user = row.get('user');
    const role = row.get('role');
    const window = windowOf(row, 'agrUsers');
    if (window === null) continue;
    if (user === '' || role === '') fault(row.at, 'no user or role');
    else if (files.usr02 !== undefined && !people.has(user)) fault(row.at, `USR02 has no user ${user}`);
    else {
      await writeRole(role, row.at);
      assignedTo.add(`${user}\n${role}`);
      hold(addPerson(user, bare(row.at)), role, window);
    }
  }
  const rolesOfProfiles = new Map<string, string>();
  for await (const row of rowsOf('agrProf')) rolesOfProfiles.set(row.get('profile'), row.get('role'));
  const unresolved = new Map<string, number>();
  for await (const row of rowsOf('ust04')) {
    const user = row.get('user');
    const profile = row.get('profile');
    // A role with many authorizations has several profiles, with two digits behind the name of the first.
    const role = rolesOfProfiles.get(profile) ?? rolesOfProfiles.get(profile.slice(0, 10));
    if (user === '' || profile === '') fault(row.at, 'no user or profile');
    else if (files.usr02 !== undefined && !people.has(user)) fault(row.at, `USR02 has no user ${user}`);
    else if (profile === ALL) {
      if (!written.has(ALL)) {
        written.add(ALL);
        const entitlements = functions.map(({ id }) => ids.idOf(id)).sort();
        await writer.catalogue(
          { kind: 'role', id: ALL, name: ALL, accessProfiles: [], entitlements, attributes: ofSystem },
          row.at,
        );
        contents.set(ALL, new Set(functions.map(({ id }) => id)));
      }
      hold(addPerson(user, bare(row.at)), ALL, {});
    } else if (role === undefined) unresolved.set(profile, (unresolved.get(profile) ?? 0) + 1);
    else if (!assignedTo.has(`${user}\n${role}`)) {
      await writeRole(role, row.at);
      hold(addPerson(user, bare(row.at)), role, {});
    }
  }

  const together = new Map<string, ReadonlySet<string>>();
  /** The functions that roles have together, and none of them by itself. */
  const onlyTogether = (roles: readonly string[]): ReadonlySet<string> => {
    const key = roles.join('\n');
    const known = together.get(key);
    if (known !== undefined) return known;
    const alone = new Set(roles.flatMap((role) => [...contentOf(role)]));
    const found = new Set([...heldIn(roles)].filter((id) => !alone.has(id)));
    together.set(key, found);
    return found;
  };
  for (const [number, held] of rolesOf)
    for (const [id, windows] of heldTogether(held, onlyTogether))
      for (const window of windows)
        assignments.add(number, assignments.refNumber({ type: 'ENTITLEMENT', id: ids.idOf(id) }), window);

  const heldBy = assignments.finish(people.size);
  const profile = { id: 'sap', name: `Users of ${system}` };
  for (const [user, person] of people) {
    const access: readonly TimedAccessRef[] = heldBy(person.number);
    const account = {
      id: user,
      name: user,
      displayName: person.name || user,
      fields: person.email === '' ? {} : { email: person.email },
      profile,
      disabled: person.disabled,
      attributes: person.attributes,
      access,
    };
    await writer.account(account, person.at);
  }
  const ofOther = [...clients.values()][1];
  if (ofOther !== undefined)
    fault(
      ofOther,
      `the tables have rows of the clients ${[...clients.keys()].join(', ')}: export those of one client alone`,
    );
  await writer.end();

  const heldParts = new Set([...assigned].flatMap(partsOf));
  const { held: heldEmpty = [], free = [] } = Object.groupBy([...empty].sort(), (role) =>
    heldParts.has(role) ? 'held' : 'free',
  );
  for (const [whose, roles] of [
    ['users hold', heldEmpty],
    ['nobody holds', free],
  ] as const)
    if (roles.length > 0) {
      const [verb, them] = roles.length === 1 ? ['grants', 'it'] : ['grant', 'them'];
      onNote(
        `${counted(roles.length, 'role')} that ${whose} ${verb} nothing, since AGR_1251 has no rows of ${them}: ${shortened(roles)}`,
      );
    }
  const nested = [...children].flatMap(([role, of]) => ([...of].some((child) => children.has(child)) ? [role] : []));
  if (nested.length > 0)
    onNote(
      `${counted(nested.length, 'composite role has', 'composite roles have')} composite roles in ${nested.length === 1 ? 'it' : 'them'}, whose single roles count too: ${shortened(nested)}`,
    );
  for (const [what, users] of named) onNote(`${counted(users.length, 'user')} ${what}: ${shortened(users)}`);
  if (files.ust04 === undefined)
    onNote('profiles were not read: UST04 says who has SAP_ALL, and AGR_PROF which roles others are of');
  const lost = [...unresolved].map(([of, users]) => `${of} (${users})`);
  if (lost.length > 0)
    onNote(
      `${counted(lost.length, 'profile is', 'profiles are')} of no role of AGR_PROF, and the grants are not known: ${shortened(lost)}`,
    );
  if (files.usr02 !== undefined) for (const text of unsaid.values()) onNote(text);
  else onNote('users were not read: USR02 says who is locked, until when a user is valid, and of what type');
}

/** Throws a `CommandFailure` that names the tables without which others would say something wrong. */
function expectTables(files: SapFiles): void {
  for (const [table, name, content] of [
    ['agrUsers', 'AGR_USERS', 'which roles users have'],
    ['agr1251', 'AGR_1251', 'what roles grant'],
  ] as const)
    if (files[table] === undefined) throw new CommandFailure(`the table ${name} is missing: it says ${content}`);
  const ofPeople = [
    ['USR02', files.usr02],
    ['USR21', files.usr21],
    ['ADR6', files.adr6],
  ] as const;
  const [missing] = ofPeople.find(([, path]) => path === undefined) ?? [];
  if (missing !== undefined && (files.usr21 ?? files.adr6) !== undefined)
    throw new CommandFailure(
      `the table ${missing} is missing: USR21 and ADR6 have e-mail addresses of the users of USR02, and are read with it alone`,
    );
}

/** The e-mail address of each user: the one that is marked as the standard, else the first one. */
async function emailsOf(
  rowsOf: (table: 'usr21' | 'adr6') => AsyncIterable<TableRow>,
): Promise<ReadonlyMap<string, string>> {
  const keyOf = (row: TableRow) => `${row.get('address')}\n${row.get('person')}`;
  const byKey = new Map<string, string>();
  for await (const row of rowsOf('adr6')) {
    const email = row.get('email');
    if (email !== '' && (row.get('standard') !== '' || !byKey.has(keyOf(row)))) byKey.set(keyOf(row), email);
  }
  const byUser = new Map<string, string>();
  for await (const row of rowsOf('usr21')) byUser.set(row.get('user'), byKey.get(keyOf(row)) ?? '');
  return byUser;
}

/** The windows in which each function is held by several roles together: between moments at which a role begins or ends. */
function heldTogether(
  held: readonly HeldRole[],
  onlyTogether: (roles: readonly string[]) => ReadonlySet<string>,
): ReadonlyMap<string, readonly Window[]> {
  const found = new Map<string, { start?: string; end?: string }[]>();
  if (held.length < 2) return found;
  const moments = [
    ...new Set(held.flatMap(({ window }) => [window.start ?? '', ...(window.end === undefined ? [] : [window.end])])),
  ].sort();
  if (moments[0] !== '') moments.unshift('');
  for (const [at, moment] of moments.entries()) {
    const next = moments[at + 1];
    const active = held.filter(
      ({ window }) => (window.start ?? '') <= moment && (window.end === undefined || moment < window.end),
    );
    const roles = [...new Set(active.map(({ role }) => role))].sort();
    if (roles.length < 2) continue;
    for (const id of onlyTogether(roles)) {
      const windows = found.get(id) ?? [];
      found.set(id, windows);
      const last = windows.at(-1);
      const isNext = last !== undefined && last.end === moment;
      const window = isNext ? last : { ...(moment === '' ? {} : { start: moment }) };
      if (!isNext) windows.push(window);
      if (next === undefined) delete window.end;
      else window.end = next;
    }
  }
  return found;
}
