import { expect, test } from 'vitest';
import type { Problem } from '../output/problem.ts';
import { type AccountRecord, createLoadWriter, withPrefix } from './write-records.ts';

const AT = { file: 'people.csv', line: 2, column: 1 };

const ANNA: AccountRecord = {
  id: '1',
  name: 'anna',
  displayName: 'Anna',
  fields: { firstname: 'Anna', email: 'a@example.com' },
  profile: { id: 'default', name: 'Default' },
  disabled: false,
  attributes: {},
  access: [],
};

async function write(...accounts: readonly Partial<AccountRecord>[]) {
  const lines: string[] = [];
  const problems: Problem[] = [];
  const faults = { add: (problem: Problem) => void problems.push(problem), count: 0 };
  const writer = createLoadWriter({ put: (line) => void lines.push(line), faults, onCut: null }, 'ERP');
  for (const account of accounts) await writer.account({ ...ANNA, ...account }, AT);
  return { records: lines.map((line) => JSON.parse(line)), problems: problems.map(({ text }) => text) };
}

test('what an account has no field for is an attribute of a load, the profile among it', async () => {
  const { records, problems } = await write({ statedProfile: 'External', attributes: { team: 'Payables' } });
  expect(records).toEqual([
    {
      kind: 'account',
      id: '1',
      name: 'anna',
      displayName: 'Anna',
      email: 'a@example.com',
      disabled: false,
      access: [],
      attributes: { team: 'Payables', firstname: 'Anna', identityProfile: 'External' },
    },
  ]);
  expect(problems).toEqual([]);
});

test('an attribute that is called like such a field is a fault, named once', async () => {
  const clashing = { attributes: { firstname: 'Bea' } };
  const { problems } = await write(clashing, clashing);
  expect(problems).toEqual([
    'attributes.firstname: another column is used as firstname; give one of them another name',
  ]);
});

test('what is mentioned alone is held back, and written but for what is known', async () => {
  const lines: string[] = [];
  const faults = { add: () => {}, count: 0 };
  const writer = createLoadWriter({ put: (line) => void lines.push(line), faults, onCut: null }, 'ERP');
  const idsOf = () => lines.map((line) => JSON.parse(line).id);
  for (const [id, mention] of [['pay', 'any'], ['vendor'], ['post', 'entitlement']] as const)
    await withPrefix(writer, 'x:').catalogue({ kind: 'entitlement', id, name: id }, AT, mention);
  expect([idsOf(), writer.count, writer.accounts]).toEqual([['x:vendor'], 3, 0]);
  expect(writer.items.map(({ id, mention }) => [id, mention])).toEqual([
    ['x:pay', 'any'],
    ['x:vendor', undefined],
    ['x:post', 'entitlement'],
  ]);
  writer.putMentions(new Set(writer.items.slice(0, 1)));
  writer.putMentions(new Set());
  expect(idsOf()).toEqual(['x:vendor', 'x:post']);
});
