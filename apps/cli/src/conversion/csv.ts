import type { AccessType } from '@access-admin/domain';
import type { Position } from '../output/problem.ts';
import { createAssignments } from './assignments.ts';
import { parseWindow } from './dates.ts';
import { createIds } from './ids.ts';
import { readTable, type TableColumns, type TableReading, type TableRow } from './read-table.ts';
import { attributeName, type ModelWriter } from './write-model.ts';

/** The files of `convert csv`. */
export interface CsvFiles {
  readonly users: string;
  readonly entitlements: string;
  readonly assignments: string;
  readonly roles?: string | undefined;
}

/** Headings that the user has mapped, by file and known name. */
export type CsvMapping = Readonly<Partial<Record<keyof CsvFiles, Readonly<Record<string, string>>>>>;

/** What a conversion of CSV needs. */
export interface CsvConversion extends Omit<TableReading, 'columns' | 'onProgress'> {
  readonly mapping: CsvMapping;
  readonly writer: ModelWriter;
  readonly onProgress: (file: string, bytes: number) => void;
}

const USER = [
  'userid',
  'identityid',
  'personid',
  'employeeid',
  'employeenumber',
  'accountid',
  'user',
  'identity',
  'username',
  'login',
  'account',
  'uid',
  'person',
  'employee',
  'personalnummer',
  'benutzer',
  'benutzername',
  'kennung',
];
const ACCESS = [
  'entitlementid',
  'accessid',
  'permissionid',
  'groupid',
  'roleid',
  'entitlement',
  'access',
  'permission',
  'group',
  'right',
  'privilege',
  'role',
  'entitlementname',
  'berechtigung',
  'recht',
  'rolle',
  'gruppe',
];

/** The headings that each file may have. */
export const CSV_COLUMNS: Readonly<Record<keyof CsvFiles, TableColumns>> = {
  users: {
    required: ['id'],
    aliases: {
      id: ['id', ...USER],
      uid: [
        'uid',
        'login',
        'loginname',
        'username',
        'samaccountname',
        'userprincipalname',
        'account',
        'accountname',
        'benutzername',
        'anmeldename',
      ],
      displayName: ['displayname', 'fullname', 'name', 'commonname', 'cn', 'anzeigename', 'vollername'],
      firstname: ['firstname', 'givenname', 'forename', 'vorname'],
      lastname: ['lastname', 'surname', 'familyname', 'sn', 'nachname'],
      email: ['email', 'mail', 'emailaddress', 'mailaddress'],
      workPhone: ['workphone', 'phone', 'telephone', 'telephonenumber', 'telefon'],
      identityProfile: ['identityprofile', 'profile', 'usertype', 'employeetype', 'persontype'],
    },
  },
  entitlements: {
    required: ['id'],
    aliases: {
      id: ['id', ...ACCESS, 'name'],
      name: ['name', 'displayname', 'entitlementname', 'title', 'text', 'description', 'bezeichnung', 'beschreibung'],
      source: ['source', 'application', 'app', 'system', 'applicationname', 'sourcename', 'anwendung', 'quelle'],
    },
  },
  assignments: {
    required: ['user', 'access'],
    aliases: {
      user: [...USER, 'id'],
      access: ACCESS,
      type: ['type', 'accesstype', 'kind', 'art'],
      start: ['start', 'validfrom', 'from', 'startdate', 'begin', 'gueltigab', 'gultigab', 'von'],
      end: ['end', 'validto', 'validuntil', 'to', 'until', 'enddate', 'expires', 'gueltigbis', 'gultigbis', 'bis'],
    },
  },
  roles: {
    required: ['id', 'access'],
    aliases: {
      id: ['roleid', 'role', 'id', 'rolle'],
      name: ['rolename', 'name', 'title', 'description', 'bezeichnung'],
      access: [
        'entitlementid',
        'entitlement',
        'accessid',
        'permissionid',
        'access',
        'permission',
        'right',
        'privilege',
        'berechtigung',
        'recht',
      ],
    },
  },
};

const DEFAULT_PROFILE = { id: 'default', name: 'Default' };

/**
 * Converts tables of people, entitlements, roles and assignments to a model. The table of people is read twice, so that only ids and
 * assignments are in memory. Ids that the service does not accept are made from the names; columns that are not known become attributes.
 */
export async function convertCsv(files: CsvFiles, conversion: CsvConversion): Promise<void> {
  const { writer, faults } = conversion;
  const ids = createIds();
  const rowsOf = (file: keyof CsvFiles, path: string, rowFaults = faults) =>
    readTable(path, {
      ...conversion,
      faults: rowFaults,
      columns: {
        ...CSV_COLUMNS[file],
        ...(conversion.mapping[file] === undefined ? {} : { mapped: conversion.mapping[file] }),
      },
      onProgress: (bytes) => conversion.onProgress(path, bytes),
    });
  /** The id of a record, or null, and then its row is a fault. */
  const idOf = (row: TableRow, column: string): string | null => {
    const name = row.get(column);
    if (name !== '') return ids.idOf(name);
    faults.add({ at: row.at, text: `no ${column}` });
    return null;
  };
  const external = (id: string, name: string) => (id === name ? undefined : name);

  const entitlements = new Set<string>();
  for await (const rows of rowsOf('entitlements', files.entitlements))
    for (const row of rows) {
      const id = idOf(row, 'id');
      if (id === null) continue;
      if (entitlements.has(id)) {
        faults.add({ at: row.at, text: `the entitlement ${row.get('id')} is repeated` });
        continue;
      }
      const source = row.get('source') || null;
      const record = { kind: 'entitlement', id, name: row.get('name') || row.get('id'), source };
      const extras = { externalId: external(id, row.get('id')), attributes: attributesOf(row) };
      // An assignment of an entitlement that the model lacks is a fault.
      if (await writer.write({ ...record, ...extras }, row.at)) entitlements.add(id);
    }

  const roles = new Map<string, { name: string; external: string; entitlements: Set<string>; at: Position }>();
  if (files.roles !== undefined)
    for await (const rows of rowsOf('roles', files.roles))
      for (const row of rows) {
        const id = idOf(row, 'id');
        const entitlement = idOf(row, 'access');
        if (id === null || entitlement === null) continue;
        if (!entitlements.has(entitlement)) {
          faults.add({ at: row.at, text: `there is no entitlement ${row.get('access')}` });
          continue;
        }
        const role = roles.get(id) ?? { name: '', external: row.get('id'), entitlements: new Set(), at: row.at };
        role.name ||= row.get('name');
        role.entitlements.add(entitlement);
        roles.set(id, role);
      }
  for (const [id, role] of roles) {
    const record = {
      kind: 'role',
      id,
      name: role.name || role.external,
      accessProfiles: [],
      entitlements: [...role.entitlements],
    };
    await writer.write({ ...record, externalId: external(id, role.external) }, role.at);
  }

  const people = new Map<string, number>();
  const profiles = new Map<string, { name: string; at: Position }>();
  for await (const rows of rowsOf('users', files.users))
    for (const row of rows) {
      const id = idOf(row, 'id');
      if (id === null) continue;
      if (people.has(id)) {
        faults.add({ at: row.at, text: `the user ${row.get('id')} is repeated` });
        continue;
      }
      people.set(id, people.size);
      const profile = row.get('identityProfile') || DEFAULT_PROFILE.name;
      const profileId = profileIdOf(row, ids.idOf);
      if (!profiles.has(profileId)) profiles.set(profileId, { name: profile, at: row.at });
    }
  for (const [id, { name, at }] of profiles) await writer.write({ kind: 'identityProfile', id, name }, at);

  const assignments = createAssignments();
  for await (const rows of rowsOf('assignments', files.assignments))
    for (const row of rows) {
      const user = idOf(row, 'user');
      const access = idOf(row, 'access');
      if (user === null || access === null) continue;
      const person = people.get(user);
      const type = typeOf(row.get('type'), access);
      const parsed = parseWindow(row.get('start'), row.get('end'));
      if (person === undefined) faults.add({ at: row.at, text: `there is no user ${row.get('user')}` });
      else if (type === null)
        faults.add({
          at: row.at,
          text: `there is no entitlement${files.roles === undefined ? '' : ' or role'} ${row.get('access')}`,
        });
      else if ('fault' in parsed) faults.add({ at: row.at, text: parsed.fault });
      else assignments.add(person, assignments.refNumber({ type, id: access }), parsed.window);
    }

  const heldBy = assignments.finish(people.size);
  const seen = new Set<number>();
  // What is wrong with the table was named when it was read for the first time.
  for await (const rows of rowsOf('users', files.users, { add: () => {}, count: 0 }))
    for (const row of rows) {
      const name = row.get('id');
      const id = name === '' ? null : ids.idOf(name);
      const person = id === null ? undefined : people.get(id);
      if (id === null || person === undefined || seen.has(person)) continue;
      seen.add(person);
      const given = Object.fromEntries(
        (['firstname', 'lastname', 'email', 'workPhone'] as const).flatMap((field) => {
          const value = row.get(field);
          return value === '' ? [] : [[field, value]];
        }),
      );
      const full = [row.get('firstname'), row.get('lastname')].filter((part) => part !== '').join(' ');
      const record = {
        kind: 'identity',
        id,
        uid: row.get('uid') || name,
        identityProfile: profileIdOf(row, ids.idOf),
        displayName: row.get('displayName') || full || row.get('uid') || name,
        ...given,
        access: heldBy(person),
      };
      await writer.write({ ...record, externalId: external(id, name), attributes: attributesOf(row) }, row.at);
    }
  await writer.end();

  function typeOf(stated: string, id: string): AccessType | null {
    const wanted = /role|rolle/i.test(stated) ? 'ROLE' : stated === '' ? null : 'ENTITLEMENT';
    if (wanted !== 'ROLE' && entitlements.has(id)) return 'ENTITLEMENT';
    return wanted !== 'ENTITLEMENT' && roles.has(id) ? 'ROLE' : null;
  }
}

const profileIdOf = (row: TableRow, idOf: (name: string) => string): string => {
  const profile = row.get('identityProfile');
  return profile === '' ? DEFAULT_PROFILE.id : idOf(profile);
};

const attributesOf = (row: TableRow): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(row.others()).map(([heading, value]) => [attributeName(heading), value]));
