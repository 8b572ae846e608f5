import { describe, expect, test } from 'vitest';
import { openFiles } from './run-here.ts';

const TABLES = {
  agr_users: 'AGR_NAME,UNAME,FROM_DAT,TO_DAT\nZ_PAY,ADA,20260101,20260630\nZ_AUTH,ADA,20260401,99991231\n',
  agr_1251:
    'AGR_NAME,OBJECT,AUTH,FIELD,LOW,HIGH\nZ_PAY,S_TCODE,T1,TCD,F110,\nZ_AUTH,F_REGU_BUK,T2,FBTCH,02,25\nZ_AUTH,F_REGU_BUK,T2,BUKRS,$BUKRS,\n',
  agr_1252: 'AGR_NAME,VARBL,LOW,HIGH\nZ_AUTH,$BUKRS,1000,1999\n',
  functions: 'function,tcode,object,field,value\nPAYRUN,F110,F_REGU_BUK,FBTCH,21\nPAYRUN,F110,F_REGU_BUK,BUKRS,1100\n',
};
type Tables = Readonly<Record<string, string>>;

async function convert(given: Tables, map?: string) {
  const files = { ...TABLES, ...given };
  const used = Object.entries(files).filter(([, text]) => text !== '');
  using folder = openFiles({
    ...Object.fromEntries(used.map(([table, text]) => [`${table}.csv`, text])),
    ...(map === undefined ? {} : { 'map.yaml': map }),
  });
  const options = used.flatMap(([table]) => [`--${table.replaceAll('_', '-')}`, `./${table}.csv`]);
  const { code, out, notes } = await folder.run(
    'convert',
    'sap',
    ...options,
    ...(map === undefined ? [] : ['--map', './map.yaml']),
  );
  const records = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const held = Object.fromEntries(
    records
      .filter(({ kind }) => kind === 'identity')
      .map(({ id, access }) => [
        id,
        access.map(({ type, id: ref, start, end }: Record<string, string>) =>
          [type === 'ROLE' ? ref : `!${ref}`, start?.slice(0, 10) ?? '', end?.slice(0, 10) ?? ''].join(' ').trim(),
        ),
      ]),
  );
  const roles = Object.fromEntries(
    records.filter(({ kind }) => kind === 'role').map(({ id, entitlements }) => [id, entitlements]),
  );
  return { code, held, roles, notes, records };
}

describe('a function of several roles together', () => {
  test('is held while all of them are', async () => {
    expect((await convert({})).held).toEqual({
      ADA: ['Z_PAY 2026-01-01 2026-07-01', 'Z_AUTH 2026-04-01', '!PAYRUN 2026-04-01 2026-07-01'],
    });
  });

  test('is not held where they are never held at once', async () => {
    const { held } = await convert({
      agr_users: 'AGR_NAME,UNAME,FROM_DAT,TO_DAT\nZ_PAY,ADA,20260101,20260331\nZ_AUTH,ADA,20260401,99991231\n',
    });
    expect(held['ADA']).toEqual(['Z_PAY 2026-01-01 2026-04-01', 'Z_AUTH 2026-04-01']);
  });

  test('is held in each of several times, and while the user is valid', async () => {
    const { held } = await convert({
      agr_users:
        'AGR_NAME,UNAME,FROM_DAT,TO_DAT\nZ_PAY,ADA,20260101,20260131\nZ_PAY,ADA,20260301,20260331\nZ_PAY,ADA,20260401,20261231\nZ_AUTH,ADA,00000000,99991231\n',
      usr02: 'BNAME,GLTGV,GLTGB\nADA,20260115,20260630\n',
    });
    expect(held['ADA'].filter((text: string) => text.startsWith('!'))).toEqual([
      '!PAYRUN 2026-01-15 2026-02-01',
      '!PAYRUN 2026-03-01 2026-07-01',
    ]);
  });
});

describe('organizational levels', () => {
  test('come from AGR_1252, and one that is missing there is named', async () => {
    expect((await convert({ agr_1252: 'AGR_NAME,VARBL,LOW,HIGH\nZ_AUTH,$BUKRS,2000,\n' })).held['ADA']).toHaveLength(2);
    const missing = await convert({ agr_1252: '' });
    expect([missing.code, missing.notes]).toEqual([
      1,
      expect.stringContaining('agr_1251.csv:3:1: the role Z_AUTH has no value of $BUKRS in AGR_1252\n'),
    ]);
  });

  test('of a derived role are its own, and its authorizations those of its parent', async () => {
    const { roles } = await convert({
      agr_1251: `${TABLES.agr_1251}Z_AUTH,S_TCODE,T9,TCD,F110,\n`,
      agr_1252: 'AGR_NAME,VARBL,LOW,HIGH\nZ_AUTH,$BUKRS,2000,\nZ_AUTH_DE,$BUKRS,1100,\n',
      agr_define: 'AGR_NAME,PARENT_AGR\nZ_AUTH,\nZ_AUTH_DE,Z_AUTH\n',
    });
    expect(roles).toEqual({ Z_AUTH: [], Z_AUTH_DE: ['PAYRUN'], Z_PAY: [] });
  });
});

test('a level whose row in AGR_1252 is empty has no value there', async () => {
  const { code, notes } = await convert({ agr_1252: 'AGR_NAME,VARBL,LOW,HIGH\nZ_AUTH,$BUKRS,,\n' });
  expect([code, notes]).toEqual([
    1,
    expect.stringContaining('agr_1251.csv:3:1: the role Z_AUTH has no value of $BUKRS in AGR_1252\n'),
  ]);
});

describe('roles without authorizations', () => {
  test('are told, those that users hold first', async () => {
    const { code, notes } = await convert({
      agr_users: 'AGR_NAME,UNAME\nZ_PAY,ADA\nZ_NONE,ADA\nZ_NONE,BOB\nZ_ALL,BOB\n',
      agr_agrs: 'AGR_NAME,CHILD_AGR\nZ_ALL,Z_PAY\nZ_ALL,Z_PART\n',
      agr_texts: 'AGR_NAME,TEXT\nA_UNUSED,x\n',
    });
    expect([code, notes]).toEqual([
      0,
      expect.stringContaining(
        '2 roles that users hold grant nothing, since AGR_1251 has no rows of them: Z_NONE, Z_PART\n1 role that nobody holds grants nothing, since AGR_1251 has no rows of it: A_UNUSED\n',
      ),
    ]);
    expect((await convert({})).notes).not.toContain('AGR_1251 has no rows');
  });

  test('are a fault where they are derived from roles that the files do not have, or from each other', async () => {
    const { code, notes } = await convert({
      agr_users: 'AGR_NAME,UNAME\nZ_DE,ADA\nZ_ONE,ADA\nZ_TWO,ADA\n',
      agr_define: 'AGR_NAME,PARENT_AGR\nZ_DE,Z_GONE\nZ_PAY,Z_GONE\nZ_ONE,Z_TWO\nZ_TWO,Z_ONE\n',
    });
    expect([code, notes.match(/^agr_define\.csv:.*$/gm)]).toEqual([
      1,
      [
        'agr_define.csv:2:1: the role Z_DE is derived from Z_GONE, which the files do not have: export its rows of AGR_1251 too',
        'agr_define.csv:5:1: the roles Z_ONE, Z_TWO are derived from each other',
      ],
    ]);
  });

  test('are none where a composite role has another one, whose single roles are taken and told', async () => {
    const { code, roles, notes } = await convert({
      agr_1251: `${TABLES.agr_1251}Z_BOTH,S_TCODE,T9,TCD,F110,\nZ_BOTH,F_REGU_BUK,T8,FBTCH,21,\nZ_BOTH,F_REGU_BUK,T8,BUKRS,1100,\n`,
      agr_agrs: 'AGR_NAME,CHILD_AGR\nZ_OUTER,Z_INNER\nZ_INNER,Z_BOTH\nZ_INNER,Z_OUTER\n',
    });
    expect([code, roles['Z_OUTER'], roles['Z_INNER']]).toEqual([0, ['PAYRUN'], ['PAYRUN']]);
    expect(notes).toContain(
      '2 composite roles have composite roles in them, whose single roles count too: Z_OUTER, Z_INNER\n',
    );
  });
});

test('values of ACTVT of one digit are a fault, told once a table', async () => {
  const { code, notes } = await convert({
    agr_1251: `${TABLES.agr_1251}Z_AUTH,F_BKPF_BUK,T3,ACTVT,1,\nZ_AUTH,F_BKPF_BUK,T3,ACTVT,02,3\nZ_AUTH,F_BKPF_BUK,T3,ACTVT,A1,\n`,
    functions: `${TABLES.functions}POST,FB01,F_BKPF_BUK,ACTVT,1\n`,
  });
  expect([code, notes.match(/^.*ACTVT.*$/gm)]).toEqual([
    1,
    [
      'agr_1251.csv:5:1: 2 rows have an ACTVT of one digit, such as 1: SAP has two, and Excel takes a leading zero away; import the column as text',
      'functions.csv:4:1: 1 row has an ACTVT of one digit, such as 1: SAP has two, and Excel takes a leading zero away; import the column as text',
    ],
  ]);
});

describe('profiles', () => {
  test('give every function by SAP_ALL, and a role by its profile', async () => {
    const { held, roles, notes } = await convert({
      ust04: 'BNAME,PROFILE\nROOT,SAP_ALL\nBOB,T-AB120001\nBOB,T-CD34000101\nADA,T-AB120001\nEVE,S_A.SYSTEM\n',
      agr_prof: 'AGR_NAME,LANGU,PROFILE,PTEXT\nZ_PAY,D,T-AB120001,x\nZ_AUTH,D,T-CD340001,y\n',
    });
    expect(roles['SAP_ALL']).toEqual(['PAYRUN']);
    expect(held).toMatchObject({ ROOT: ['SAP_ALL'], BOB: ['Z_PAY', 'Z_AUTH', '!PAYRUN'] });
    // Where AGR_USERS says when a role is held, its profile adds nothing.
    expect(held['ADA']).toHaveLength(3);
    expect(notes).toContain('1 profile is of no role of AGR_PROF, and the grants are not known: S_A.SYSTEM (1)');
    expect(notes).not.toContain('profiles were not read');
  });

  test('that were not read are told', async () => {
    expect((await convert({})).notes).toContain('profiles were not read: UST04 says who has SAP_ALL');
  });
});

test('users that are locked or no people are disabled or named', async () => {
  const { records, notes } = await convert({
    usr02:
      'BNAME,USTYP,UFLAG,GLTGV,GLTGB,TRDAT\nADA,A,0,00000000,00000000,20260101\nLOU,A,64,,,\nMAX,A,128,,,\nJOB,B,0,,,\nRFC,S,192,,,\n',
  });
  const people = records.filter(({ kind }) => kind === 'identity');
  expect(people.map(({ id, attributes }) => [id, attributes.disabled, attributes.userType])).toEqual([
    ['ADA', undefined, 'A'],
    ['LOU', 'true', 'A'],
    ['MAX', undefined, 'A'],
    ['JOB', undefined, 'B'],
    ['RFC', 'true', 'S'],
  ]);
  expect(notes).toContain('2 users locked, and so disabled: LOU, RFC\n');
  expect(notes).toContain('1 user locked by wrong passwords alone, and so not disabled: MAX\n');
  expect(notes).toContain('1 user of type B (system): JOB\n');
  expect(notes).toContain('1 user of type S (service): RFC\n');
});

test('a USR02 that says of no user whether it is locked, of what type or how long it is valid, is told', async () => {
  const { code, notes } = await convert({ usr02: 'BNAME,GLTGV,GLTGB\nADA,00000000,00000000\n' });
  expect(code).toBe(0);
  expect(notes).toContain(
    'no row of USR02 has a UFLAG: which users are locked is not known, and no user is disabled\n',
  );
  expect(notes).toContain('no row of USR02 has a USTYP: which users are no people is not known\n');
  const undated = await convert({ usr02: 'BNAME,USTYP,UFLAG\nADA,A,0\n' });
  expect(undated.notes).toContain(
    'no row of USR02 has a GLTGV: from when users are valid is not known, and they are from the beginning\n',
  );
  expect(undated.notes).toContain(
    'no row of USR02 has a GLTGB: until when users are valid is not known, and they are without an end\n',
  );
  const full = await convert({ usr02: 'BNAME,USTYP,UFLAG,GLTGV,GLTGB\nADA,A,0,00000000,00000000\n' });
  expect(full.notes).not.toContain('no row of USR02');
});

test('an AGR_1251 without rows is a fault: its roles would lose what they grant', async () => {
  const { code, notes } = await convert({ agr_1251: 'AGR_NAME,OBJECT,AUTH,FIELD,LOW,HIGH\n' });
  expect([code, notes]).toEqual([
    1,
    expect.stringContaining('agr_1251.csv:1:1: AGR_1251 has no rows: no role would grant anything\n'),
  ]);
});

test('e-mail addresses of users are those of ADR6, by the keys of USR21', async () => {
  const { code, records } = await convert({
    usr02: 'BNAME,USTYP,UFLAG\nADA,A,0\nBOB,A,0\n',
    usr21: 'MANDT,BNAME,PERSNUMBER,ADDRNUMBER\n100,ADA,P1,A1\n100,BOB,P2,A1\n',
    adr6: 'CLIENT,ADDRNUMBER,PERSNUMBER,DATE_FROM,CONSNUMBER,FLGDEFAULT,SMTP_ADDR\n100,A1,P1,00010101,001,,old@example.org\n100,A1,P1,00010101,002,X,ada@example.org\n100,A9,P2,00010101,001,X,other@example.org\n',
  });
  const people = records.filter(({ kind }) => kind === 'identity');
  expect([code, people.map(({ id, email }) => [id, email])]).toEqual([
    0,
    [
      ['ADA', 'ada@example.org'],
      ['BOB', undefined],
    ],
  ]);
});

test('a table with names of users alone is not taken for USR02', async () => {
  const keys = 'BNAME,PERSNUMBER,ADDRNUMBER\nADA,P1,A1\n';
  const taken = await convert({ usr02: keys });
  expect([taken.code, taken.notes]).toEqual([
    1,
    expect.stringContaining('usr02.csv:1:1: there is no heading with bname and one of uflag, ustyp, gltgv, gltgb\n'),
  ]);
  const alone = await convert({ usr21: keys });
  expect([alone.code, alone.notes]).toEqual([1, expect.stringContaining('the table USR02 is missing: USR21 and ADR6')]);
});

test('rows of several clients are a fault that names them', async () => {
  const { code, notes } = await convert({
    agr_users: 'MANDT,AGR_NAME,UNAME\n100,Z_PAY,ADA\n100,Z_AUTH,ADA\n200,Z_PAY,BOB\n',
  });
  expect([code, notes]).toEqual([
    1,
    expect.stringContaining(
      'agr_users.csv:4:1: the tables have rows of the clients 100, 200: export those of one client alone\n',
    ),
  ]);
});

test('users that differ in case alone are a fault, as in two tables', async () => {
  const { code, notes } = await convert({
    agr_users: 'AGR_NAME,UNAME,FROM_DAT,TO_DAT\nZ_PAY,ADA,,\nZ_AUTH,Ada,,\nZ_PAY,BOB,,\nZ_AUTH,BOB,,\n',
  });
  expect([code, notes.match(/differ in case.*/g)]).toEqual([1, ['differ in case alone, which SAP has not']]);
  expect(notes).toMatch(/^agr_users\.csv:3:1: the users ADA and Ada differ/m);
});

describe('raw lists', () => {
  const LIST = `Tabelle:        AGR_USERS
Angezeigte Felder:   4 von  10  Feststehende Führungsspalten: 2  Listbreite 0250
------------------------------------------------
|  |MANDT|AGR_NAME |UNAME|FROM_DAT  |TO_DAT    |
------------------------------------------------
|  |100  |Z_PAY    |ADA  |01.01.2026|30.06.2026|
28.11.2026          Dynamische Listausgabe     2
Tabelle:        AGR_USERS
Angezeigte Felder:   4 von  10  Feststehende Führungsspalten: 2  Listbreite 0250
------------------------------------------------
|  |MANDT|AGR_NAME |UNAME|FROM_DAT  |TO_DAT    |
------------------------------------------------
|  |100  |Z_AUTH   |ADA  |01.04.2026|31.12.9999|
------------------------------------------------
`;

  test('of SE16 have headings of pages, and lines that are none of them are named', async () => {
    const { code, held } = await convert({
      agr_users: LIST.replace('28.11.2026          Dynamische Listausgabe     2\n', ''),
    });
    expect([code, held]).toEqual([
      0,
      { ADA: ['Z_PAY 2026-01-01 2026-07-01', 'Z_AUTH 2026-04-01', '!PAYRUN 2026-04-01 2026-07-01'] },
    ]);
    const first = `28.11.2026          Dynamische Listausgabe     1\n${LIST}`;
    expect((await convert({ agr_users: first })).code).toBe(0);
    const strange = await convert({ agr_users: LIST });
    expect([strange.code, strange.notes]).toEqual([
      1,
      expect.stringContaining('agr_users.csv:7:1: 1 fields, the heading has 8'),
    ]);
  });

  test('of SE16 that lack their closing line are a fault, which those without lines are not', async () => {
    const [page = ''] = LIST.split('28.11.2026');
    expect((await convert({ agr_users: page })).notes).toContain(
      'agr_users.csv:6:1: the list ends without its closing line, and seems to be cut off: export it again\n',
    );
    expect((await convert({ agr_users: page.replaceAll(/^-+\n/gm, '') })).code).toBe(0);
  });

  test('with tabs have a line of their table before the heading', async () => {
    const list = 'Tabelle:\tAGR_USERS\n\n\tAGR_NAME\tUNAME\tFROM_DAT\tTO_DAT\n\n\tZ_PAY\tADA\t01.01.2026\t30.06.2026\n';
    expect((await convert({ agr_users: list })).held).toEqual({ ADA: ['Z_PAY 2026-01-01 2026-07-01'] });
  });

  test('with other headings are read by a mapping', async () => {
    const list = 'Sammelfeld;Wer;Erster Tag;Letzter Tag\nZ_PAY;ADA;01.01.2026;30.06.2026\n';
    const map = 'AGR_USERS: {role: Sammelfeld, user: Wer, start: Erster Tag, end: Letzter Tag}\n';
    expect((await convert({ agr_users: list }, map)).held).toEqual({ ADA: ['Z_PAY 2026-01-01 2026-07-01'] });
  });
});
