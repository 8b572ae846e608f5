import { describe, expect, test } from 'vitest';
import { openFiles } from './run-here.ts';

const peopleOf = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === 'identity');

/** Converts one table of people and their access. Returns the assignments, the faults and the report of columns. */
async function convertPeople(
  table: string | Buffer,
  { map, name = 'people.csv' }: { map?: string; name?: string } = {},
) {
  using folder = openFiles({ [name]: table, ...(map === undefined ? {} : { 'map.yaml': map }) });
  const mapped = map === undefined ? [] : ['--map', './map.yaml'];
  const { code, out, notes } = await folder.run('convert', 'csv', '--people', `./${name}`, ...mapped);
  const people = code === 0 ? peopleOf(out) : [];
  const held = Object.fromEntries(
    people.map(({ uid, access }) => [
      uid,
      access.map(({ type, id, start, end }: Record<string, string>) =>
        [type === 'ENTITLEMENT' ? id : `${type}:${id}`, start?.slice(0, 10), end?.slice(0, 10)]
          .filter(Boolean)
          .join(' '),
      ),
    ]),
  );
  const faults = notes.split('\n').filter((line) => /^[^ ]+:\d+:\d+: /.test(line));
  const uses = Object.fromEntries(
    notes
      .split('\n')
      .filter((line) => line.startsWith(`${name}  `))
      .map((line) => line.split(/ {2,}/).slice(1)),
  );
  return { code, held, faults, uses, people, notes };
}

describe('a table of people with what they hold', () => {
  test('has a row for each access, or without any', async () => {
    const { held, uses } = await convertPeople(
      'Benutzer;Anzeigename;Berechtigung;Gültig ab;Gültig bis (inkl.)\nanna;Anna A;pay;;31.12.2026\nanna;Anna A;vendor;1.2.2026;31.12.9999 00:00:00\nbob;Bob B;;;\n',
    );
    expect(held).toEqual({ anna: ['pay 2027-01-01', 'vendor 2026-02-01'], bob: [] });
    expect(uses).toEqual({
      Benutzer: 'id',
      Anzeigename: 'displayName',
      Berechtigung: 'access',
      'Gültig ab': 'start',
      'Gültig bis (inkl.)': 'end',
    });
  });

  test('has columns that a mapping names both as a known one and as attributes', async () => {
    const map = 'id: Personalnummer\nattributes: {personalnummer: Personalnummer, number: Personalnummer}\n';
    const { code, people, uses } = await convertPeople('Personalnummer;entitlement\n1001;pay\n', { map });
    expect([code, people]).toMatchObject([0, [{ id: '1001', attributes: { personalnummer: '1001', number: '1001' } }]]);
    expect(uses['Personalnummer']).toBe('id, attribute personalnummer, attribute number');
  });

  test('has several values in a cell only where a mapping says what is between them', async () => {
    const table = 'user,memberOf\nanna,"pay;vendor"\nbob,\ncarl,pay\n';
    const refused = await convertPeople(table);
    expect([refused.code, refused.faults]).toEqual([
      1,
      [
        'people.csv:2:1: access: pay;vendor may be several values: in a mapping, `separator: {access: ";"}` says what is between them, or "" that it is one',
      ],
    ]);
    expect((await convertPeople(table, { map: 'separator: {access: ";"}' })).held).toEqual({
      anna: ['pay', 'vendor'],
      bob: [],
      carl: ['pay'],
    });
    const { held } = await convertPeople('user;right\nanna;a | b\n', { map: 'separator: ""' });
    expect(held['anna']).toHaveLength(1);
  });

  test.each([
    ['user;entitlement;Ablaufdatum', 'anna;pay;31.12.2026', ['pay 2027-01-01']],
    ['user;entitlement;Anfangsdatum;Enddatum', 'anna;pay;01.01.2026;31.12.2026', ['pay 2026-01-01 2027-01-01']],
    ['user;entitlement;von;bis', 'anna;pay;2026-01-01;2026-12-31', ['pay 2026-01-01 2027-01-01']],
    ['user;entitlement;Gültig bis (exkl.)', 'anna;pay;31.12.2026', ['pay 2026-12-31']],
    ['user;entitlement;gueltig_bis_inklusive', 'anna;pay;31.12.2026 00:00:00', ['pay 2027-01-01']],
    ['user;entitlement;Expires on', 'anna;pay;00.00.0000', ['pay']],
    ['user;Rolle;Typ', 'anna;pay;Berechtigung', ['pay']],
  ])('%s: %s', async (heading, row, expected) => {
    expect((await convertPeople(`${heading}\n${row}\n`)).held).toEqual({ anna: expected });
  });

  test.each([
    ['Befristung', '31.12.2026', 'dates'],
    ['Wirksam', '2026-12-31T00:00:00Z', 'dates'],
    ['Ablauftag', '20261231', 'dates'],
    ['Ende des Rechts', '31.12.26', 'dates'],
    ['Frist', '31-DEC-2026', 'dates'],
    ['Frist', '31. Dezember 2026', 'dates'],
    ['Frist', 'Dec 31, 2026', 'dates'],
    ['Geburtstag', '31.12.1980', 'dates'],
    ['Zugriffsart', 'Rolle', 'types of access'],
    ['Business roles', 'Buyer', 'access'],
    ['Eintrittsdatum', 'unknown', 'dates'],
    ['Gruppen', 'payers', 'access'],
  ])('the column %s with %s is no attribute in silence', async (heading, value, what) => {
    const table = `user;entitlement;${heading}\nanna;pay;${value}\n`;
    const { code, faults } = await convertPeople(table);
    expect([code, faults]).toEqual([
      1,
      [
        `people.csv:1:1: ${heading} seems to hold ${what}, and is not recognised: a mapping (--map) says what it means, or names it under attributes or ignore`,
      ],
    ]);
    const ignored = await convertPeople(table, { map: `ignore: [${heading}]` });
    expect([ignored.code, ignored.uses[heading]]).toEqual([0, 'ignored']);
    const named = await convertPeople(table, { map: `attributes: {extra: ${heading}}` });
    expect([named.uses[heading], named.people[0].attributes]).toEqual(['attribute extra', { extra: value }]);
  });

  test.each([
    ['Frist', ['unbefristet', 'unbefristet', 'unbefristet', '31.12.2026'], 'dates'],
    ['Frist', ['unbefristet', 'unbefristet', 'unbefristet', '20261231'], 'dates'],
    ['Form', ['Recht', 'Recht', 'Recht', 'Rolle'], 'types of access'],
    ['Kostenstelle', ['20101231', '20101299', '20104711'], null],
    ['Bemerkung', ['seit dem Umbau vom 31.12.2026 im Altbau', 'keine'], null],
  ])('of the column %s with %j it takes one value for what it is', async (heading, values, what) => {
    const table = `user;entitlement;${heading}\n${values.map((value, at) => `u${at};pay;${value}\n`).join('')}`;
    const { faults } = await convertPeople(table);
    expect(faults).toEqual(
      what === null ? [] : [expect.stringMatching(`^people.csv:1:1: ${heading} seems to hold ${what}, and is not`)],
    );
    expect((await convertPeople(table, { map: `ignore: [${heading}]` })).code).toBe(0);
  });

  test('names a type that is not known, and takes what a mapping says of it', async () => {
    const table = 'user;entitlement;Typ\nanna;pay;B\n';
    expect((await convertPeople(table)).faults).toEqual([
      'people.csv:2:1: type: B is none of entitlement, role, access profile; in a mapping, values says what it means',
    ]);
    expect((await convertPeople(table, { map: 'values: {type: {B: entitlement}}' })).held).toEqual({ anna: ['pay'] });
  });

  test('names dates that are none, that end before they start, and that are of no access', async () => {
    const { faults } = await convertPeople(
      'user;right;start;end\na;pay;2026-02-01;2026-01-31\nb;pay;soon;\nc;pay;01/02/2026;\nd;;2026-01-01;\n',
    );
    expect(faults).toEqual([
      'people.csv:2:1: ends before it starts: 2026-02-01 to 2026-01-31',
      'people.csv:3:1: not a date: soon; a date is 2026-01-31, 20260131 or 31.01.2026',
      'people.csv:4:1: not a date: 01/02/2026; in a mapping, `dates: DMY` or `dates: MDY` says what comes first',
      'people.csv:5:1: dates without access',
    ]);
    const mapped = await convertPeople('user;right;start\nc;pay;01/02/2026\n', { map: 'dates: DMY' });
    expect(mapped.held).toEqual({ c: ['pay 2026-02-01'] });
  });

  test('names ids that differ in case alone, until a mapping says what they are', async () => {
    const table = 'user;right\nanna;pay\nAnna;Pay\n';
    expect((await convertPeople(table)).faults).toEqual([
      'people.csv:3:1: the users anna and Anna differ in case alone: in a mapping, `case: same` or `case: distinct` says what they are',
    ]);
    expect((await convertPeople(table, { map: 'case: same' })).held).toEqual({ anna: ['pay'] });
    expect((await convertPeople(table, { map: 'case: distinct' })).held).toEqual({ anna: ['pay'], Anna: ['Pay'] });
    expect((await convertPeople('user;right\na;pay\nb;Pay\n')).faults).toEqual([
      'people.csv:3:1: the entitlements pay and Pay differ in case alone: in a mapping, `case: same` or `case: distinct` says what they are',
    ]);
  });

  test('says who is disabled, and names a state that is not known', async () => {
    const { people } = await convertPeople('user;Deaktiviert\na;ja\nb;nein\nc;\nd;X\n');
    expect(people.map(({ uid, attributes }) => [uid, attributes?.disabled])).toEqual([
      ['a', 'true'],
      ['b', undefined],
      ['c', undefined],
      ['d', 'true'],
    ]);
    expect((await convertPeople('user;accountEnabled\na;FALSE\n')).people[0].attributes).toEqual({ disabled: 'true' });
    const leave = 'user;Status\na;Elternzeit\n';
    expect((await convertPeople(leave)).faults).toEqual([
      'people.csv:2:1: status: Elternzeit is neither enabled nor disabled: in a mapping, `values: {status: {"Elternzeit": disabled}}` says what it means',
    ]);
    const { people: mapped } = await convertPeople(leave, { map: 'values: {status: {Elternzeit: active}}' });
    expect(mapped[0].attributes).toBeUndefined();
  });

  test('names a person whose rows say different things', async () => {
    const { faults } = await convertPeople('user;name;right\na;Anna;pay\na;Anne;vendor\n');
    expect(faults).toEqual([expect.stringContaining('people.csv:3:1: a has other values than in line 2')]);
  });

  test('names columns that are not recognised alone, not rows that are wrong by them', async () => {
    const table =
      'user;AD-Gruppe;Gültig bis;Ort\nanna;pay;31.12.2035;Bonn\nanna;vendor;31.12.2036;Bonn\nbob;pay;soon;Bonn\nbob;vendor;;Ulm\n';
    const { code, faults, notes } = await convertPeople(table);
    expect([code, faults]).toEqual([
      1,
      [
        expect.stringMatching(/^people\.csv:4:1: not a date: soon/),
        expect.stringMatching(/^people\.csv:1:1: AD-Gruppe seems to hold access/),
      ],
    ]);
    expect(notes).toContain(
      '3 rows of people.csv seem to be wrong by the columns that are not recognised, and are looked at once these are\n',
    );
    expect((await convertPeople(table, { map: 'access: AD-Gruppe' })).faults).toEqual([
      expect.stringMatching(/^people\.csv:4:1: not a date: soon/),
      expect.stringMatching(/^people\.csv:5:1: bob has other values than in line 4/),
    ]);
  });

  test('names columns that would be one attribute', async () => {
    const { code, notes } = await convertPeople('user;Cost Centre;Cost-Centre\na;1;2\n');
    expect([code, notes]).toEqual([
      1,
      expect.stringContaining('the columns Cost Centre and Cost-Centre are both the attribute costCentre'),
    ]);
  });

  test('takes a German e-mail address, and sep= as its first line, with the right lines', async () => {
    const { people, faults, code } = await convertPeople('sep=;\r\nBenutzer;E-Mail-Adresse\r\nanna;a@example.org\r\n');
    expect([code, faults, people[0].email]).toEqual([0, [], 'a@example.org']);
    expect((await convertPeople('sep=;\r\nuser;right;end\r\nanna;pay;no\r\n')).faults).toEqual([
      'people.csv:3:1: not a date: no; a date is 2026-01-31, 20260131 or 31.01.2026',
    ]);
  });

  test.each(['', 'sep=;\n'])(
    'has its heading after blank lines, and after lines without any value: %j',
    async (first) => {
      const { code, held, faults } = await convertPeople(`${first}\n;;\n  \n"";;\nuser;right;end\nanna;pay;no\n`);
      expect([code, held, faults]).toEqual([1, {}, [expect.stringMatching(/^people\.csv:[67]:1: not a date: no/)]]);
      expect((await convertPeople(`${first}\n\nuser;right\nanna;pay\n`)).held).toEqual({ anna: ['pay'] });
    },
  );

  const text = 'user;name;right\nanna;Jörg Müller;pay\n';
  const big = Buffer.from(text, 'utf16le').swap16();
  test.each([
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 with FF FE', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 with FE FF', Buffer.concat([Buffer.from([0xfe, 0xff]), big])],
    ['UTF-16LE without a mark', Buffer.from(text, 'utf16le')],
    ['UTF-16BE without a mark', big],
    ['Latin-1', Buffer.from(text, 'latin1')],
  ])('is read in %s', async (_, table) => {
    const { people, held } = await convertPeople(table);
    expect([people[0]?.displayName, held]).toEqual(['Jörg Müller', { anna: ['pay'] }]);
  });

  test.each([
    [
      'a workbook',
      Buffer.from('PK\u0003\u0004.....xl/workbook.xml'),
      'is not csv but a workbook of Excel (.xlsx): --from xlsx reads it',
    ],
    ['another archive', Buffer.from('PK\u0003\u0004.....a.txt'), 'is not csv but a ZIP archive; unpack it'],
    ['old Excel', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0]), 'is not csv but a workbook of old Excel (.xls)'],
    ['gzip', Buffer.from([0x1f, 0x8b, 8]), 'is not csv but compressed by gzip'],
    ['HTML', '<html><table>', 'is not csv but XML or HTML'],
    ['LDIF', '# export\nversion: 1\ndn: cn=a\n', 'is not csv but LDIF: --from ldif reads it'],
    ['SCIM', '{"Resources": []}', 'is not csv but SCIM: --from scim reads it'],
    ['Graph', '{"@odata.context":"x","value":[]}', 'is not csv but an answer of Microsoft Graph (Entra): --from graph'],
    ['Okta', '[{"id":"1","profile":{"login":"a"}}]', 'is not csv but users or groups of Okta: --from okta reads it'],
    ['a model', '{"kind":"identity","id":"a"}', 'is not csv but records of the service (NDJSON): --from ndjson'],
  ])('that is %s is named', async (_, content, expected) => {
    const { code, notes } = await convertPeople(content);
    expect([code, notes]).toEqual([1, expect.stringContaining(`people.csv:1:1: ${expected}`)]);
  });

  test('reads the flags of a directory, and names what is none', async () => {
    const { people, uses } = await convertPeople('sAMAccountName;userAccountControl\nanna;512\nbob;546\ncarl;\n');
    expect(people.map(({ uid, attributes }) => [uid, attributes])).toEqual([
      ['anna', undefined],
      ['bob', { disabled: 'true' }],
      ['carl', undefined],
    ]);
    expect(uses['userAccountControl']).toBe('userAccountControl');
    const table = 'user;userAccountControl\nanna;NORMAL_ACCOUNT\n';
    expect((await convertPeople(table)).faults).toEqual([
      'people.csv:2:1: userAccountControl: NORMAL_ACCOUNT is neither enabled nor disabled: in a mapping, `values: {userAccountControl: {"NORMAL_ACCOUNT": disabled}}` says what it means',
    ]);
    const map = 'values: {userAccountControl: {NORMAL_ACCOUNT: enabled}}';
    expect((await convertPeople(table, { map })).people[0].attributes).toBeUndefined();
  });

  test.each([
    ['E-Mail', 'email', 'a@x.org; b@x.org'],
    ['Anmeldename', 'uid', 'anna|ann'],
  ])('takes several values in %s for none', async (heading, column, value) => {
    const table = `Personalnummer;${heading}\n7;"${value}"\n`;
    const { code, faults } = await convertPeople(table);
    expect([code, faults]).toEqual([
      1,
      [
        `people.csv:2:1: ${column}: ${value} may be several values, and a person has one: in a mapping, \`separator: {${column}: ""}\` says that it is one, \`values: {${column}: {${JSON.stringify(value)}: …}}\` which one it stands for`,
      ],
    ]);
    const one = await convertPeople(table, { map: `separator: {${column}: ""}` });
    expect(one.people[0][column]).toBe(value);
    const chosen = await convertPeople(table, { map: `values: {${column}: {${JSON.stringify(value)}: a}}` });
    expect(chosen.people[0][column]).toBe('a');
  });

  test('takes several names in a cell for no person', async () => {
    const table = 'Benutzer;Berechtigung\na;pay\na;b;pay\n'.replace('a;b;', '"a;b";');
    expect((await convertPeople(table)).faults).toEqual([
      expect.stringMatching(/^people\.csv:3:1: id: a;b may be several values, and a person has one/),
    ]);
    const { held } = await convertPeople(table, { map: 'separator: {id: ""}' });
    expect(held).toEqual({ a: ['pay'], 'a;b': ['pay'] });
    expect((await convertPeople(table, { map: 'separator: {id: ";"}' })).faults).toHaveLength(1);
  });

  test.each(['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#WERT!', '#BEZUG!', '#NV', '#ZAHL!', '########'])(
    'names the error %s of a sheet in a column that is used',
    async (error) => {
      const table = `user;right;end;city;note\nanna;pay;${error};;\nbob;${error};;;\ncarl;pay;;${error};\ndora;pay;;;${error}\n`;
      const map = 'ignore: [note]\n';
      expect((await convertPeople(table, { map })).faults).toEqual([
        `people.csv:2:1: end: the error ${error}: mend the sheet, or in a mapping, \`values: {end: {${JSON.stringify(error)}: …}}\` says what it stands for`,
        `people.csv:3:1: right: the error ${error}: mend the sheet, or in a mapping, \`values: {access: {${JSON.stringify(error)}: …}}\` says what it stands for`,
        `people.csv:4:1: city: the error ${error}: mend the sheet, or in a mapping, \`ignore\` names columns that are not to be used`,
      ]);
      const values = `values: {end: {"${error}": ""}, access: {"${error}": "none"}}\n`;
      const { held } = await convertPeople(table, { map: `ignore: [note, city]\n${values}` });
      expect(held).toEqual({ anna: ['pay'], bob: ['none'], carl: ['pay'], dora: ['pay'] });
    },
  );

  test.each(['Rolle', 'Rollen', 'role', 'Roles'])(
    'has roles under %s, unless a mapping names the column',
    async (heading) => {
      const table = `user;${heading}\nanna;buyer\n`;
      const { faults, uses } = await convertPeople(table);
      expect([faults, uses[heading]]).toEqual([
        [
          'people.csv:2:1: there is no role buyer: in a mapping, `access` names the column, whose heading then says no type',
        ],
        'access (roles)',
      ]);
      const mapped = await convertPeople(table, { map: `access: ${heading}` });
      expect([mapped.held, mapped.uses[heading]]).toEqual([{ anna: ['buyer'] }, 'access']);
    },
  );

  test('names a column that is there twice', async () => {
    const { code, notes } = await convertPeople('user;Rolle;Ort;Rolle\nanna;pay;Bonn;vendor\n');
    expect([code, notes]).toEqual([
      1,
      'people.csv:1:1: the column Rolle is there twice, as columns 2 and 4: give one of them another heading\n',
    ]);
  });

  test.each(['0001-01-01', '01.01.1601', '19000101', '31.12.1969 23:59:59'])(
    'does not take %s for an end, until a mapping says so',
    async (end) => {
      const table = `user;right;end\nanna;pay;${end}\n`;
      const { faults } = await convertPeople(table);
      expect(faults).toEqual([
        `people.csv:2:1: ends before 1970: ${end}; in a mapping, \`values: {end: {"${end}": ""}}\` says that it is no end`,
      ]);
      expect((await convertPeople(table, { map: `values: {end: {"${end}": ""}}` })).held).toEqual({ anna: ['pay'] });
    },
  );

  test('names ids that differ in how accents are encoded', async () => {
    const table = 'user;right\nmüller;pay\nmu\u0308ller;vendor\n';
    expect((await convertPeople(table)).faults).toEqual([
      expect.stringMatching(
        /^people\.csv:3:1: the users .* differ in how accents are encoded: in a mapping, `case: same`/,
      ),
    ]);
    expect((await convertPeople(table, { map: 'case: same' })).held).toEqual({ müller: ['pay', 'vendor'] });
  });

  test('says which encoding it has guessed, and takes none for text that has zeros', async () => {
    const latin = Buffer.from('user;right\nJörg;pay\n', 'latin1');
    expect((await convertPeople(latin)).notes).toMatch(/^people\.csv: is not UTF-8, and is read as Latin-1/);
    const wide = Buffer.from([...'user;right\nanna;pay\n'].flatMap((letter) => [0, 0, 0, letter.charCodeAt(0)]));
    expect((await convertPeople(wide)).notes).toBe(
      'people.csv:1:1: is not csv but no text, or text in another encoding, such as UTF-32\n',
    );
  });

  test.each([
    ['Konto aktiv', 'nein'],
    ['gesperrt', 'X'],
    ['Account disabled', 'true'],
    ['Sperrkennzeichen', '1'],
    ['userAccountControl', '514'],
    ['userAccountControl', '66050'],
  ])('takes %s %s for a person who is disabled', async (heading, value) => {
    const { people } = await convertPeople(`user;${heading}\nanna;${value}\n`);
    expect(people).toMatchObject([{ attributes: { disabled: 'true' } }]);
  });

  test('names what a mapping cannot mean', async () => {
    const table = 'user;right\na;pay\n';
    const fault = async (map: string) => (await convertPeople(table, { map })).notes;
    expect(await fault('displayname: Name')).toContain('people has no displayname; there are id, uid, displayName');
    expect(await fault('displayName: Name')).toContain('the mapping names the column Name; there are user, right');
    expect(await fault('people: {id: [')).toMatch(/map\.yaml:\d+:\d+: /);
    expect(await fault('persons: {id: user}')).toContain('there is no table persons; there are people: id');
  });
});

describe('tables of people, entitlements, assignments and roles', () => {
  const FILES = {
    'users.csv': 'id;name\nanna;Anna\n',
    'entitlements.csv': 'id\npay\nbuyer\n"a, b"\n',
    'roles.csv': 'role;entitlement\nbuyer;pay\nclerk;pay\n',
  };
  const convert = async (assignments: string) => {
    using folder = openFiles({ ...FILES, 'assignments.csv': assignments });
    const tables = ['users', 'entitlements', 'assignments', 'roles'].flatMap((table) => [
      `--${table}`,
      `./${table}.csv`,
    ]);
    const { code, out, notes } = await folder.run('convert', 'csv', ...tables);
    return { access: code === 0 ? peopleOf(out)[0].access : null, notes };
  };

  test.each([
    ['user;access;Typ\nanna;buyer;Rolle\n', [{ type: 'ROLE', id: 'buyer' }]],
    ['user;access;Typ\nanna;buyer;Berechtigung\n', [{ type: 'ENTITLEMENT', id: 'buyer' }]],
    ['user;access;type\nanna;clerk;\n', [{ type: 'ROLE', id: 'clerk' }]],
    ['user;Rolle\nanna;buyer\n', [{ type: 'ROLE', id: 'buyer' }]],
    ['user;Rolle;Typ\nanna;buyer;\n', [{ type: 'ROLE', id: 'buyer' }]],
    ['user;Rolle;Typ\nanna;buyer;Berechtigung\n', [{ type: 'ENTITLEMENT', id: 'buyer' }]],
    ['user;access\nanna;"a, b"\n', [{ type: 'ENTITLEMENT', id: expect.stringMatching(/^a-b-/) }]],
  ])('%j', async (assignments, access) => {
    expect((await convert(assignments)).access).toEqual(access);
  });

  test.each([
    ['user;access\nanna;buyer\n', 'buyer is an entitlement and a role: a column for type says which'],
    ['user;access;Typ\nanna;pay;Rolle\n', 'there is no role pay\n'],
    ['user;Rolle\nanna;pay\n', 'there is no role pay: in a mapping'],
    ['user;access\nANNA;pay\n', 'there is no user ANNA, but anna, which differs in case alone'],
    ['user;access\nanna;PAY\n', 'the entitlements pay and PAY differ in case alone'],
    ['user;access\n"anna;bob";pay\n', 'user: anna;bob may be several values, and a person has one'],
    ['user;access;Ablauftag\nanna;pay;2026-12-31\n', 'assignments.csv:1:1: Ablauftag seems to hold dates'],
  ])('%j: %s', async (assignments, fault) => {
    expect((await convert(assignments)).notes).toContain(fault);
  });
});

test('import names a file that has no records, and what takes it', async () => {
  using folder = openFiles({ 'persons.csv': 'user;right\nanna;pay\n', 'p.xls': Buffer.from([0xd0, 0xcf, 0x11, 0xe0]) });
  const service = ['--url', 'http://127.0.0.1:1', '--client-id', 'a', '--client-secret', 's'];
  const { code, notes } = await folder.run('import', './persons.csv', ...service);
  expect([code, notes]).toEqual([
    1,
    'persons.csv:1:1: is a table in text (CSV), and no records (NDJSON): `access-admin load` takes it as accounts of a source (--from csv), and `access-admin convert csv` makes a model of it, which import takes\n',
  ]);
  expect((await folder.run('import', './p.xls', ...service)).notes).toContain(
    'p.xls:1:1: is a workbook of old Excel (.xls); save it as .xlsx, and no records',
  );
});
