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
