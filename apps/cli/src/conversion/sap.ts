import type { Position } from '../output/problem.ts';
import { createAssignments, type Window } from './assignments.ts';
import { intersect, parseWindow } from './dates.ts';
import { createIds } from './ids.ts';
import { readTable, type TableColumns, type TableReading, type TableRow } from './read-table.ts';
import type { ModelWriter } from './write-model.ts';

/** The exports of `convert sap`, by the names of their tables. */
export interface SapFiles {
  readonly agrUsers: string;
  readonly agr1251: string;
  readonly agrAgrs?: string | undefined;
  readonly agrDefine?: string | undefined;
  readonly usr02?: string | undefined;
  /** Functions: transaction codes with the authorizations that they need. */
  readonly functions?: string | undefined;
}

/** What a conversion of SAP exports needs. */
export interface SapConversion extends Omit<TableReading, 'columns' | 'onProgress'> {
  readonly writer: ModelWriter;
  readonly onProgress: (file: string, bytes: number) => void;
  /** The name of the system, as the source of its entitlements. */
  readonly system: string;
}

const ROLE = ['agrname', 'role', 'rolle', 'rolename'];
const COLUMNS: Readonly<Record<keyof SapFiles, TableColumns>> = {
  agrUsers: {
    required: ['role', 'user'],
    aliases: {
      role: ROLE,
      user: ['uname', 'user', 'username', 'benutzer', 'benutzername'],
      start: ['fromdat', 'startdate', 'validfrom', 'gultigab', 'gueltigab'],
      end: ['todat', 'enddate', 'validto', 'gultigbis', 'gueltigbis'],
    },
  },
  agrAgrs: {
    required: ['role', 'child'],
    aliases: { role: ROLE, child: ['childagr', 'childrole', 'child', 'singlerole', 'einzelrolle'] },
  },
  agr1251: {
    required: ['role', 'object', 'field', 'low'],
    aliases: {
      role: ROLE,
      object: ['object', 'objct', 'authobject', 'authorizationobject', 'objekt'],
      auth: ['auth', 'authorization', 'berechtigung'],
      field: ['field', 'fieldname', 'feld', 'feldname'],
      low: ['low', 'von', 'value', 'from', 'wert'],
      high: ['high', 'bis', 'to'],
      deleted: ['deleted', 'geloscht', 'geloescht'],
    },
  },
  agrDefine: {
    required: ['role'],
    aliases: { role: ROLE, text: ['text', 'description', 'kurzbeschreibung', 'bezeichnung'], parent: ['parentagr'] },
  },
  usr02: {
    required: ['user'],
    aliases: {
      user: ['bname', 'uname', 'user', 'username', 'benutzer'],
      start: ['gltgv', 'validfrom'],
      end: ['gltgb', 'validto'],
      profile: ['ustyp', 'usertype'],
      name: ['nametextc', 'nametext', 'fullname', 'name'],
    },
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
  },
};

/** A range of values of a field; `*` at the end of a value stands for anything. */
interface Range {
  readonly low: string;
  readonly high: string;
}

/** The authorizations of roles: of one object, the ranges by field. */
interface Authorization {
  readonly object: string;
  readonly fields: Map<string, Range[]>;
}

/** One way to a function: a transaction code, and for each object the values that its fields need. */
interface Way {
  readonly tcode: string;
  /** For each object and field any one of the values. */
  readonly needs: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
}

interface Function {
  readonly id: string;
  readonly name: string;
  readonly ways: readonly Way[];
  readonly at: Position;
}

/**
 * Converts exports of SAP tables to a model. Each function, a transaction code with its authorizations, becomes one entitlement; without
 * functions each transaction code that a role names becomes one. Single and composite roles become roles. What somebody has only
 * by several roles together is assigned directly. Dates of validity become windows.
 */
export async function convertSap(files: SapFiles, conversion: SapConversion): Promise<void> {
  const { writer, faults, system } = conversion;
  const ids = createIds();
  const rowsOf = (file: keyof SapFiles): AsyncIterable<readonly TableRow[]> => {
    const path = files[file];
    if (path === undefined) return noRows();
    return readTable(path, {
      ...conversion,
      columns: COLUMNS[file],
      onProgress: (bytes) => conversion.onProgress(path, bytes),
    });
  };

  const byRole = new Map<string, Map<string, Authorization>>();
  for await (const rows of rowsOf('agr1251'))
    for (const row of rows) {
      if (/^x$/i.test(row.get('deleted'))) continue;
      const role = row.get('role');
      const object = row.get('object');
      const field = row.get('field');
      if (role === '' || object === '' || field === '') {
        faults.add({ at: row.at, text: 'no role, object or field' });
        continue;
      }
      const authorizations = byRole.get(role) ?? new Map<string, Authorization>();
      byRole.set(role, authorizations);
      const key = `${object} ${row.get('auth')}`;
      const authorization = authorizations.get(key) ?? { object, fields: new Map<string, Range[]>() };
      authorizations.set(key, authorization);
      const ranges = authorization.fields.get(field) ?? [];
      ranges.push({ low: row.get('low'), high: row.get('high') });
      authorization.fields.set(field, ranges);
    }
  const functions =
    files.functions === undefined ? tcodesOf(byRole, files.agr1251) : await readFunctions(rowsOf('functions'));
  for (const { id, name, at } of functions)
    await writer.write(
      {
        kind: 'entitlement',
        id: ids.idOf(id),
        name: name || id,
        source: system,
        externalId: ids.idOf(id) === id ? undefined : id,
      },
      at,
    );

  const texts = new Map<string, string>();
  for await (const rows of rowsOf('agrDefine')) for (const row of rows) texts.set(row.get('role'), row.get('text'));
  const children = new Map<string, Set<string>>();
  for await (const rows of rowsOf('agrAgrs'))
    for (const row of rows) {
      const composite = children.get(row.get('role')) ?? new Set();
      composite.add(row.get('child'));
      children.set(row.get('role'), composite);
    }
  const authorizationsOf = (role: string): readonly Authorization[] => [
    ...(byRole.get(role)?.values() ?? []),
    ...[...(children.get(role) ?? [])].flatMap((child) => [...(byRole.get(child)?.values() ?? [])]),
  ];
  const contents = new Map<string, ReadonlySet<string>>();
  const heldIn = (authorizations: readonly Authorization[]) =>
    new Set(functions.filter(({ ways }) => ways.some((way) => grants(authorizations, way))).map(({ id }) => id));
  const contentOf = (role: string): ReadonlySet<string> => {
    const known = contents.get(role) ?? heldIn(authorizationsOf(role));
    contents.set(role, known);
    return known;
  };
  const written = new Set<string>();
  const writeRole = async (role: string, at: Position) => {
    if (written.has(role)) return;
    written.add(role);
    const id = ids.idOf(role);
    const entitlements = [...contentOf(role)].map(ids.idOf).sort();
    await writer.write(
      {
        kind: 'role',
        id,
        name: texts.get(role) || role,
        accessProfiles: [],
        entitlements,
        externalId: id === role ? undefined : role,
      },
      at,
    );
  };
  const start = (path: string): Position => ({ file: path, line: 1, column: 1 });
  for (const role of [...new Set([...byRole.keys(), ...children.keys(), ...texts.keys()])].sort())
    if (role !== '') await writeRole(role, start(files.agr1251));

  const people = new Map<
    string,
    { readonly number: number; readonly name: string; readonly window: Window; readonly at: Position }
  >();
  const addPerson = (user: string, { name, window, at }: { name: string; window: Window; at: Position }) => {
    const person = people.get(user) ?? { number: people.size, name, window, at };
    people.set(user, person);
    return person;
  };
  for await (const rows of rowsOf('usr02'))
    for (const row of rows) {
      const parsed = parseWindow(row.get('start'), row.get('end'));
      if (row.get('user') === '') faults.add({ at: row.at, text: 'no user' });
      else if ('fault' in parsed) faults.add({ at: row.at, text: parsed.fault });
      else addPerson(row.get('user'), { name: row.get('name'), window: parsed.window, at: row.at });
    }
  const assignments = createAssignments();
  const rolesOf = new Map<number, Set<string>>();
  for await (const rows of rowsOf('agrUsers'))
    for (const row of rows) {
      const user = row.get('user');
      const role = row.get('role');
      const parsed = parseWindow(row.get('start'), row.get('end'));
      if (user === '' || role === '') faults.add({ at: row.at, text: 'no user or role' });
      else if ('fault' in parsed) faults.add({ at: row.at, text: parsed.fault });
      else if (files.usr02 !== undefined && !people.has(user))
        faults.add({ at: row.at, text: `USR02 has no user ${user}` });
      else {
        await writeRole(role, row.at);
        const person = addPerson(user, { name: '', window: {}, at: row.at });
        const both = intersect(parsed.window, person.window);
        if (both === null) continue;
        assignments.add(person.number, assignments.refNumber({ type: 'ROLE', id: ids.idOf(role) }), both);
        const held = rolesOf.get(person.number) ?? new Set();
        held.add(role);
        rolesOf.set(person.number, held);
      }
    }
  const together = new Map<string, readonly string[]>();
  for (const { number, window } of people.values()) {
    const held = [...(rolesOf.get(number) ?? [])].sort();
    if (held.length < 2) continue;
    const key = held.join('\n');
    const extra = together.get(key) ?? onlyTogether(held);
    together.set(key, extra);
    for (const id of extra)
      assignments.add(number, assignments.refNumber({ type: 'ENTITLEMENT', id: ids.idOf(id) }), window);
  }
  await writer.write({ kind: 'identityProfile', id: 'sap', name: `Users of ${system}` }, start(files.agrUsers));
  const heldBy = assignments.finish(people.size);
  for (const [user, { number, name, at }] of people) {
    const id = ids.idOf(user);
    const record = {
      kind: 'identity',
      id,
      uid: user,
      identityProfile: 'sap',
      displayName: name || user,
      access: heldBy(number),
    };
    await writer.write({ ...record, externalId: id === user ? undefined : user }, at);
  }
  await writer.end();

  /** The functions that no role of these has by itself. */
  function onlyTogether(roles: readonly string[]): readonly string[] {
    const alone = new Set(roles.flatMap((role) => [...contentOf(role)]));
    return [...heldIn(roles.flatMap(authorizationsOf))].filter((id) => !alone.has(id));
  }

  async function readFunctions(batches: AsyncIterable<readonly TableRow[]>): Promise<readonly Function[]> {
    const found = new Map<
      string,
      { name: string; at: Position; ways: Map<string, Map<string, Map<string, string[]>>> }
    >();
    for await (const rows of batches)
      for (const row of rows) {
        const id = row.get('id');
        const tcode = row.get('tcode');
        if (id === '' || tcode === '') {
          faults.add({ at: row.at, text: 'no function or transaction code' });
          continue;
        }
        const known = found.get(id) ?? { name: '', at: row.at, ways: new Map() };
        found.set(id, known);
        known.name ||= row.get('name');
        const needs = known.ways.get(tcode) ?? new Map<string, Map<string, string[]>>();
        known.ways.set(tcode, needs);
        const object = row.get('object');
        if (object === '') continue;
        const fields = needs.get(object) ?? new Map<string, string[]>();
        needs.set(object, fields);
        fields.set(row.get('field'), [...(fields.get(row.get('field')) ?? []), row.get('value')]);
      }
    return [...found].map(([id, { name, at, ways }]) => ({
      id,
      name,
      at,
      ways: [...ways].map(([tcode, needs]) => ({ tcode, needs })),
    }));
  }
}

/** Without functions: each transaction code that an authorization names by itself. */
function tcodesOf(byRole: ReadonlyMap<string, ReadonlyMap<string, Authorization>>, file: string): readonly Function[] {
  const tcodes = new Set<string>();
  for (const authorizations of byRole.values())
    for (const { object, fields } of authorizations.values())
      if (object === 'S_TCODE')
        for (const { low, high } of fields.get('TCD') ?? [])
          if (high === '' && !low.includes('*') && low !== '') tcodes.add(low);
  return [...tcodes].sort().map((tcode) => ({
    id: tcode,
    name: tcode,
    ways: [{ tcode, needs: new Map() }],
    at: { file, line: 1, column: 1 },
  }));
}

/** Whether authorizations together allow a transaction code and one authorization of each object that it needs. */
function grants(authorizations: readonly Authorization[], { tcode, needs }: Way): boolean {
  const allows = (object: string, fields: ReadonlyMap<string, readonly string[]>) =>
    authorizations.some(
      (each) =>
        each.object === object &&
        [...fields].every(([field, values]) =>
          (each.fields.get(field) ?? []).some((range) => values.some((value) => contains(range, value))),
        ),
    );
  return (
    allows('S_TCODE', new Map([['TCD', [tcode]]])) && [...needs].every(([object, fields]) => allows(object, fields))
  );
}

function contains({ low, high }: Range, value: string): boolean {
  if (value === '' || value === '*') return low !== '';
  if (high !== '') return low <= value && value <= high.replace(/\*$/, '\uffff');
  return low.endsWith('*') ? value.startsWith(low.slice(0, -1)) : low === value;
}

async function* noRows(): AsyncGenerator<readonly TableRow[]> {}
