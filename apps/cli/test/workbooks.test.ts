import { expect, test } from 'vitest';
import { openFiles } from './run-here.ts';
import { type WorkbookCell, workbook } from './workbook.ts';

const ROWS: readonly (readonly WorkbookCell[])[] = [
  ['Personalnummer', 'Anzeigename', 'Berechtigung', 'Gültig ab', 'Gültig bis'],
  [1001, 'Jörg Müller', 'pay', { day: '2026-01-01' }, { day: '2026-12-31', isGerman: true }],
  [],
  ['0042', 'Bob', 'vendor', '', { day: '9999-12-31' }],
];

async function convert(sheets: Parameters<typeof workbook>[0], map = '{}') {
  using folder = openFiles({ 'p.xlsx': workbook(sheets), 'map.yaml': map });
  const { code, out, notes } = await folder.run('convert', 'xlsx', '--people', './p.xlsx', '--map', './map.yaml');
  const people = out
    .split('\n')
    .filter((line) => line.includes('"kind":"identity"'))
    .map((line) => JSON.parse(line));
  return { code, people, notes };
}

test('a workbook has dates, numbers and texts as they are shown', async () => {
  const { people } = await convert({ Personen: ROWS });
  expect(people.map(({ uid, displayName, access }) => [uid, displayName, access])).toEqual([
    [
      '1001',
      'Jörg Müller',
      [{ type: 'ENTITLEMENT', id: 'pay', start: '2026-01-01T00:00:00.000Z', end: '2027-01-01T00:00:00.000Z' }],
    ],
    ['0042', 'Bob', [{ type: 'ENTITLEMENT', id: 'vendor' }]],
  ]);
});

test('faults have the row of the sheet', async () => {
  const { notes } = await convert({ Personen: [...ROWS, ['9', 'Eve', 'pay', '', 'soon']] });
  expect(notes).toContain('p.xlsx:5:1: not a date: soon');
});

test('names cells that have an error, or a formula without its result, and takes what a mapping says of them', async () => {
  const sheets = {
    Personen: [
      ['Benutzer', 'Berechtigung', 'Gültig bis', 'Ort', 'Notiz'],
      ['anna', 'pay', { xml: '<c r="PLACE" t="e"><f>Z1</f><v>#REF!</v></c>' }, 'Bonn'],
      ['bob', { xml: '<c r="PLACE" t="e"><v>#N/A</v></c>' }, '', 'Ulm'],
      ['carl', 'pay', { xml: '<c r="PLACE"><f>VLOOKUP(A4,Ende!A:B,2,"x"&gt;"y")</f></c>' }, 'Ulm'],
      ['dora', 'pay', { xml: '<c r="PLACE" s="1"><f t="shared" si="0"/><v/></c>' }, 'Ulm'],
      [{ xml: '<c r="PLACE" t="str"><f>T(B6)</f></c>' }, 'pay', '', 'Ulm'],
      ['emil', 'pay', '', { xml: '<c r="PLACE" t="e"><v>#SPILL!</v></c>' }],
      // A formula whose result is an empty text, and cells without a value.
      ['fred', 'pay', { xml: '<c r="PLACE" t="str"><f>T(B8)</f><v></v></c>' }, { xml: '<c r="PLACE" s="1"/>' }],
      ['gerd', 'pay', { xml: '<c r="PLACE"><f>A1+1</f><v>20261231</v></c>' }, 'Ulm'],
      ['hans', 'pay', '', 'Ulm', { xml: '<c r="PLACE" t="e"><v>#DIV/0!</v></c>' }],
    ],
  };
  const { code, notes } = await convert(sheets, 'ignore: [Notiz]');
  const without = 'without its result: save the sheet in a program that works it out';
  expect([code, notes.split('\n').filter((line) => /^p\.xlsx:\d/.test(line))]).toEqual([
    1,
    [
      'p.xlsx:2:1: Gültig bis: the error #REF!',
      'p.xlsx:3:1: Berechtigung: the error #N/A',
      `p.xlsx:4:1: Gültig bis: the formula =VLOOKUP(A4,Ende!A:B,2,"x">"y") ${without}`,
      `p.xlsx:5:1: Gültig bis: the formula =… ${without}`,
      `p.xlsx:6:1: Benutzer: the formula =T(B6) ${without}`,
      'p.xlsx:7:1: Ort: the error #SPILL!',
    ].map((text) => expect.stringContaining(text)),
  ]);
  const mapped = await convert(
    { Personen: sheets.Personen.slice(0, 2) },
    'ignore: [Notiz, Ort]\nvalues: {end: {"#REF!": ""}}',
  );
  expect([mapped.code, mapped.people]).toMatchObject([0, [{ uid: 'anna', access: [{ id: 'pay' }] }]]);
});

test('numbers have the zeros, and the texts, of their formats', async () => {
  const rows = [
    [{ number: '42', format: '00000' }, '00042'],
    [{ number: '1234567', format: '00000' }, '1234567'],
    [{ number: '7', format: '&quot;P&quot;0000' }, 'P0007'],
    [{ number: '4711', format: '00\\-000;-0' }, '04-711'],
    [{ number: '1234567', format: '00\\-000;-0' }, '1234-567'],
    [{ number: '1042', format: '#,##0' }, '1042'],
    [{ number: '43', format: '0' }, '43'],
    [{ number: '4.5', format: '0.00' }, '4.5'],
  ] as const;
  const sheet = { Personen: [['Personalnummer'], ...rows.map(([cell]) => [cell])] };
  expect((await convert(sheet)).people.map(({ uid }) => uid)).toEqual(rows.map(([, shown]) => shown));
});

test('of several sheets a mapping names one', async () => {
  const { code, notes } = await convert({ Personen: ROWS, Andere: [['x']] });
  expect([code, notes]).toEqual([1, 'p.xlsx: has several sheets: Personen, Andere; in a mapping, `sheet` names one\n']);
  expect((await convert({ Andere: [['x']], Personen: ROWS }, 'sheet: Personen')).people).toHaveLength(2);
  expect((await convert({ Personen: ROWS }, 'sheet: Nirgends')).notes).toContain(
    'p.xlsx: has no sheet Nirgends; there are Personen',
  );
});

test('a table in text given as a workbook is named', async () => {
  using folder = openFiles({ 'p.xlsx': 'user;right\na;pay\n' });
  const { code, notes } = await folder.run('convert', 'xlsx', '--people', './p.xlsx');
  expect([code, notes]).toEqual([1, 'p.xlsx:1:1: is not xlsx but a table in text (CSV): --from csv reads it\n']);
});

test('tables of SAP may be workbooks', async () => {
  using folder = openFiles({
    'agr_users.xlsx': workbook({
      Data: [
        ['Rolle', 'Benutzername', 'Startdatum', 'Endedatum'],
        ['Z', 'ADA', { day: '2026-01-01' }, { day: '9999-12-31' }],
      ],
    }),
    'agr_1251.csv': 'AGR_NAME,OBJECT,FIELD,LOW\nZ,S_TCODE,TCD,F110\n',
  });
  const { code, out } = await folder.run(
    'convert',
    'sap',
    '--agr-users',
    './agr_users.xlsx',
    '--agr-1251',
    './agr_1251.csv',
  );
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('"access":[{"type":"ROLE","id":"Z","start":"2026-01-01T00:00:00.000Z"}]'),
  ]);
});
