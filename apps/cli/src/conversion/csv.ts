import { createHash } from 'node:crypto';
import type { AccessType } from '@access-admin/domain';
import { counted } from '../output/counted.ts';
import type { Position } from '../output/problem.ts';
import { createAssignments } from './assignments.ts';
import type { Conversion } from './conversion.ts';
import { parseWindow } from './dates.ts';
import { createIds } from './ids.ts';
import type { KnownTables } from './mapping.ts';
import { readTable, type TableColumns, type TableRow } from './read-table.ts';
import type { Faults } from './report.ts';
import { END, isDisabled, PERSON, START, STATES, USER, words } from './vocabulary.ts';
import type { PersonField } from './write-records.ts';

/** The tables of people, entitlements and roles. */
export type CsvTable = 'people' | 'users' | 'entitlements' | 'assignments' | 'roles';

/** The file of each table: `people` alone, or `users`, `entitlements` and `assignments`. */
export type CsvFiles = Readonly<Partial<Record<CsvTable, string | undefined>>>;

const ACCESS = words(`
      entitlementid accessid permissionid groupid roleid entitlement access permission group right privilege
      role entitlementname memberof entitlements permissions groups roles berechtigung recht rolle gruppe
      berechtigungen rechte rollen gruppen
    `);
const HELD = {
  access: ACCESS,
  type: ['type', 'accesstype', 'kind', 'typ', 'art', 'berechtigungstyp', 'zugriffstyp'],
  start: START,
  end: END.included,
  endBefore: END.excluded,
};

/** Headings of access that say that it is roles. */
const OF_ROLES = Object.fromEntries(words('role roles roleid rolle rollen').map((heading) => [heading, 'roles']));

/** The headings that each table may have. */
export const CSV_COLUMNS: Readonly<Record<CsvTable, TableColumns>> = {
  // One row for each person, or for each access of a person.
  people: {
    required: ['id'],
    aliases: { id: [...USER, 'id'], ...PERSON, ...HELD, source: ['source', 'application', 'system', 'anwendung'] },
    meanings: OF_ROLES,
    others: 'attributes',
  },
  users: { required: ['id'], aliases: { id: ['id', ...USER], ...PERSON }, others: 'attributes' },
  entitlements: {
    required: ['id'],
    aliases: {
      id: ['id', ...ACCESS, 'name'],
      name: ['name', 'displayname', 'entitlementname', 'title', 'text', 'description', 'bezeichnung', 'beschreibung'],
      source: ['source', 'application', 'app', 'system', 'applicationname', 'sourcename', 'anwendung', 'quelle'],
    },
    others: 'attributes',
  },
  assignments: {
    required: ['user', 'access'],
    aliases: { user: [...USER, 'id'], ...HELD },
    meanings: OF_ROLES,
    others: 'unused',
  },
  roles: {
    required: ['id', 'access'],
    aliases: {
      id: ['roleid', 'role', 'id', 'rolle'],
      name: ['rolename', 'name', 'title', 'description', 'bezeichnung', 'rollenname'],
      access: ACCESS.filter((heading) => !/^(role|rolle)/.test(heading)),
    },
    others: 'unused',
  },
};

/** The tables that a mapping may speak of. */
export const CSV_TABLES: KnownTables = Object.fromEntries(
  Object.entries(CSV_COLUMNS).map(([table, { aliases }]) => [table, Object.keys(aliases)]),
);

const DEFAULT_PROFILE = { id: 'default', name: 'Default' };
const FIELDS: readonly PersonField[] = ['firstname', 'lastname', 'email', 'workPhone'];
/** Columns of which a person has one value, and by which others find the person. */
const ONE_VALUE = ['id', 'uid', 'email'];

interface Person {
  readonly number: number;
  readonly name: string;
  readonly line: number;
  /** What the rows of a person have in common, beside access. */
  readonly digest: string;
}

/**
 * Converts tables: of people with what they hold, or of people, entitlements, roles and assignments. The table of people is read
 * twice, so that only ids and assignments are in memory. Ids that the service does not accept are made from the names; columns of
 * people and entitlements that are not known become attributes.
 */
export async function convertCsv(files: CsvFiles, conversion: Conversion): Promise<void> {
  const { writer, faults, mapping, format, isLoad, system } = conversion;
  const ids = createIds();
  const peopleTable = files.people === undefined ? 'users' : 'people';
  const rowsOf = async function* (
    table: CsvTable,
    { rowFaults = faults, columnFaults }: { readonly rowFaults?: Faults; readonly columnFaults?: Faults } = {},
  ): AsyncGenerator<TableRow> {
    const path = files[table];
    if (path === undefined) return;
    const reading = {
      ...conversion,
      columns: CSV_COLUMNS[table],
      format,
      mapping: mapping.get(table),
      faults: rowFaults,
      columnFaults,
      // What is wrong with a table is named when it is read for the first time.
      uses: rowFaults === faults ? conversion.uses : null,
      onProgress: (bytes: number) => conversion.onProgress(path, bytes),
    };
    for await (const rows of readTable(path, reading)) yield* rows;
  };
  const external = (id: string, name: string) => (id === name ? undefined : name);
  const fault = (at: Position, text: string) => faults.add({ at, text });

  let lastRow = { text: '', digest: '' };
  const people = new Map<string, Person>();
  const entitlements = createNames(mapping.get('entitlements')?.case ?? mapping.get('people')?.case);
  const persons = createNames(mapping.get(peopleTable)?.case);

  const catalogue = new Set<string>();
  for await (const row of rowsOf('entitlements')) {
    const name = row.get('id');
    const id = name === '' ? null : ids.idOf(name);
    const like = entitlements.like(name);
    if (id === null) fault(row.at, 'no id');
    else if (catalogue.has(id)) fault(row.at, `the entitlement ${name} is repeated`);
    else if (like !== null) fault(row.at, differsInCase('entitlement', name, like));
    else {
      const source = row.get('source') || null;
      const record = { kind: 'entitlement', id, name: row.get('name') || name, source };
      const extras = { externalId: external(id, name), attributes: row.attributes() };
      // An assignment of an entitlement that the model lacks is a fault.
      if (!(await writer.catalogue({ ...record, ...extras }, row.at))) continue;
      catalogue.add(id);
      entitlements.add(name);
    }
  }

  const roles = new Map<string, { name: string; external: string; entitlements: Set<string>; at: Position }>();
  for await (const row of rowsOf('roles')) {
    const name = row.get('id');
    const accesses = listed(row, 'access');
    if (name === '') fault(row.at, 'no id');
    else if (accesses === null) continue;
    else if (accesses.length === 0) fault(row.at, 'no access');
    else {
      const id = ids.idOf(name);
      const role = roles.get(id) ?? { name: '', external: name, entitlements: new Set(), at: row.at };
      role.name ||= row.get('name');
      roles.set(id, role);
      for (const access of accesses) {
        const entitlement = entitlementOf(access, row.at);
        if (entitlement !== null) role.entitlements.add(entitlement);
      }
    }
  }
  for (const [id, role] of roles) {
    const names = { name: role.name || role.external, externalId: external(id, role.external) };
    const record = { kind: 'role', id, ...names, accessProfiles: [], entitlements: [...role.entitlements] };
    await writer.catalogue(record, role.at);
  }

  const assignments = createAssignments();
  // Rows that are wrong, unless a column was not recognised, which then is what is wrong.
  const doubtful: { readonly at: Position; readonly name: string; readonly since: number | null }[] = [];
  let unrecognised = 0;
  const columnFaults: Faults = {
    add: (problem) => {
      unrecognised++;
      faults.add(problem);
    },
    get count() {
      return unrecognised;
    },
  };
  for await (const row of rowsOf(peopleTable, { columnFaults })) {
    if (ONE_VALUE.filter((column) => isSeveral(row, column)).length > 0) continue;
    const name = persons.named(row.get('id'));
    const digest = peopleTable === 'people' ? digestOf(row) : '';
    const known = people.get(name);
    const like = persons.like(name);
    if (name === '') fault(row.at, 'no id');
    else if (known !== undefined && peopleTable === 'users') fault(row.at, `the user ${name} is repeated`);
    else if (known !== undefined && known.digest !== digest) doubtful.push({ at: row.at, name, since: known.line });
    else if (like !== null) fault(row.at, differsInCase('user', name, like));
    else {
      const disabled = isDisabled((column) => row.get(column));
      if ('fault' in disabled) fault(row.at, disabled.fault);
      const person = known ?? { number: people.size, name, line: row.at.line, digest };
      people.set(name, person);
      persons.add(name);
      if (peopleTable === 'people') await assign(person, row, 'people');
    }
  }
  if (unrecognised > 0 && doubtful.length > 0)
    conversion.onNote(
      `${counted(doubtful.length, 'row')} of ${files.people} ${doubtful.length === 1 ? 'seems to be wrong by the columns that are not recognised, and is' : 'seem to be wrong by the columns that are not recognised, and are'} looked at once these are`,
    );
  else
    for (const { at, name, since } of doubtful)
      fault(
        at,
        since === null
          ? 'dates without access'
          : `${name} has other values than in line ${since}, beside those of its access: in a mapping, ignore names columns that are not of people`,
      );
  for await (const row of rowsOf('assignments')) {
    if (!people.has(row.get('user')) && isSeveral(row, 'user')) continue;
    const name = persons.named(row.get('user'));
    const person = people.get(name);
    const like = persons.like(name);
    if (name === '') fault(row.at, 'no user');
    else if (person !== undefined) await assign(person, row, 'assignments');
    else fault(row.at, `there is no user ${name}${like === null ? '' : `, but ${like}, which differs in case alone`}`);
  }

  const heldBy = assignments.finish(people.size);
  const seen = new Set<number>();
  for await (const row of rowsOf(peopleTable, { rowFaults: { add: () => {}, count: 0 } })) {
    const name = persons.named(row.get('id'));
    const person = people.get(name);
    if (person === undefined || seen.has(person.number)) continue;
    seen.add(person.number);
    const fields = Object.fromEntries(
      FIELDS.flatMap((field) => {
        const value = row.get(field);
        return value === '' ? [] : [[field, value]];
      }),
    );
    const full = [row.get('firstname'), row.get('lastname')].filter((part) => part !== '').join(' ');
    const profile = row.get('identityProfile');
    const disabled = isDisabled((column) => row.get(column));
    const account = {
      id: name,
      name: row.get('uid') || name,
      displayName: row.get('displayName') || full || row.get('uid') || name,
      fields,
      profile: profile === '' ? DEFAULT_PROFILE : { id: ids.idOf(profile), name: profile },
      statedProfile: profile === '' ? undefined : profile,
      disabled: 'disabled' in disabled && disabled.disabled,
      attributes: row.attributes(),
      access: heldBy(person.number),
    };
    await writer.account(account, row.at);
  }
  await writer.end();

  /** Takes what a row says that a person holds. */
  async function assign(person: Person, row: TableRow, table: 'people' | 'assignments') {
    const accesses = listed(row, 'access');
    const stated = accessTypeOf(row.get('type'));
    const type = stated === 'any' && row.meaning('access') === 'roles' ? 'ROLE' : stated;
    const excluded = row.get('endBefore');
    const end = row.get('end');
    const parsed = parseWindow(row.get('start'), end === '' ? excluded : end, {
      order: mapping.get(table)?.dates,
      endExcluded: end === '',
    });
    if (accesses === null) return;
    if (end !== '' && excluded !== '') return fault(row.at, `two ends: ${end} and ${excluded}`);
    if ('fault' in parsed) return fault(row.at, parsed.fault);
    if (type === null)
      return fault(
        row.at,
        `type: ${row.get('type')} is none of entitlement, role, access profile; in a mapping, values says what it means`,
      );
    if (accesses.length === 0 && table === 'assignments') return fault(row.at, 'no access');
    if (accesses.length === 0 && Object.keys(parsed.window).length > 0)
      doubtful.push({ at: row.at, name: person.name, since: null });
    for (const access of accesses) {
      const ref = await refOf(access, { type, row });
      if (ref !== null) assignments.add(person.number, assignments.refNumber(ref), parsed.window);
    }
  }

  async function refOf(
    access: string,
    { type, row }: { readonly type: AccessType | 'any'; readonly row: TableRow },
  ): Promise<{ readonly type: AccessType; readonly id: string } | null> {
    const id = ids.idOf(access);
    if (type !== 'ENTITLEMENT' && roles.has(id)) {
      if (type === 'ROLE') return { type: 'ROLE', id };
      if (!catalogue.has(id)) return { type: 'ROLE', id };
      fault(row.at, `${access} is an entitlement and a role: a column for type says which`);
      return null;
    }
    if (type === 'ROLE' || type === 'ACCESS_PROFILE') {
      // The service says whether it has it.
      if (isLoad && files.roles === undefined) return { type, id };
      const advice =
        row.get('type') === '' ? ': in a mapping, `access` names the column, whose heading then says no type' : '';
      fault(row.at, `there is no ${type === 'ROLE' ? 'role' : 'access profile'} ${access}${advice}`);
      return null;
    }
    const entitlement = entitlementOf(access, row.at, files.roles !== undefined && type === 'any');
    if (entitlement === null || files.entitlements !== undefined || catalogue.has(entitlement))
      return entitlement === null ? null : { type: 'ENTITLEMENT', id: entitlement };
    const source = row.get('source') || system;
    const record = { kind: 'entitlement', id, name: access, source, externalId: external(id, access) };
    if (!(await writer.catalogue(record, row.at, type === 'any' ? 'any' : 'entitlement'))) return null;
    catalogue.add(id);
    entitlements.add(access);
    return { type: 'ENTITLEMENT', id };
  }

  /** The id of an entitlement, unless there is a table of them without it. */
  function entitlementOf(access: string, at: Position, orRole = false): string | null {
    const name = entitlements.named(access);
    const id = ids.idOf(name);
    const like = entitlements.like(name);
    if (catalogue.has(id)) return id;
    if (like !== null) fault(at, differsInCase('entitlement', name, like));
    else if (files.entitlements === undefined) return id;
    else fault(at, `there is no entitlement${orRole ? ' or role' : ''} ${access}`);
    return null;
  }

  /** The values of a cell; null where it may have several, and the mapping does not say what is between them. */
  function listed(row: TableRow, column: string): readonly string[] | null {
    const values = row.list(column);
    if (values !== null) return values;
    const whole = row.get(column);
    // A name with a comma that the catalogue has is one name.
    if (catalogue.has(ids.idOf(whole)) || roles.has(ids.idOf(whole))) return [whole];
    fault(
      row.at,
      `${column}: ${whole} may be several values: in a mapping, \`separator: {${column}: ";"}\` says what is between them, or "" that it is one`,
    );
    return null;
  }

  /** Whether a cell may have several values although a person has one, which is a fault. */
  function isSeveral(row: TableRow, column: string): boolean {
    const whole = row.get(column);
    const values = row.list(column);
    if (values !== null && values.length < 2) return false;
    // Ids have commas, as distinguished names do; addresses do not.
    if (values === null && column !== 'email' && !/[;|\n]/.test(whole)) return false;
    fault(
      row.at,
      `${column}: ${whole} may be several values, and a person has one: in a mapping, \`separator: {${column}: ""}\` says that it is one, \`values: {${column}: {${JSON.stringify(whole)}: …}}\` which one it stands for`,
    );
    return true;
  }

  /** A short digest of what a row says of a person, beside access. */
  function digestOf(row: TableRow): string {
    const columns = ['uid', 'displayName', ...FIELDS, 'identityProfile', ...STATES];
    const values = [...columns.map((column) => row.get(column)), Object.entries(row.attributes())];
    const text = JSON.stringify(values);
    // The rows of a person mostly follow each other.
    if (text !== lastRow.text)
      lastRow = { text, digest: createHash('sha1').update(text).digest('base64').slice(0, 12) };
    return lastRow.digest;
  }
}

const differsInCase = (what: string, name: string, like: string): string =>
  `the ${what}s ${like} and ${name} differ in ${like.normalize('NFC') === name.normalize('NFC') ? 'how accents are encoded' : 'case alone'}: in a mapping, \`case: same\` or \`case: distinct\` says what they are`;

/** Names among which those that differ in case, or in how accents are encoded, alone are found. */
function createNames(cases: 'same' | 'distinct' | undefined) {
  const byFolded = new Map<string, string>();
  const fold = (name: string) => name.normalize('NFC').toLowerCase();
  return {
    /** The name as it was seen first, where case does not matter. */
    named: (name: string): string => (cases === 'same' ? (byFolded.get(fold(name)) ?? name) : name),
    /** Another name that differs in case alone; null without one, or where that is as it should be. */
    like: (name: string): string | null => {
      const known = byFolded.get(fold(name));
      return cases !== undefined || known === undefined || known === name ? null : known;
    },
    add: (name: string): void => {
      if (!byFolded.has(fold(name))) byFolded.set(fold(name), name);
    },
  };
}

/** The type of access that a text says; `any` for an empty one, null for one that is not known. */
function accessTypeOf(text: string): AccessType | 'any' | null {
  const plain = text.toLowerCase().replaceAll(/[^\p{L}]/gu, '');
  if (plain === '') return 'any';
  if (/^((business|composite|single)?roles?|(geschäfts|sammel|einzel)?rollen?)$/.test(plain)) return 'ROLE';
  if (/^(accessprofiles?|zugriffsprofile?)$/.test(plain)) return 'ACCESS_PROFILE';
  return /^(entitlements?|berechtigung(en)?|rechte?|permissions?|groups?|gruppen?)$/.test(plain) ? 'ENTITLEMENT' : null;
}
