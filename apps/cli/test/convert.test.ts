import { parseImportLines } from '@access-admin/contract';
import { describe, expect, test } from 'vitest';
import { createIds } from '../src/conversion/ids.ts';
import { attributeName } from '../src/conversion/read-table.ts';
import { openFiles } from './run-here.ts';

const recordsOf = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
/** The records by kind, without what the service does not keep in this version. */
const byKind = (out: string, kind: string) => recordsOf(out).filter((record) => record.kind === kind);

const isImportable = async (out: string) => (await parseImportLines(out, async () => {})).ok;

describe('convert csv', () => {
  const FILES = {
    'users.csv':
      '\ufeffPersonnel no.;Full name;E-mail;Department\r\nA 1;"Müller; Jörg";j@example.org;Einkauf & Co\r\n"B,2";Ånn O.;a@example.org;IT\r\n',
    'entitlements.csv': 'Entitlement,Name,Application\nPay invoice,Pay,ERP\n"Créer, fournisseur",Vendor,ERP\n',
    'assignments.csv':
      'user\taccess\tvalid from\tvalid to\nA 1\tPay invoice\t\t\nA 1\tCréer, fournisseur\t01.02.2026\t20270131\nB,2\tPay invoice\t\t\nB,2\tPay invoice\t\t\n',
    'map.yaml': 'users: {id: Personnel no.}\n',
  };
  const ARGS = [
    'convert',
    'csv',
    '--users',
    './users.csv',
    '--entitlements',
    './entitlements.csv',
    '--assignments',
    './assignments.csv',
  ];

  test('takes delimiters, marks, headings and ids as they come', async () => {
    using folder = openFiles(FILES);
    const { code, out, notes } = await folder.run(...ARGS, '--map', './map.yaml');
    expect([code, notes.split('\n').at(-2)]).toEqual([0, '5 records']);
    expect(await isImportable(out)).toBe(true);
    const [ada, bob] = byKind(out, 'identity');
    expect(ada).toMatchObject({
      id: expect.stringMatching(/^A-1-[a-z0-9]{8}$/),
      uid: 'A 1',
      displayName: 'Müller; Jörg',
      email: 'j@example.org',
      access: [
        { type: 'ENTITLEMENT', id: expect.stringMatching(/^Pay-invoice-/) },
        {
          type: 'ENTITLEMENT',
          id: expect.stringMatching(/^Creer-fournisseur-/),
          start: '2026-02-01T00:00:00.000Z',
          end: '2027-02-01T00:00:00.000Z',
        },
      ],
    });
    expect(bob.access).toHaveLength(1);
  });

  test('says what a heading lacks, and how to name it', async () => {
    using folder = openFiles(FILES);
    const { code, notes } = await folder.run(...ARGS);
    expect([code, notes]).toEqual([
      1,
      'users.csv:1:1: no column for id (also id, userid, identityid, personid, employeeid, employeenumber); there are Personnel no., Full name, E-mail, Department. A mapping (--map) names them.\n',
    ]);
  });

  test('names every bad line once, and writes a file only without any', async () => {
    using folder = openFiles({
      ...FILES,
      'users.csv': 'id,name\nu1,One\nu1,Again\nshort\n,Nobody\n',
      'assignments.csv':
        'user,access,start\nu1,Pay invoice,2026-02-31\nnobody,Pay invoice,\nu1,nothing,\nu1,Pay invoice,\n',
    });
    const refused = await folder.run(...ARGS, '-o', './m.ndjson');
    expect([
      refused.code,
      refused.notes
        .split('\n')
        .filter((line) => /:\d+:\d+: |cannot be/.test(line))
        .toSorted(),
    ]).toEqual([
      1,
      [
        '6 lines cannot be converted: m.ndjson was not written (--skip-faults writes the others)',
        'assignments.csv:2:1: not a date: 2026-02-31; a date is 2026-01-31, 20260131 or 31.01.2026',
        'assignments.csv:3:1: there is no user nobody',
        'assignments.csv:4:1: there is no entitlement nothing',
        'users.csv:3:1: the user u1 is repeated',
        'users.csv:4:1: 1 fields, the heading has 2',
        'users.csv:5:1: no id',
      ],
    ]);
    expect((await folder.run('scan', '--local', './m.ndjson', './r')).code).toBe(1);
    const rest = await folder.run(...ARGS, '--skip-faults');
    expect([rest.code, byKind(rest.out, 'identity')[0].access.length]).toEqual([0, 1]);
  });

  test('a text that is longer than the service takes is a fault with its place, and is cut only where asked', async () => {
    const long = 'd'.repeat(254) + '😀'.repeat(3);
    // Of 256 characters, and more code units.
    const taken = long.slice(0, -2);
    using folder = openFiles({
      'users.csv': 'id,name\nu-1,Ada\n',
      'entitlements.csv': `id,name,Description\ne-1,One,${long}\ne-2,${long},short\ne-3,Three,${taken}\n`,
      'assignments.csv': 'user,entitlement\nu-1,e-1\nu-1,e-2\nu-1,e-3\n',
    });
    const refused = await folder.run(...ARGS);
    expect([refused.code, refused.notes.split('\n').slice(0, 4)]).toEqual([
      1,
      [
        'entitlements.csv:2:1: attributes.description: must have at most 256 characters',
        'entitlements.csv:3:1: name: must have at most 256 characters',
        // An assignment of an entitlement that the model lacks is a fault.
        'assignments.csv:2:1: there is no entitlement e-1',
        'assignments.csv:3:1: there is no entitlement e-2',
      ],
    ]);
    const cut = await folder.run(...ARGS, '--truncate');
    expect([cut.code, cut.notes.split('\n').slice(0, 2)]).toEqual([
      0,
      [
        'entitlements.csv:2:1: attributes.description: 257 characters are cut to 256',
        'entitlements.csv:3:1: name: 257 characters are cut to 256',
      ],
    ]);
    const [first, second, third] = byKind(cut.out, 'entitlement');
    expect(first.attributes.description).toBe(`${'d'.repeat(254)}😀…`);
    expect(second.name).toBe(`${'d'.repeat(254)}😀…`);
    expect(third.attributes.description).toBe(taken);
  });

  test('a prefix is before all ids of the catalogue, and of nothing else', async () => {
    using folder = openFiles({
      'users.csv': 'id\nj\n',
      'entitlements.csv': 'id\ne-1\n"Pay; all"\n',
      'roles.csv': 'role;entitlement\nr-1;e-1\n',
      'assignments.csv': 'login;access;start\nj;r-1;01.02.2026\nj;"Pay; all";\n',
    });
    const { code, out, notes } = await folder.run(...ARGS, '--roles', './roles.csv', '--prefix', 'erp:');
    expect([code, notes.split('\n').at(-2)]).toEqual([0, '5 records']);
    const [one, pay] = byKind(out, 'entitlement');
    expect([one, pay]).toEqual([
      expect.objectContaining({ id: 'erp:e-1', externalId: 'e-1', name: 'e-1' }),
      expect.objectContaining({ id: expect.stringMatching(/^erp:Pay-all-\w{8}$/), externalId: 'Pay; all' }),
    ]);
    expect(byKind(out, 'role')).toMatchObject([{ id: 'erp:r-1', entitlements: ['erp:e-1'], externalId: 'r-1' }]);
    expect(byKind(out, 'identity')).toMatchObject([
      {
        id: 'j',
        identityProfile: 'default',
        access: [
          { type: 'ROLE', id: 'erp:r-1', start: '2026-02-01T00:00:00.000Z' },
          { type: 'ENTITLEMENT', id: pay.id },
        ],
      },
    ]);
    expect((await folder.run(...ARGS, '--prefix', 'a b')).code).toBe(2);
  });

  test('reads Latin-1, and roles of entitlements', async () => {
    using folder = openFiles({
      'users.csv': Buffer.from('login;name\nj;Jörg\n', 'latin1'),
      'entitlements.csv': 'id\ne-1\ne-2\n',
      'roles.csv': 'role,role name,entitlement\nr-1,Buyer,e-1\nr-1,,e-2\n',
      'assignments.csv': 'login,role\nj,r-1\n',
    });
    const { code, out } = await folder.run(
      'convert',
      'csv',
      '--users',
      './users.csv',
      '--entitlements',
      './entitlements.csv',
      '--assignments',
      './assignments.csv',
      '--roles',
      './roles.csv',
    );
    expect(code).toBe(0);
    expect(byKind(out, 'role')).toEqual([
      { kind: 'role', id: 'r-1', name: 'Buyer', accessProfiles: [], entitlements: ['e-1', 'e-2'] },
    ]);
    expect(byKind(out, 'identity')).toMatchObject([
      { id: 'j', displayName: 'Jörg', access: [{ type: 'ROLE', id: 'r-1' }] },
    ]);
  });
});

test('convert sap makes an entitlement of each function, also of roles together, and windows of dates', async () => {
  using folder = openFiles({
    'agr_users.txt':
      'AGR_NAME\tUNAME\tFROM_DAT\tTO_DAT\nZ_PAY\tADA\t20260101\t99991231\nZ_AUTH\tADA\t20260101\t99991231\nZ_ALL\tBOB\t01.01.2026\t31.12.2026\n',
    'agr_1251.txt':
      'AGR_NAME\tOBJECT\tAUTH\tFIELD\tLOW\tHIGH\tDELETED\nZ_PAY\tS_TCODE\tT1\tTCD\tF110\t\t\nZ_AUTH\tF_REGU_BUK\tT2\tFBTCH\t02\t25\t\nZ_ALL\tS_TCODE\tT3\tTCD\tF*\t\t\nZ_ALL\tF_REGU_BUK\tT4\tFBTCH\t*\t\t\nZ_ALL\tS_TCODE\tT5\tTCD\tXK01\t\tX\n',
    'agr_define.txt': 'AGR_NAME\tTEXT\nZ_PAY\tPayments\n',
    'functions.csv':
      'function,name,tcode,object,field,value\nPAYRUN,Payment run,F110,F_REGU_BUK,FBTCH,21\nVENDOR,Vendors,XK01,,,\n',
  });
  const { code, out } = await folder.run(
    'convert',
    'sap',
    '--agr-users',
    './agr_users.txt',
    '--agr-1251',
    './agr_1251.txt',
    '--agr-define',
    './agr_define.txt',
    '--functions',
    './functions.csv',
  );
  expect(code).toBe(0);
  expect(await isImportable(out)).toBe(true);
  expect(byKind(out, 'entitlement').map(({ id }) => id)).toEqual(['PAYRUN', 'VENDOR']);
  expect(byKind(out, 'role').map(({ id, name, entitlements }) => [id, name, entitlements])).toEqual([
    ['Z_ALL', 'Z_ALL', ['PAYRUN']],
    ['Z_AUTH', 'Z_AUTH', []],
    ['Z_PAY', 'Payments', []],
  ]);
  expect(byKind(out, 'identity').map(({ id, access }) => [id, access])).toEqual([
    [
      'ADA',
      [
        { type: 'ROLE', id: 'Z_PAY', start: '2026-01-01T00:00:00.000Z' },
        { type: 'ROLE', id: 'Z_AUTH', start: '2026-01-01T00:00:00.000Z' },
        { type: 'ENTITLEMENT', id: 'PAYRUN', start: '2026-01-01T00:00:00.000Z' },
      ],
    ],
    ['BOB', [{ type: 'ROLE', id: 'Z_ALL', start: '2026-01-01T00:00:00.000Z', end: '2027-01-01T00:00:00.000Z' }]],
  ]);
});

test('convert ldif takes names with spaces around separators, and any number of them in a name', async () => {
  const spaces = ' '.repeat(200_000);
  using folder = openFiles({
    'd.ldif': `dn: cn=a,dc=x\nobjectClass: person\ncn: a\n\ndn: cn=g,dc=x\nobjectClass: groupOfNames\ncn: g\nmember: CN = A ,  DC=X\nmember: cn=a${spaces}b,dc=x\n`,
  });
  const { out, notes } = await folder.run('convert', 'ldif', './d.ldif', '--skip-faults');
  expect(out).toContain('"access":[{"type":"ENTITLEMENT","id":"g"}]');
  expect(notes).toContain(`d.ldif:5:1: there is no person or group cn=a${spaces}b,dc=x\n`);
});

test('convert ldif takes folded and encoded lines, and groups in groups', async () => {
  using folder = openFiles({
    'd.ldif': `version: 1
# people
dn: uid=ada,ou=people,dc=example,dc=org
objectClass: inetOrgPerson
uid: ada
cn:: QWRhIEzDs3Zl
sn: Love
mail: ada@exam
 ple.org

dn: uid=bob,ou=people,dc=example,dc=org
objectClass: inetOrgPerson
uid: bob
cn: Bob

dn: cn=payers,ou=groups,dc=example,dc=org
objectClass: groupOfNames
cn: payers
member: UID=ada, ou=people,dc=example,dc=org
member: cn=missing,dc=example,dc=org

dn: cn=finance,ou=groups,dc=example,dc=org
objectClass: groupOfNames
cn: finance
member: cn=payers,ou=groups,dc=example,dc=org
member: uid=bob,ou=people,dc=example,dc=org
`,
  });
  const { code, out, notes } = await folder.run('convert', 'ldif', './d.ldif', '--skip-faults');
  expect([code, notes]).toEqual([
    0,
    expect.stringContaining('d.ldif:16:1: there is no person or group cn=missing,dc=example,dc=org\n'),
  ]);
  expect(byKind(out, 'identity')).toMatchObject([
    { id: 'ada', displayName: 'Ada Lóve', email: 'ada@example.org', access: [{ id: 'payers' }, { id: 'finance' }] },
    { id: 'bob', access: [{ id: 'finance' }] },
  ]);
});

const USER = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  id: 'u-1',
  userName: 'ada',
  displayName: 'Ada "L" [x]',
  emails: [{ value: 'a@example.org' }],
};
const GROUP = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
  id: 'g-1',
  displayName: 'Payers',
  members: [{ value: 'u-1' }],
};

test.each([
  [
    'list responses',
    JSON.stringify(
      { schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'], totalResults: 2, Resources: [GROUP, USER] },
      null,
      2,
    ),
  ],
  ['arrays', JSON.stringify([USER, GROUP])],
  ['one resource a line', `${JSON.stringify(GROUP)}\n${JSON.stringify(USER)}\n`],
])('convert scim takes %s', async (_, text) => {
  using folder = openFiles({ 's.json': text, 'cut.json': text.slice(0, -9) });
  const { code, out } = await folder.run('convert', 'scim', './s.json');
  expect(code).toBe(0);
  expect(byKind(out, 'entitlement')).toMatchObject([{ id: 'g-1', name: 'Payers' }]);
  expect(byKind(out, 'identity')).toMatchObject([
    { id: 'u-1', uid: 'ada', displayName: 'Ada "L" [x]', access: [{ type: 'ENTITLEMENT', id: 'g-1' }] },
  ]);
  expect((await folder.run('convert', 'scim', './cut.json')).notes).toContain('the file ends within a value');
});

const CONFIGURATION = {
  version: 1,
  timestamp: '2026-11-01T00:00:00.000Z',
  tenant: 'example',
  options: { excludeTypes: [], includeTypes: ['ROLE', 'ACCESS_PROFILE', 'SOD_POLICY', 'TRANSFORM'] },
  objects: [
    { version: 1, self: { type: 'TRANSFORM', id: 't-1', name: 'Upper' }, object: { id: 't-1', name: 'Upper' } },
    {
      version: 1,
      self: { type: 'ROLE', id: 'r-1', name: 'Clerk' },
      object: { id: 'r-1', name: 'Clerk', accessProfiles: [{ type: 'ACCESS_PROFILE', id: 'ap-1', name: 'Paying' }] },
    },
    {
      version: 1,
      self: { type: 'SOD_POLICY', id: 'p-1', name: 'Vendors' },
      object: {
        id: 'p-1',
        name: 'Vendors',
        type: 'CONFLICTING_ACCESS_BASED',
        state: 'NOT_ENFORCED',
        ownerRef: { type: 'IDENTITY', id: 'nobody', name: 'No Body' },
        conflictingAccessCriteria: {
          leftCriteria: { name: 'Pay', criteriaList: [{ type: 'ENTITLEMENT', id: 'e-pay', name: 'Pay' }] },
          rightCriteria: { name: 'Create', criteriaList: [{ type: 'ENTITLEMENT', id: 'e-new', name: 'Create' }] },
        },
        policyQuery: '@access(id:"e-pay") AND @access(id:"e-new")',
      },
    },
    {
      version: 1,
      self: { type: 'SOD_POLICY', id: 'p-2', name: 'General' },
      object: { id: 'p-2', name: 'General', type: 'GENERAL', policyQuery: 'attributes.department:x' },
    },
  ],
};
const SEARCH = [
  {
    id: 'i-1',
    _type: 'identity',
    name: 'ada',
    displayName: 'Ada Lóve',
    email: 'ada@example.org',
    attributes: { department: 'Treasury', cloudLifecycleState: 'active' },
    identityProfile: { id: 'ip-1', name: 'Employees' },
    access: [
      { id: 'r-1', name: 'Clerk', type: 'ROLE' },
      { id: 'e-new', name: 'new', displayName: 'Create vendors', type: 'ENTITLEMENT' },
      { id: 'a-1', name: 'App', type: 'APP' },
    ],
  },
];
const PROFILES = [
  {
    id: 'ap-1',
    name: 'Paying',
    source: { id: 's', name: 'ERP' },
    entitlements: [{ type: 'ENTITLEMENT', id: 'e-pay', name: 'Pay' }],
  },
];

test('convert sailpoint takes no name of JavaScript for a type', async () => {
  const access = ['constructor', 'toString', '__proto__'].map((type) => ({ type, id: 'e' }));
  const objects = access.map(({ type }) => ({ self: { type, id: 'x' }, object: { id: 'x' } }));
  using folder = openFiles({
    'i.json': JSON.stringify([{ _type: 'identity', id: 'i', name: 'n', access }]),
    'c.json': JSON.stringify({ objects }),
  });
  const { code, out, notes } = await folder.run('convert', 'sailpoint', './i.json', './c.json');
  expect([code, out.split('\n').filter((line) => line.includes('"access":[]')).length]).toEqual([0, 1]);
  expect(notes).toContain('1 × constructor');
});

test('convert sailpoint takes configuration exports, search results and lists of the API together', async () => {
  using folder = openFiles({
    'configuration.json': JSON.stringify(CONFIGURATION, null, 2),
    'identities.json': JSON.stringify(SEARCH),
    'profiles.json': JSON.stringify(PROFILES),
  });
  const files = ['./configuration.json', './identities.json', './profiles.json'];
  const { code, out, notes } = await folder.run('convert', 'sailpoint', ...files);
  expect(code).toBe(0);
  expect(notes).toContain('left out, as the service has nothing for them: 1 × TRANSFORM, 1 × owner of a policy');
  expect(notes).toContain('1 × policy of the type GENERAL');
  expect(byKind(out, 'entitlement')).toEqual([
    { kind: 'entitlement', id: 'e-new', name: 'Create vendors', source: null },
    { kind: 'entitlement', id: 'e-pay', name: 'Pay', source: null },
  ]);
  expect(byKind(out, 'accessProfile')).toMatchObject([{ id: 'ap-1', name: 'Paying', entitlements: ['e-pay'] }]);
  expect(byKind(out, 'role')).toMatchObject([{ id: 'r-1', name: 'Clerk', accessProfiles: ['ap-1'] }]);
  expect(byKind(out, 'identityProfile')).toMatchObject([{ id: 'ip-1', name: 'Employees' }]);
  expect(byKind(out, 'identity')).toMatchObject([
    {
      id: 'i-1',
      uid: 'ada',
      displayName: 'Ada Lóve',
      email: 'ada@example.org',
      access: [
        { type: 'ROLE', id: 'r-1' },
        { type: 'ENTITLEMENT', id: 'e-new' },
      ],
    },
  ]);
  expect(byKind(out, 'sodPolicy')).toMatchObject([
    {
      id: 'p-1',
      state: 'NOT_ENFORCED',
      ownerRef: null,
      conflictingAccessCriteria: {
        leftCriteria: { criteriaList: [{ id: 'e-pay' }] },
        rightCriteria: { criteriaList: [{ id: 'e-new' }] },
      },
    },
  ]);
});

test.each([
  ['[{"_type":"identity","name":"x"}]', 'i.json:1:1: identity without an id'],
  ['[{"_type":"identity","id":"i"},{"_type":"identity","id":"i"}]', 'i.json:1:1: the identity i is repeated'],
  ['[{"_type":"identity","id":"i"', 'the file ends within a value'],
  ['[{"_type":"identity","id":"i","name":"n","access":[{"type":"ROLE"}]}]', 'access[0] has no id'],
  ['[{"_type":"identity","id":"i","name":"n","access":[{"type":"APP","id":"a"},{"id":"r"}]}]', 'access[1] has no type'],
  ['[{"_type":"identity","id":"i","name":"n","access":"all"}]', 'access is no list'],
  ['[{"_type":"role","id":"r","name":"n","accessProfiles":[{"id":7}]}]', 'accessProfiles[0] has no id'],
  ['[{"_type":"accessprofile","id":"a","name":"n","entitlements":[null]}]', 'entitlements[0] has no id'],
])('convert sailpoint names what is wrong with %s', async (text, expected) => {
  using folder = openFiles({ 'i.json': text });
  const { code, notes } = await folder.run('convert', 'sailpoint', './i.json');
  expect([code, notes]).toEqual([1, expect.stringContaining(expected)]);
});

test('ids stay where they are valid, and are made from the name alone where not', () => {
  const one = createIds();
  const other = createIds();
  expect(one.idOf('erp:pay-run')).toBe('erp:pay-run');
  expect(one.idOf('Größe, Ø')).toBe(other.idOf('Größe, Ø'));
  expect(one.idOf('a b')).not.toBe(one.idOf('a-b'));
  expect(one.idOf('日本')).toMatch(/^id-/);
  expect(one.idOf('x '.repeat(200)).length).toBeLessThanOrEqual(128);
  expect(() => one.idOf(' ')).toThrow(RangeError);
});

test.each([
  ['Department', 'department'],
  ['Cost Centre', 'costCentre'],
  ['OU', 'ou'],
])('the heading %s names the attribute %s', (heading, name) => {
  expect(attributeName(heading)).toBe(name);
});
