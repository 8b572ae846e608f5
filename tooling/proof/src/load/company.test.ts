import { expect, test } from 'vitest';
import { capabilitiesOf, changingIdentity, changingPolicy, readNumbers, uiUpdate } from './company.ts';

test.each([0, 1, 2, 1_000, 12_345])('the number %i that is written is the number that is read', (number) => {
  const exported = JSON.stringify([
    { ...changingIdentity('i-0', number), capabilities: capabilitiesOf(number) },
    changingPolicy('p-0', number),
    { kind: 'uiMetadata', id: 'tenant', ...uiUpdate('usernameLabel', number), ...uiUpdate('iFrameWhitelist', number) },
  ]);
  expect(readNumbers(JSON.parse(exported))).toEqual(
    new Map([
      ['i-0 name', number],
      ['i-0 capabilities', number],
      ['p-0', number],
      ['usernameLabel', number],
      ['usernameEmptyText', 0],
      ['iFrameWhitelist', number],
    ]),
  );
});

test('settings without a record are as before the first write; nothing else is there without one', () => {
  expect(readNumbers([])).toEqual(
    new Map([
      ['usernameLabel', 0],
      ['usernameEmptyText', 0],
      ['iFrameWhitelist', 0],
    ]),
  );
});
