import { readDecoded } from '../files/read-decoded.ts';
import type { Position } from '../output/problem.ts';
import type { Window } from './assignments.ts';
import type { Conversion } from './conversion.ts';
import {
  attributesNamed,
  convertDirectory,
  type Dialect,
  type DirectoryEntry,
  directoryTables,
  type EntryRef,
} from './directory.ts';
import { expectFormat } from './kinds.ts';
import type { Faults } from './report.ts';
import { words } from './vocabulary.ts';

/** An entry of a directory. */
export interface LdifEntry {
  readonly dn: string;
  /** The values of each attribute, by its name in lower case without options. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  readonly at: Position;
}

const PEOPLE = new Set(['person', 'organizationalperson', 'inetorgperson', 'user', 'posixaccount', 'account']);
const GROUPS = new Set(['group', 'groupofnames', 'groupofuniquenames', 'posixgroup', 'groupofurls', 'groupofmembers']);
/** Classes of accounts that are no people, although they are derived from those of people. */
const OTHERS = [
  'computer',
  'msds-groupmanagedserviceaccount',
  'msds-managedserviceaccount',
  'foreignsecurityprincipal',
  'contact',
];

const MEMBERS = ['member', 'uniquemember', 'memberuid'];
/** What directories keep of their own entries. */
const TECHNICAL = words(`
      objectclass objectcategory objectguid objectsid sidhistory instancetype usnc dscore dn cn name
      distinguishedname whencreated whenchanged createtimestamp modifytimestamp creatorsname modifiersname
      entry structuralobjectclass hassubordinates subschemasubentry ds- nsuniqueid pwd badp badpwd lastlog
      logoncount logonhours lockouttime codepage countrycode admincount userpassword unicodepwd ms-ds msds-
      msexch mstsproperty lmpwd ntpwd dbcspwd supplementalcredentials primarygroupid samaccounttype grouptype
      iscriticalsystemobject showinadvanced showinaddressbook systemflags managedobjects directreports
      thumbnailphoto jpegphoto usercertificate usersmimecertificate serviceprincipalname proxyaddresses
      uidnumber gidnumber homedirectory loginshell gecos shadowlastchange shadowmin shadowmax shadowwarning
      shadowinactive shadowflag changetype version userparameters homedrive scriptpath profilepath
    `);

const DIALECT: Dialect = {
  users: {
    known: {
      uid: ['uid', 'samaccountname', 'userprincipalname', 'cn'],
      displayName: ['displayname', 'cn'],
      firstname: ['givenname'],
      lastname: ['sn'],
      email: ['mail'],
      workPhone: ['telephonenumber'],
      externalId: ['dn'],
    },
    attributes: {
      ...attributesNamed('department', 'departmentnumber', 'ou', 'title', 'employeetype', 'l', 'company', 'o'),
      employeeid: 'employeeId',
      employeenumber: 'employeeNumber',
    },
    told: {
      memberof: 'memberOf',
      useraccountcontrol: 'disabled',
      nsaccountlock: 'disabled',
      logindisabled: 'disabled',
      pwdaccountlockedtime: 'disabled',
      accountexpires: 'end',
      shadowexpire: 'end',
    },
    unused: TECHNICAL,
  },
  groups: {
    known: { name: ['cn', 'name', 'samaccountname'], displayName: ['displayname', 'cn', 'name'], externalId: ['dn'] },
    told: { ...Object.fromEntries(MEMBERS.map((name) => [name, 'members'])), memberof: 'memberOf' },
    unused: [...TECHNICAL, 'description', 'managedby', 'mail'],
  },
  profile: { id: 'directory', name: 'Directory' },
  modelId: 'uid',
  nickname: ({ fields }) => fields.get('uid')?.[0] ?? fields.get('samaccountname')?.[0] ?? null,
  disabled: ({ fields }) => {
    const control = Number(fields.get('useraccountcontrol')?.[0] ?? 0);
    const isTrue = (name: string) => /^true$/i.test(fields.get(name)?.[0] ?? '');
    // A lock of the year 0 is one without an end.
    const isLocked = /^00000101\d*Z$/.test(fields.get('pwdaccountlockedtime')?.[0] ?? '');
    return (control & 2) !== 0 || isTrue('nsaccountlock') || isTrue('logindisabled') || isLocked;
  },
  window: ({ fields }) => {
    const filetime = fields.get('accountexpires')?.[0];
    const days = fields.get('shadowexpire')?.[0];
    if (filetime !== undefined && !NEVER.test(filetime))
      return endAt(Number(filetime) / 10_000 - 11_644_473_600_000, `accountExpires: ${filetime}`);
    if (days !== undefined && !/^(-1|0)?$/.test(days)) return endAt(Number(days) * 86_400_000, `shadowExpire: ${days}`);
    return {};
  },
};

const NEVER = /^(0?|9223372036854775807)$/;

function endAt(ms: number, text: string): Window | { readonly fault: string } {
  const end = new Date(ms);
  return Number.isNaN(end.getTime()) ? { fault: `${text} is no moment` } : { end: end.toISOString() };
}

/** The names that a mapping may use. */
export const LDIF_TABLES = directoryTables(DIALECT);

/** Converts LDIF exports of a directory. */
export async function convertLdif(files: readonly string[], conversion: Conversion): Promise<void> {
  const entries = async function* (faults: Faults): AsyncGenerator<DirectoryEntry> {
    for (const file of files) {
      const { encoding } = expectFormat(file, 'ldif');
      const onProgress = (bytes: number) => conversion.onProgress(file, bytes);
      for await (const entry of readLdif(file, { encoding, faults, signal: conversion.signal, onProgress }))
        yield directoryEntry(entry);
    }
  };
  await convertDirectory(entries, DIALECT, conversion);
}

function directoryEntry({ dn, attributes, at }: LdifEntry): DirectoryEntry {
  const classes = (attributes.get('objectclass') ?? []).map((name) => name.toLowerCase());
  const other = OTHERS.find((name) => classes.includes(name));
  const isGroup = classes.some((name) => GROUPS.has(name));
  const isPerson = classes.some((name) => PEOPLE.has(name));
  return {
    kind: other !== undefined ? 'other' : isGroup ? 'group' : isPerson ? 'user' : 'other',
    other: other ?? classes.at(-1),
    key: normalDn(dn),
    id: dn,
    fields: attributes,
    members: MEMBERS.flatMap((name) => (attributes.get(name) ?? []).map(refOf)),
    memberOf: (attributes.get('memberof') ?? []).map(refOf),
    at,
  };
}

function refOf(text: string): EntryRef {
  const key = normalDn(text);
  // A person of another domain is known by a security identifier alone.
  const isForeign = key.startsWith('cn=s-1-') && key.includes(',cn=foreignsecurityprincipals,');
  const [, rdn = text] = /^[^=]+=((?:\\.|[^,\\])*)/.exec(text) ?? [];
  const label = rdn.replaceAll(/\\(.)/g, '$1').trim();
  return { key, text, label, ...(isForeign ? { other: 'foreignsecurityprincipal' } : {}) };
}

/** A distinguished name without what does not distinguish: case, and spaces around separators. */
const normalDn = (dn: string): string => dn.toLowerCase().replaceAll(/[^,=+]+/g, (part) => part.trim());

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

interface LdifReading {
  readonly encoding: string;
  readonly faults: Faults;
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
}

/**
 * Reads the entries of an LDIF file (RFC 2849): folded lines, Base64 values and comments. Lines that are none of these, values
 * by URL and changes become faults.
 */
async function* readLdif(path: string, { faults, ...reading }: LdifReading): AsyncGenerator<LdifEntry> {
  let attributes = new Map<string, string[]>();
  let begin = 1;
  let folded: { text: string; line: number } | null = null;
  // Values of which Active Directory has given a part, by attribute.
  const parts = new Map<string, { readonly text: string; readonly at: Position }>();
  const end = (): LdifEntry | null => {
    for (const { text, at } of parts.values()) faults.add({ at, text: `${text}: the values after these are missing` });
    parts.clear();
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
      /^([A-Za-z][\w.;=*-]*|\d[\d.]*(?:;[\w-]+)*):([:<]?)[ ]*(.*)$/s.exec(text) ?? [];
    if (name === '') return faults.add({ at, text: 'neither an attribute with its value nor a comment' });
    if (mark === '<') return faults.add({ at, text: `${name}: values by URL are not read` });
    const [plain = ''] = name.toLowerCase().split(';');
    if (/;range=\d+-\d+$/i.test(name)) parts.set(plain, { text: name, at });
    else if (/;range=\d+-\*$/i.test(name)) parts.delete(plain);
    if (plain === 'changetype' && value !== 'add')
      return faults.add({ at, text: 'a change of an entry: export entries instead' });
    if (plain === 'dn') begin = line;
    if (mark === ':' && !BASE64.test(value.trimEnd())) return faults.add({ at, text: `${name}: is no Base64` });
    const values = attributes.get(plain) ?? [];
    values.push(mark === ':' ? Buffer.from(value, 'base64').toString('utf8') : value.trimEnd());
    attributes.set(plain, values);
  };
  let rest = '';
  let number = 0;
  for await (const piece of readDecoded(path, reading)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* takeLines(lines);
  }
  yield* takeLines([rest]);
  take();
  if (rest !== '')
    faults.add({
      at: { file: path, line: number, column: 1 },
      text: 'the file ends within a line, and seems to be cut off: each line of LDIF ends with a line feed',
    });
  const last = end();
  if (last !== null) yield last;

  function* takeLines(lines: readonly string[]): Generator<LdifEntry> {
    for (const ended of lines) {
      const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended;
      number++;
      const pending = folded as { text: string; line: number } | null;
      if (line.startsWith(' ') && pending !== null) {
        pending.text += line.slice(1);
        continue;
      }
      take();
      if (line !== '') {
        folded = { text: line, line: number };
        continue;
      }
      const entry = end();
      if (entry !== null) yield entry;
    }
  }
}
