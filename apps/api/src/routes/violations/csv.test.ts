import type { SodViolation } from '@access-admin/domain';
import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

const VIOLATION: SodViolation = {
  id: 'v-1',
  name: 'Pay: Ada',
  status: 'Open',
  level: 'High',
  created: '2026-11-21T09:30:00.000Z',
  modified: '2026-11-21T09:31:00.000Z',
  closed: null,
  lastEvaluatedDate: '2026-11-21T09:32:00.000Z',
  target: { type: 'IDENTITY', id: 'i-ada', name: 'Ada' },
  policy: { type: 'SOD_POLICY', id: 'p-1', name: 'Pay' },
  conflictingCriteria: [{ name: 'pay', conflictingItems: [{ type: 'ENTITLEMENT', id: 'e', name: 'E' }] }],
  exception: null,
  appliedControls: [],
  expiration: null,
};

const HEADER =
  'id,name,status,level,created,modified,closed,lastEvaluatedDate,targetId,targetName,policyId,policyName,ownerId,ownerName,conflictingCriteria,exceptionId,appliedControls,expiration\r\n';

async function write(...violations: readonly Partial<SodViolation>[]): Promise<string> {
  async function* all(): AsyncGenerator<SodViolation> {
    for (const violation of violations) yield { ...VIOLATION, ...violation };
  }
  let text = '';
  for await (const piece of csvOf(all())) text += piece;
  return text;
}

/** The cell of a name as it is written. */
const cellOf = async (name: string) => {
  const text = await write({ name });
  return text.slice(HEADER.length + 'v-1,'.length, text.indexOf(',Open,'));
};

test('violations are written by RFC 4180 with a header line; lists are JSON, and null is empty', async () => {
  expect(await write()).toBe(HEADER);
  expect(await write({})).toBe(
    `${HEADER}v-1,Pay: Ada,Open,High,2026-11-21T09:30:00.000Z,2026-11-21T09:31:00.000Z,,2026-11-21T09:32:00.000Z,i-ada,Ada,p-1,Pay,,,"[{""name"":""pay"",""conflictingItems"":[{""type"":""ENTITLEMENT"",""id"":""e"",""name"":""E""}]}]",,[],\r\n`,
  );
  const lines = await write({ owner: { type: 'IDENTITY', id: 'i-bob', name: '' }, expiration: 'then' }, {});
  expect(lines.split('\r\n')[1]).toContain(',i-bob,,');
  expect(lines.split('\r\n')[1]).toMatch(/,then$/);
  expect(lines.split('\r\n')).toHaveLength(4);
});

test.each([
  ['plain text', 'plain text'],
  [' spaced ', ' spaced '],
  ['a, b', '"a, b"'],
  ['a "b"', '"a ""b"""'],
  ['a\nb', '"a\nb"'],
  ['a\rb', '"a\rb"'],
  ['ends\r', '"ends\r"'],
  ['a\tb; c|d', 'a\tb; c|d'],
  ['Ünïcode 🎫', 'Ünïcode 🎫'],
  ["'", "'"],
  // A spreadsheet would take these for formulas.
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-1', "'-1"],
  ['\t=1', "'\t=1"],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ['1=1', '1=1'],
  ['', ''],
])('the name %j is written as %j', async (name, cell) => {
  expect(await cellOf(name)).toBe(cell);
});

test('the source of an export ends with its reader', async () => {
  let isEnded = false;
  async function* endless(): AsyncGenerator<SodViolation> {
    try {
      for (;;) yield VIOLATION;
    } finally {
      isEnded = true;
    }
  }
  let lines = 0;
  for await (const _ of csvOf(endless())) if (++lines === 3) break;
  expect(isEnded).toBe(true);
});
