import { describe, expect, test } from 'vitest';
import { openFiles } from './run-here.ts';

type Files = Readonly<Record<string, string | Buffer>>;

async function convert(format: string, files: Files, map?: string) {
  using folder = openFiles({ ...files, ...(map === undefined ? {} : { 'map.yaml': map }) });
  const mapped = map === undefined ? [] : ['--map', './map.yaml'];
  const paths = Object.keys(files).map((name) => `./${name}`);
  const { code, out, notes } = await folder.run('convert', format, ...paths, ...mapped);
  const records = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const held = Object.fromEntries(
    records
      .filter(({ kind }) => kind === 'identity')
      .map(({ uid, access }) => [
        uid,
        access.map(({ id, end }: Record<string, string>) => (end === undefined ? id : `${id} ${end}`)),
      ]),
  );
  const people = records.filter(({ kind }) => kind === 'identity');
  return { code, held, people, records, notes, uses: usesOf(notes) };
}

const usesOf = (notes: string) =>
  Object.fromEntries(
    notes
      .split('\n')
      .filter((line) => /^(users|groups) {2}/.test(line))
      .map((line) => line.split(/ {2,}/))
      .map(([of, field, use]) => [`${of}.${field}`, use]),
  );

const person = (dn: string, ...lines: readonly string[]) =>
  `${[`dn: ${dn}`, 'objectClass: user', ...lines].join('\n')}\n\n`;

describe('LDIF', () => {
  test('two entries of one name in different trees are a fault of a model, and two accounts of a load', async () => {
    const file = person('uid=jm,ou=a,dc=x', 'uid: jm') + person('uid=jm,ou=b,dc=x', 'uid: JM');
    const { code, notes } = await convert('ldif', { 'd.ldif': file });
    expect([code, notes]).toEqual([
      1,
      expect.stringContaining(
        'd.ldif:5:1: uid=jm,ou=a,dc=x and uid=jm,ou=b,dc=x have the same name JM: one identity has one name\n',
      ),
    ]);
  });

  test.each([
    ['userAccountControl: 514', true],
    ['userAccountControl: 66050', true],
    ['userAccountControl: 512', false],
    ['nsAccountLock: TRUE', true],
    ['nsAccountLock: 1', true],
    ['nsAccountLock: Yes', true],
    ['nsAccountLock: false', false],
    ['loginDisabled: true', true],
    ['loginDisabled: FALSE', false],
    ['pwdAccountLockedTime: 000001010000Z', true],
    ['pwdAccountLockedTime: 20261126115900.123Z', false],
    ['accountExpires: 0', false],
  ])('%s: disabled %s', async (line, disabled) => {
    const { code, people } = await convert('ldif', { 'd.ldif': person('cn=a,dc=x', 'uid: a', line) });
    expect([code, people[0]?.attributes?.disabled === 'true']).toEqual([0, disabled]);
  });

  test.each([
    ['userAccountControl: NORMAL_ACCOUNT, ACCOUNTDISABLE', 'is no number'],
    ['userAccountControl: xyz', 'is no number'],
    ['nsAccountLock: maybe', 'is neither true nor false'],
    // Its syntax is Boolean, which has two values.
    ['loginDisabled: yes', 'is neither TRUE nor FALSE'],
    ['pwdAccountLockedTime: locked', 'is no time'],
    ['accountExpires: -1', 'ends before 1970'],
    ['accountExpires: 2026-12-31', 'is no moment'],
    ['shadowExpire: -2', 'ends before 1970'],
  ])('%s is a fault: %s', async (line, told) => {
    const file = { 'd.ldif': person('cn=a,dc=x', 'uid: a', line) };
    const { code, notes } = await convert('ldif', file);
    expect([code, notes]).toEqual([1, expect.stringContaining(`d.ldif:1:1: ${line} ${told}`)]);
    const [field] = line.split(':');
    const { people } = await convert('ldif', file, `ignore: [${field}]\n`);
    expect(people).toMatchObject([{ uid: 'a' }]);
  });

  test('a mapping says what states mean that are not those of the schema', async () => {
    const file =
      person('cn=a,dc=x', 'uid: a', 'loginDisabled: yes') + person('cn=b,dc=x', 'uid: b', 'loginDisabled: no');
    const { people } = await convert('ldif', { 'd.ldif': file }, 'disabled: loginDisabled\n');
    expect(people.map(({ attributes }) => attributes?.disabled)).toEqual(['true', undefined]);
  });

  const found = (...lines: readonly string[]) => `${person('cn=a,dc=x', 'uid: a')}${lines.join('\n')}\n`;

  test('a search that the server has ended early is a fault, and one that succeeded is none', async () => {
    const { code, notes } = await convert('ldif', {
      'd.ldif': found('# search result', 'search: 2', 'result: 4 Size limit exceeded', '', '# numResponses: 2'),
    });
    expect([code, notes]).toEqual([
      1,
      expect.stringContaining(
        'd.ldif:6:1: the search ended with the result 4 Size limit exceeded: the file does not have all entries\n',
      ),
    ]);
    const whole = `# extended LDIF\n#\n# LDAPv3\n\nversion: 1\n\n${found(
      '# search result',
      'search: 2',
      'result: 0 Success',
      'control: 1.2.840.113556.1.4.319 false MAUCAQAEAA==',
      'pagedresults: cookie=',
      '',
      '# numResponses: 2',
      '# numEntries: 1',
    )}`;
    const full = await convert('ldif', { 'd.ldif': whole });
    expect([full.code, full.people.length, full.notes]).toEqual([0, 1, expect.not.stringContaining('d.ldif:')]);
    const paged = whole.replace('cookie=', 'cookie=AQAAAA==');
    expect((await convert('ldif', { 'd.ldif': paged })).notes).toContain(
      'd.ldif:12:1: the search has another page, which the file does not have\n',
    );
    const pages = paged + whole.slice(whole.indexOf('dn:')).replaceAll('a,dc=x', 'b,dc=x').replace('uid: a', 'uid: b');
    const both = await convert('ldif', { 'd.ldif': pages });
    expect([both.code, both.people.length]).toEqual([0, 2]);
  });

  test('references to other servers are named', async () => {
    const { code, notes } = await convert('ldif', {
      'd.ldif': found(
        '# search reference',
        'ref: ldap://one.example.org/dc=one,dc=x??sub',
        '',
        '# refldap://DomainDnsZones.x/DC=DomainDnsZones,DC=x',
        '',
        'search: 2',
        'result: 0 Success',
      ),
    });
    expect([code, notes]).toEqual([
      0,
      expect.stringContaining(
        '2 references to other servers are not followed, and the files do not have what is there: ldap://one.example.org/dc=one,dc=x??sub, ldap://DomainDnsZones.x/DC=DomainDnsZones,DC=x\n',
      ),
    ]);
  });

  test('lines that belong to no entry are a fault', async () => {
    const { code, notes } = await convert('ldif', {
      'd.ldif': found('memberOf: cn=g,dc=x', 'userAccountControl: 514'),
    });
    expect([code, notes]).toEqual([
      1,
      expect.stringContaining(
        'd.ldif:5:1: lines of no entry, since no dn is before them: memberof, useraccountcontrol; a blank line ends an entry\n',
      ),
    ]);
  });

  test('a dn within an entry is a fault', async () => {
    const { code, notes } = await convert('ldif', { 'd.ldif': person('cn=a,dc=x', 'uid: a', 'dn: cn=b,dc=x') });
    expect([code, notes]).toEqual([
      1,
      expect.stringContaining('d.ldif:4:1: a dn within the entry cn=a,dc=x: a blank line ends an entry\n'),
    ]);
  });

  test('attributes that companies give a meaning of their own are not taken for those of the directory', async () => {
    const { code, notes } = await convert('ldif', {
      'd.ldif': person(
        'cn=a,dc=x',
        'uid: a',
        'msExchExtensionAttribute16: 31.12.2026',
        'msDS-cloudExtensionAttribute3: 31.12.2026',
        'msExchWhenMailboxCreated: 20260101120000.0Z',
        'entryDate: 20260101120000Z',
        'entryCSN: 20260101120000.000000Z#000000#000#000000',
      ),
    });
    expect([code, notes.match(/^d\.ldif:1:1: \S+ seems to hold dates/gm)]).toEqual([
      1,
      ['msexchextensionattribute16', 'msds-cloudextensionattribute3', 'entrydate'].map(
        (field) => `d.ldif:1:1: ${field} seems to hold dates`,
      ),
    ]);
  });

  test('an account that expires holds its groups until then', async () => {
    const entry = (value: string) =>
      person('cn=a,dc=x', 'uid: a', 'memberOf: CN=payers,DC=x', `accountExpires: ${value}`);
    const held = async (value: string) => (await convert('ldif', { 'd.ldif': entry(value) })).held['a'];
    expect(await held('133801632000000000')).toEqual(['payers 2025-01-01T00:00:00.000Z']);
    expect(await held('9223372036854775807')).toEqual(['payers']);
  });

  test('groups that people name are groups where the file has none, and faults where it has some', async () => {
    const user = person('cn=a,dc=x', 'uid: a', 'memberOf: CN=Pay\\, all,OU=g,DC=x');
    const { held, records, notes } = await convert('ldif', { 'd.ldif': user });
    expect([held['a'], records[0].name]).toEqual([[expect.stringMatching(/^Pay-all-/)], 'Pay, all']);
    expect(notes).toContain('there are no groups in the files');
    expect(notes).toContain(
      '1 entitlement is named and not described: an import replaces what the service has of it by its name alone\n',
    );
    const group = 'dn: cn=g,dc=x\nobjectClass: group\ncn: g\n\n';
    expect((await convert('ldif', { 'd.ldif': user + group })).notes).toContain(
      'd.ldif:1:1: there is no group CN=Pay\\, all,OU=g,DC=x',
    );
  });

  test('members of other domains, and computers, are told and no faults', async () => {
    const group = `dn: cn=g,dc=x
objectClass: group
cn: g
member: CN=S-1-5-21-1-2-3-1104,CN=ForeignSecurityPrincipals,DC=x
member: cn=pc,dc=x
member: cn=a,dc=x

dn: cn=pc,dc=x
objectClass: user
objectClass: computer
cn: pc

`;
    const { code, held, notes } = await convert('ldif', { 'd.ldif': group + person('cn=a,dc=x', 'uid: a') });
    expect([code, held]).toEqual([0, { a: ['g'] }]);
    expect(notes).toContain(
      '1 member is left out, as neither people nor groups of these files: foreignsecurityprincipal, such as CN=S-1-5-21-1-2-3-1104',
    );
    expect(notes).toContain(
      '1 member is left out, as neither people nor groups of these files: computer, such as cn=pc,dc=x',
    );
  });

  test('entries that are neither people nor groups are counted, also those that are no members', async () => {
    const pc = 'dn: cn=pc,dc=x\nobjectClass: user\nobjectClass: computer\ncn: pc\n\n';
    const unit = 'dn: ou=a,dc=x\nobjectClass: organizationalUnit\n\n';
    const { notes } = await convert('ldif', { 'd.ldif': unit + pc + person('cn=a,dc=x', 'uid: a') });
    expect(notes).toContain(
      '2 entries are left out, as neither people nor groups: organizationalunit (1), computer (1)\n',
    );
  });

  test('of fields that may be the name, those that are it are told', async () => {
    const one = person('cn=a,dc=x', 'cn: A', 'uid: a', 'sAMAccountName: AA');
    const uses = async (text: string) => (await convert('ldif', { 'd.ldif': text })).uses;
    expect(await uses(one)).toMatchObject({
      'users.uid': 'uid',
      'users.cn': 'displayName',
      'users.samaccountname': 'not used',
    });
    expect(await uses(one + person('cn=b,dc=x', 'cn: B', 'sAMAccountName: B'))).toMatchObject({
      'users.uid': 'uid',
      'users.samaccountname': 'uid',
    });
  });

  test('a field that a mapping names both as a known one and as an attribute is both', async () => {
    const map = 'users: {uid: employeeNumber, attributes: {number: employeeNumber}}\n';
    const { people, uses } = await convert('ldif', { 'd.ldif': person('cn=a,dc=x', 'employeeNumber: 7') }, map);
    expect(people).toMatchObject([{ uid: '7', attributes: { number: '7' } }]);
    expect(uses['users.employeenumber']).toBe('uid, attribute number');
  });

  test('a part of the values of an attribute is a fault', async () => {
    const group = (...ranges: readonly string[]) =>
      `dn: cn=g,dc=x\nobjectClass: group\ncn: g\n${ranges.map((range) => `member;range=${range}: cn=a,dc=x\n`).join('')}\n`;
    const entry = person('cn=a,dc=x', 'uid: a');
    expect((await convert('ldif', { 'd.ldif': group('0-1499') + entry })).notes).toContain(
      'd.ldif:4:1: member;range=0-1499: the values after these are missing',
    );
    expect((await convert('ldif', { 'd.ldif': group('0-1499', '1500-*') + entry })).code).toBe(0);
  });

  test('groups of one name get the ids of their distinguished names, in any order', async () => {
    const group = (ou: string) => `dn: cn=g,ou=${ou},dc=x\nobjectClass: group\ncn: g\n\n`;
    const ids = async (file: string) =>
      (await convert('ldif', { 'd.ldif': file })).records
        .filter(({ kind }) => kind === 'entitlement')
        .map(({ id }) => id)
        .toSorted();
    const one = await ids(group('a') + group('b'));
    expect(one).toEqual([expect.stringMatching(/^cn-g-ou-a/), expect.stringMatching(/^cn-g-ou-b/)]);
    expect(await ids(group('b') + group('a'))).toEqual(one);
  });

  test('fields are used, attributes, told, or faults where they seem to hold dates', async () => {
    const entry = person(
      'cn=a,dc=x',
      'uid: a',
      'department: IT',
      'whenCreated: 20260101120000.0Z',
      'extensionAttribute1: x',
      'contractEnd: 20261231000000Z',
    );
    const refused = await convert('ldif', { 'd.ldif': entry });
    expect([refused.code, refused.notes]).toEqual([
      1,
      expect.stringContaining('d.ldif:1:1: contractend seems to hold dates, and is not recognised'),
    ]);
    const { people, uses } = await convert(
      'ldif',
      { 'd.ldif': entry },
      'attributes: {cost: extensionAttribute1}\nignore: [contractEnd]\n',
    );
    expect(people[0].attributes).toEqual({ department: 'IT', cost: 'x' });
    expect(uses).toMatchObject({
      'users.uid': 'uid',
      'users.department': 'attribute department',
      'users.whencreated': 'not used',
      'users.extensionattribute1': 'attribute cost',
      'users.contractend': 'ignored',
    });
  });

  test('people who are in a group through another one are told', async () => {
    const inner = 'dn: cn=inner,dc=x\nobjectClass: group\ncn: inner\nmember: cn=a,dc=x\n\n';
    const outer = 'dn: cn=outer,dc=x\nobjectClass: group\ncn: outer\nmember: cn=inner,dc=x\nmember: cn=b,dc=x\n\n';
    const people = person('cn=a,dc=x', 'uid: ada') + person('cn=b,dc=x', 'uid: bob');
    const { held, notes } = await convert('ldif', { 'd.ldif': inner + outer + people });
    expect(held).toEqual({ ada: ['inner', 'outer'], bob: ['outer'] });
    expect(notes).toContain(
      '1 person is in a group through another group, such as ada in outer: where a remedy names such a group, remove the person from the group inside it\n',
    );
    const flat = await convert('ldif', { 'd.ldif': inner + people });
    expect(flat.notes).not.toContain('through another group');
  });

  test('50,000 groups, in a chain and side by side, are read in linear time', async () => {
    const milliseconds = async (count: number) => {
      const groups = Array.from(
        { length: count },
        (_, number) =>
          `dn: cn=g${number},dc=x\nobjectClass: group\ncn: g${number}\nmember: cn=a,dc=x\nmember: cn=g${number + 1},dc=x\n\n`,
      );
      const file = `${groups.join('')}dn: cn=g${count},dc=x\nobjectClass: group\ncn: g${count}\n\n${person('cn=a,dc=x', 'uid: a')}`;
      const begin = performance.now();
      const { notes } = await convert('ldif', { 'd.ldif': file });
      expect(notes).toContain(count < 10_000 ? 'records' : 'is in more than 10,000 groups');
      return performance.now() - begin;
    };
    const small = await milliseconds(5_000);
    expect(await milliseconds(50_000)).toBeLessThan(Math.max(1000, small) * 25);
  }, 60_000);

  test('is read in UTF-16', async () => {
    const file = Buffer.from(`\ufeff${person('cn=Jörg,dc=x', 'uid: j', 'cn: Jörg')}`, 'utf16le');
    expect((await convert('ldif', { 'd.ldif': file })).people[0].displayName).toBe('Jörg');
  });
});

const user = (id: string, extra = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  id,
  userName: `n-${id}`,
  ...extra,
});
const list = (resources: readonly object[], totalResults = resources.length) =>
  JSON.stringify({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults,
    startIndex: 1,
    Resources: resources,
  });

test('LDIF that is cut off within a line, and values that are no Base64, are faults', async () => {
  using folder = openFiles({
    'd.ldif': 'dn: uid=a,ou=x\nobjectClass: person\nuid: a\ncn:: SsO2\nsn:: SsO\nmemberOf: cn=Pa',
  });
  const { code, notes } = await folder.run('convert', 'ldif', './d.ldif');
  expect([code, notes.match(/^d\.ldif:.*$/gm)]).toEqual([
    1,
    [
      'd.ldif:5:1: sn: is no Base64',
      'd.ldif:6:1: the file ends within a line, and seems to be cut off: each line of LDIF ends with a line feed',
    ],
  ]);
});

describe('SCIM', () => {
  test('a list that is shorter than its total is a fault, unless the other pages are there', async () => {
    const page = list([user('1')], 2);
    const { code, notes } = await convert('scim', { 'a.json': page });
    expect([code, notes]).toEqual([
      1,
      expect.stringContaining('a.json:1:1: totalResults is 2, and there is 1 user: the other pages are missing\n'),
    ]);
    expect((await convert('scim', { 'a.json': page, 'b.json': list([user('2')], 2) })).code).toBe(0);
    // Pages one after another in one file.
    expect((await convert('scim', { 'a.json': `${page}\n${list([user('2')], 2)}` })).code).toBe(0);
    const empty = await convert('scim', { 'a.json': JSON.stringify({ totalResults: 7, Resources: [] }) });
    expect(empty.notes).toContain('totalResults is 7, and there are 0 resources');
  });

  test('a group without members is no person, and what is neither is named', async () => {
    const { code, records } = await convert('scim', {
      'a.json': JSON.stringify([{ id: 'g', displayName: 'Empty' }, user('1')]),
    });
    expect([code, records.map(({ kind }) => kind)]).toEqual([0, ['entitlement', 'identityProfile', 'identity']]);
    const { notes } = await convert('scim', {
      'a.json': JSON.stringify([{ schemas: ['urn:x:Device'], id: 'd', displayName: 'Printer' }]),
    });
    expect(notes).toContain('a.json:1:1: d is neither a user nor a group: it has schemas, id, displayName');
  });

  test('members are named by ids alone, and groups by users', async () => {
    const group = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      id: 'g',
      displayName: 'G',
      members: ['1'],
    };
    const member = user('2', {
      groups: [
        { value: 'g', display: 'G' },
        { value: 'h', display: 'H' },
      ],
    });
    expect((await convert('scim', { 'a.json': list([group, user('1'), member]) })).held).toEqual({
      'n-1': ['g'],
      'n-2': ['g', 'h'],
    });
  });

  test('says who is not active, and takes addresses of work', async () => {
    const { people } = await convert('scim', {
      'a.json': list([
        user('1', {
          active: false,
          emails: [
            { value: 'p@x', primary: true },
            { value: 'w@x', type: 'work' },
          ],
        }),
      ]),
    });
    expect([people[0].attributes, people[0].email]).toEqual([{ disabled: 'true' }, 'w@x']);
  });

  test('roles and entitlements of a user, and dates of extensions, are faults until they are mapped or ignored', async () => {
    const given = {
      'a.json': list([
        user('1', { roles: [{ value: 'admin' }], 'urn:x:2.0:User': { validTo: '2026-12-31' }, nickName: 'x' }),
      ]),
    };
    const { code, notes, uses } = await convert('scim', given);
    expect([code, notes]).toEqual([1, expect.stringContaining('roles seems to hold access, and is not recognised')]);
    expect(notes).toContain('urn:x:2.0:User.validTo seems to hold dates');
    expect(uses['users.nickName']).toBe('not used');
    const mapped = await convert('scim', given, 'access: roles\nend: urn:x:2.0:User.validTo\n');
    expect(mapped.held).toEqual({ 'n-1': ['admin 2027-01-01T00:00:00.000Z'] });
  });

  test('answers of Graph and users of Okta are named', async () => {
    expect((await convert('scim', { 'a.json': '{"@odata.context":"u","value":[]}' })).notes).toContain(
      'is not scim but an answer of Microsoft Graph (Entra): --from graph reads it',
    );
    expect(
      (await convert('scim', { 'a.json': '[{"id":"1","status":"ACTIVE","profile":{"login":"a"}}]' })).notes,
    ).toContain('is not scim but users or groups of Okta: --from okta reads it');
  });

  test('text that is no JSON is named', async () => {
    expect((await convert('scim', { 'a.json': '{"Resources": [{"id": 1,}]}' })).notes).toMatch(
      /a\.json:1:\d+: not JSON/,
    );
    expect((await convert('scim', { 'a.json': `${JSON.stringify(user('1'))} oops` })).notes).toContain(
      'a.json:1:1: not JSON',
    );
  });
});

describe('Graph', () => {
  const graph = (of: string, value: readonly object[], extra = {}) =>
    JSON.stringify({ '@odata.context': `https://graph.microsoft.com/v1.0/$metadata#${of}`, ...extra, value });
  const ada = {
    id: 'a',
    userPrincipalName: 'ada@x',
    displayName: 'Ada',
    givenName: 'Ada',
    surname: 'L',
    mail: 'ada@x',
    accountEnabled: true,
    businessPhones: ['1'],
  };

  test('takes users and groups, and members by ids alone or with types', async () => {
    const { held, people, uses } = await convert('graph', {
      'users.json': graph('users', [
        ada,
        { ...ada, id: 'b', userPrincipalName: 'bob@x', accountEnabled: false, createdDateTime: '2026-01-01T00:00:00Z' },
      ]),
      'groups.json': graph('groups(id,displayName)', [
        {
          id: 'g',
          displayName: 'Payers',
          members: [
            { '@odata.type': '#microsoft.graph.user', id: 'a' },
            'b',
            { '@odata.type': '#microsoft.graph.device', id: 'd' },
          ],
        },
        { id: 'h', displayName: 'All', members: [{ id: 'g' }] },
      ]),
    });
    expect(held).toEqual({ 'ada@x': ['g', 'h'], 'bob@x': ['g', 'h'] });
    expect(people.map(({ attributes }) => attributes?.disabled)).toEqual([undefined, 'true']);
    expect(people[0]).toMatchObject({ firstname: 'Ada', lastname: 'L', email: 'ada@x', workPhone: '1' });
    expect(uses).toMatchObject({
      'users.createdDateTime': 'not used',
      'users.accountEnabled': 'enabled',
      'groups.members': 'members',
    });
  });

  test('a list that goes on is a fault, and so are members that go on or are missing', async () => {
    const next = { '@odata.nextLink': 'https://graph.microsoft.com/v1.0/users?$skiptoken=x' };
    const paged = await convert('graph', { 'a.json': graph('users', [ada], next) });
    expect([paged.code, paged.notes]).toEqual([
      1,
      expect.stringContaining('a.json:1:1: the list goes on (@odata.nextLink)'),
    ]);
    const last = JSON.stringify({ value: [ada], ...next });
    expect((await convert('graph', { 'a.json': last })).notes).toContain('the list goes on (@odata.nextLink)');
    const members = { id: 'g', displayName: 'G', members: ['a', 'z'], 'members@odata.nextLink': 'x' };
    const { notes } = await convert('graph', { 'a.json': graph('users', [ada]), 'g.json': graph('groups', [members]) });
    expect(notes).toContain('g.json:1:1: g: members@odata.nextLink: there are more members than the file has');
    expect(notes).toContain('g.json:1:1: there is no person or group z');
  });

  test('as many members as $expand shows are a fault', async () => {
    const users = Array.from({ length: 20 }, (_, id) => ({ ...ada, id: `u${id}`, userPrincipalName: `u${id}@x` }));
    const group = { id: 'g', displayName: 'G', members: users.map(({ id }) => ({ id })) };
    const given = (of: string) => ({ 'a.json': graph('users', users), 'g.json': graph(of, [group]) });
    const { code, notes } = await convert('graph', given('groups(id,members())'));
    expect([code, notes]).toEqual([
      1,
      expect.stringContaining('g.json:1:1: g: has 20 members, and $expand shows no more'),
    ]);
    expect((await convert('graph', given('groups'))).code).toBe(0);
  });

  test('groups and roles of the directory that a user names are held', async () => {
    const admin = { '@odata.type': '#microsoft.graph.directoryRole', id: 'r', displayName: 'Global Administrator' };
    const { held, records } = await convert('graph', { 'a.json': graph('users', [{ ...ada, memberOf: [admin] }]) });
    expect([held, records[0].name]).toEqual([{ 'ada@x': ['r'] }, 'Global Administrator']);
  });

  test('assignments of roles of applications, and the date of leaving, are faults until they are named', async () => {
    const { notes } = await convert('graph', {
      'a.json': graph('users', [
        { ...ada, employeeLeaveDateTime: '2026-12-31T00:00:00Z', appRoleAssignments: [{ id: 'x' }] },
      ]),
    });
    expect(notes).toContain('appRoleAssignments seems to hold access');
    expect(notes).toContain('employeeLeaveDateTime seems to hold dates');
  });

  test('fields of the directory are named, and those that companies give a meaning are not among them', async () => {
    const given = {
      'a.json': graph('users', [
        {
          ...ada,
          onPremisesLastSyncDateTime: '2026-11-01T00:00:00Z',
          onPremisesProvisioningErrors: [],
          onPremisesExtensionAttributes: { extensionAttribute1: '31.12.2026', extensionAttribute2: 'Berlin' },
          identityExpiry: '2026-12-31',
          externalUserStateChangeDateTime: '2026-11-01T00:00:00Z',
          passwordProfile: { forceChangePasswordNextSignIn: false },
        },
      ]),
    };
    const { code, notes, uses } = await convert('graph', given);
    expect([code, notes.match(/\S+ seems to hold \w+/g)]).toEqual([
      1,
      ['onPremisesExtensionAttributes.extensionAttribute1 seems to hold dates', 'identityExpiry seems to hold dates'],
    ]);
    expect(uses).toMatchObject({
      'users.onPremisesLastSyncDateTime': 'not used',
      'users.onPremisesExtensionAttributes.extensionAttribute2': 'not used',
    });
    const map = 'end: onPremisesExtensionAttributes.extensionAttribute1\nignore: [identityExpiry]\n';
    expect((await convert('graph', given, map)).code).toBe(0);
  });

  test('what a delta has removed is a fault and no person', async () => {
    const { code, notes } = await convert('graph', {
      'a.json': graph('users', [ada, { id: 'u2', '@removed': { reason: 'changed' } }]),
    });
    expect([code, notes]).toEqual([
      1,
      expect.stringContaining(
        'a.json:1:1: u2: is removed (@removed), as answers of a delta say: ask for the whole list\n',
      ),
    ]);
    const members = { id: 'g', displayName: 'G', 'members@delta': [{ id: 'a' }] };
    const delta = await convert('graph', { 'a.json': graph('users', [ada]), 'g.json': graph('groups', [members]) });
    expect([delta.code, delta.notes]).toEqual([
      1,
      expect.stringContaining('g.json:1:1: g: members@delta: changes of members: ask for the whole list\n'),
    ]);
  });

  test('a list that is shorter than its count is a fault, unless the other pages are there', async () => {
    const first = graph('users', [ada], { '@odata.count': 2 });
    const { code, notes } = await convert('graph', { 'a.json': first });
    expect([code, notes]).toEqual([
      1,
      expect.stringContaining('a.json:1:1: @odata.count is 2, and there is 1 user: the other pages are missing\n'),
    ]);
    const second = graph('users', [{ ...ada, id: 'b', userPrincipalName: 'bob@x' }]);
    expect((await convert('graph', { 'a.json': first, 'b.json': second })).code).toBe(0);
    const device = { '@odata.type': '#microsoft.graph.device', id: 'd' };
    expect((await convert('graph', { 'a.json': graph('users', [ada, device], { '@odata.count': 2 }) })).code).toBe(0);
    const group = { id: 'g', displayName: 'G', members: ['a'], 'members@odata.count': 2 };
    const counted = await convert('graph', { 'a.json': graph('users', [ada]), 'g.json': graph('groups', [group]) });
    expect(counted.notes).toContain('g.json:1:1: g: members@odata.count is 2, and the file has 1\n');
  });

  test('is read as PowerShell writes it', async () => {
    const file = Buffer.from(`\ufeff${graph('users', [{ ...ada, displayName: 'Jörg' }])}`, 'utf16le');
    expect((await convert('graph', { 'a.json': file })).people[0].displayName).toBe('Jörg');
  });
});

describe('Okta', () => {
  const okta = {
    id: '1',
    status: 'ACTIVE',
    created: '2026-01-01T00:00:00.000Z',
    profile: { login: 'ada@x', firstName: 'Ada', lastName: 'L', email: 'ada@x', department: 'IT' },
  };

  test.each([
    ['STAGED', true],
    ['PROVISIONED', false],
    ['ACTIVE', false],
    ['PASSWORD_EXPIRED', false],
    ['LOCKED_OUT', false],
    ['RECOVERY', false],
    ['SUSPENDED', true],
    ['DEPROVISIONED', true],
  ])('%s: disabled %s', async (status, disabled) => {
    const { code, people } = await convert('okta', { 'a.json': JSON.stringify([{ ...okta, status }]) });
    expect([code, people[0].attributes.disabled === 'true']).toEqual([0, disabled]);
  });

  test('a status that Okta has not is a fault, until a mapping says what it means', async () => {
    const file = { 'a.json': JSON.stringify([{ ...okta, status: 'WEIRD' }]) };
    const { code, notes } = await convert('okta', file);
    expect([code, notes]).toEqual([
      1,
      expect.stringContaining('a.json:1:1: status: WEIRD is none of ACTIVE, DEPROVISIONED, LOCKED_OUT, '),
    ]);
    const { people } = await convert('okta', file, 'status: status\nvalues: {status: {WEIRD: disabled}}\n');
    expect(people[0].attributes.disabled).toBe('true');
  });

  test('dates of groups, and of fields that begin as known ones, are faults', async () => {
    const { code, notes, uses } = await convert('okta', {
      'a.json': JSON.stringify([
        { ...okta, profile: { ...okta.profile, managerId: '7', stateExpiry: '2026-12-31' } },
        {
          id: 'g',
          type: 'APP_GROUP',
          profile: { name: 'Payers', groupType: 'Security', samAccountName: 'P', validTo: '2026-12-31' },
          source: { id: '0oa' },
        },
      ]),
    });
    expect([code, notes.match(/\S+ seems to hold \w+/g)]).toEqual([
      1,
      ['profile.stateExpiry seems to hold dates', 'profile.validTo seems to hold dates'],
    ]);
    expect(uses).toMatchObject({ 'users.profile.managerId': 'not used', 'groups.profile.groupType': 'not used' });
  });

  test('says where no group has a member', async () => {
    const files = {
      'users.json': JSON.stringify([okta]),
      'groups.json': JSON.stringify([{ id: 'g', type: 'OKTA_GROUP', profile: { name: 'Payers' } }]),
    };
    const { code, notes } = await convert('okta', files);
    expect([code, notes]).toEqual([0, expect.stringContaining('no group has a member in these files')]);
  });

  test('keeps names, and takes groups with their users', async () => {
    const { people, held } = await convert('okta', {
      'users.json': JSON.stringify([
        okta,
        { ...okta, id: '2', status: 'DEPROVISIONED', profile: { ...okta.profile, login: 'bob@x' } },
      ]),
      'groups.json': JSON.stringify([
        { id: 'g', type: 'OKTA_GROUP', profile: { name: 'Payers', description: null }, users: [{ id: '1' }, '2'] },
      ]),
    });
    expect(people[0]).toMatchObject({
      uid: 'ada@x',
      displayName: 'Ada L',
      firstname: 'Ada',
      lastname: 'L',
      email: 'ada@x',
      attributes: { department: 'IT', status: 'ACTIVE' },
    });
    expect(people[1].attributes).toMatchObject({ status: 'DEPROVISIONED', disabled: 'true' });
    expect(held).toEqual({ 'ada@x': ['g'], 'bob@x': ['g'] });
  });
});
