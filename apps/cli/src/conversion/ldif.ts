import { readDecoded } from '../files/read-decoded.ts';
import { counted, shortened } from '../output/counted.ts';
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
      objectclass objectcategory objectguid objectsid sidhistory instancetype usncreated usnchanged
      dscorepropagationdata dn cn name distinguishedname whencreated whenchanged createtimestamp
      modifytimestamp creatorsname modifiersname entryuuid entrycsn entrydn entryid entryusn entryttl
      structuralobjectclass hassubordinates subschemasubentry ds-create-time ds-update-time
      ds-entry-unique-id ds-sync-hist nsuniqueid pwdlastset pwdchangedtime pwdhistory pwdfailuretime
      pwdgraceusetime pwdreset pwdpolicysubentry pwdlastsuccess pwdaccounttmplockoutend badpwdcount
      badpasswordtime lastlogon lastlogoff lastlogontimestamp logoncount logonhours lockouttime codepage
      countrycode admincount userpassword unicodepwd ms-ds-* msds-* msexch* mstsproperty01 mstsproperty02
      lmpwdhistory ntpwdhistory dbcspwd supplementalcredentials primarygroupid samaccounttype grouptype
      iscriticalsystemobject showinadvancedviewonly showinaddressbook systemflags managedobjects directreports
      thumbnailphoto jpegphoto usercertificate usersmimecertificate serviceprincipalname proxyaddresses
      uidnumber gidnumber homedirectory loginshell gecos shadowlastchange shadowmin shadowmax shadowwarning
      shadowinactive shadowflag changetype version userparameters homedrive scriptpath profilepath
    `);

const INTEGER = /^-?\d+$/;
const GENERALIZED_TIME = /^\d{10}(?:\d{2}){0,2}(?:[.,]\d+)?(?:Z|[+-]\d{2}(?:\d{2})?)$/i;

/** What says that an account is disabled: null for a value that the schema of the attribute does not have. */
interface State {
  readonly name: string;
  readonly disables: (value: string) => boolean | null;
  /** What is wrong with another value. */
  readonly otherwise: string;
}

/** A value of the syntax Boolean. */
const BOOLEAN: Pick<State, 'disables' | 'otherwise'> = {
  disables: (value) => (/^true$/i.test(value) ? true : /^false$/i.test(value) ? false : null),
  otherwise: 'is neither TRUE nor FALSE',
};

const STATES: readonly State[] = [
  {
    name: 'userAccountControl',
    disables: (value) => (INTEGER.test(value) ? (Number(value) & 2) !== 0 : null),
    otherwise: 'is no number',
  },
  // Its syntax is text.
  {
    name: 'nsAccountLock',
    disables: (value) => (/^(true|yes|1)$/i.test(value) ? true : /^(false|no|0)$/i.test(value) ? false : null),
    otherwise: 'is neither true nor false',
  },
  { name: 'loginDisabled', ...BOOLEAN },
  { name: 'ds-pwp-account-disabled', ...BOOLEAN },
  {
    name: 'pwdAccountLockedTime',
    // A lock of the year 0 is one without an end.
    disables: (value) => (GENERALIZED_TIME.test(value) ? value.startsWith('00000101') : null),
    otherwise: 'is no time',
  },
];

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
      ...Object.fromEntries(STATES.map(({ name }) => [name.toLowerCase(), 'disabled'])),
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
  disabled: (valuesOf) => {
    let disabled = false;
    for (const { name, disables, otherwise } of STATES)
      for (const value of valuesOf(name.toLowerCase())) {
        if (value === '') continue;
        const found = disables(value);
        if (found === null)
          return {
            fault: `${name}: ${value} ${otherwise}; in a mapping, \`disabled: ${name}\` with \`values\` says what it means, or \`ignore\` leaves it out`,
          };
        disabled ||= found;
      }
    return { disabled };
  },
  window: (valuesOf) => {
    const [filetime = ''] = valuesOf('accountexpires');
    const [days = ''] = valuesOf('shadowexpire');
    if (!NEVER.test(filetime))
      return endAt(integerOf(filetime) / 10_000 - 11_644_473_600_000, `accountExpires: ${filetime}`);
    if (!/^(-1|0)?$/.test(days)) return endAt(integerOf(days) * 86_400_000, `shadowExpire: ${days}`);
    return {};
  },
};

const NEVER = /^(0?|9223372036854775807)$/;

const integerOf = (text: string): number => (INTEGER.test(text) ? Number(text) : Number.NaN);

function endAt(ms: number, text: string): Window | { readonly fault: string } {
  const end = new Date(ms);
  if (Number.isNaN(end.getTime())) return { fault: `${text} is no moment` };
  // As of other dates: no access of today has ended before.
  return ms < 0
    ? { fault: `${text} ends before 1970; in a mapping, \`ignore\` leaves it out` }
    : { end: end.toISOString() };
}

/** The names that a mapping may use. */
export const LDIF_TABLES = directoryTables(DIALECT);

/** Converts LDIF exports of a directory. */
export async function convertLdif(files: readonly string[], conversion: Conversion): Promise<void> {
  const elsewhere: string[] = [];
  let references = 0;
  const entries = async function* (faults: Faults): AsyncGenerator<DirectoryEntry> {
    for (const file of files) {
      const { encoding } = expectFormat(file, 'ldif');
      const onProgress = (bytes: number) => conversion.onProgress(file, bytes);
      const onReference = (url: string) => {
        // Files are read more than once, and their faults are told once.
        if (faults !== conversion.faults) return;
        references++;
        if (elsewhere.length < 10) elsewhere.push(url);
      };
      const reading = { encoding, faults, signal: conversion.signal, onProgress, onReference };
      for await (const entry of readLdif(file, reading)) yield directoryEntry(entry);
    }
  };
  await convertDirectory(entries, DIALECT, conversion);
  if (references > 0)
    conversion.onNote(
      `${counted(references, 'reference to another server is', 'references to other servers are')} not followed, and the files do not have what is there: ${shortened(elsewhere, references)}`,
    );
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
  /** Takes what a search has found on other servers. */
  readonly onReference: (url: string) => void;
}

/** A reference as ldapsearch writes it into a comment, also without a separator. */
const REFERENCE = /^#\s*ref(?::\s*)?(ldaps?:\/\/\S+)/i;

/**
 * Reads the entries of an LDIF file (RFC 2849): folded lines, Base64 values and comments, and the result of the search, as
 * ldapsearch writes it. Lines that are none of these, values by URL and changes become faults.
 */
async function* readLdif(path: string, { faults, onReference, ...reading }: LdifReading): AsyncGenerator<LdifEntry> {
  let attributes = new Map<string, string[]>();
  let begin = 1;
  // Whether a line of the block has made it none.
  let isBroken = false;
  // The result of a search that has another page.
  let unfinished: Position | null = null;
  let folded: { text: string; line: number } | null = null;
  // Values of which Active Directory has given a part, by attribute.
  const parts = new Map<string, { readonly text: string; readonly at: Position }>();
  const end = (): LdifEntry | null => {
    for (const { text, at } of parts.values()) faults.add({ at, text: `${text}: the values after these are missing` });
    parts.clear();
    const block = attributes;
    const isEntry = !isBroken;
    attributes = new Map();
    isBroken = false;
    if (block.size === 0) return null;
    const at = { file: path, line: begin, column: 1 };
    const [dn] = block.get('dn') ?? [];
    if (dn !== undefined) return isEntry ? { dn, attributes: block, at } : null;
    const names = [...block.keys()];
    const [result] = block.get('result') ?? [];
    for (const url of block.get('ref') ?? []) onReference(url);
    if (result !== undefined) {
      const hasMore = (block.get('pagedresults') ?? []).some((page) => /\bcookie=\S/.test(page));
      unfinished = hasMore ? at : null;
      if (!/^0\b/.test(result))
        faults.add({ at, text: `the search ended with the result ${result}: the file does not have all entries` });
    } else if (names.some((name) => name !== 'ref'))
      faults.add({
        at,
        text: `lines of no entry, since no dn is before them: ${shortened(names)}; a blank line ends an entry`,
      });
    return null;
  };
  const take = () => {
    if (folded === null) return;
    const { text, line } = folded;
    folded = null;
    const [, url] = REFERENCE.exec(text) ?? [];
    if (url !== undefined) return onReference(url);
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
    if (attributes.size === 0) begin = line;
    const [other] = (plain === 'dn' ? attributes.get('dn') : undefined) ?? [];
    if (other !== undefined) {
      isBroken = true;
      return faults.add({ at, text: `a dn within the entry ${other}: a blank line ends an entry` });
    }
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
  const page = unfinished as Position | null;
  if (page !== null) faults.add({ at: page, text: 'the search has another page, which the file does not have' });

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
