import { expect, test } from 'vitest';
import { exceptionOfControl } from './application.ts';
import { type Control, expirationMs } from './model.ts';

const NOW = '2026-11-21T09:30:00.000Z';
const CONTROL: Control = {
  id: 'c-1',
  name: 'Second signature',
  description: null,
  owner: null,
  secondaryOwners: [],
  type: 'Mitigation',
  expiration: '20d',
  justificationRequired: false,
  created: NOW,
  modified: NOW,
};
const VIOLATION = { policyId: 'p-1', identityId: 'i-1', hasEnded: false };

test('applying a control requests an exception from now for the time of the control', () => {
  expect(exceptionOfControl(CONTROL, VIOLATION, { comments: null, now: NOW })).toEqual({
    ok: true,
    value: {
      policyId: 'p-1',
      identityId: 'i-1',
      start: NOW,
      end: '2026-12-11T09:30:00.000Z',
      justification: 'Second signature',
    },
  });
  expect(exceptionOfControl(CONTROL, VIOLATION, { comments: 'Year end', now: NOW })).toMatchObject({
    value: { justification: 'Year end' },
  });
  for (const comments of ['', ' ', '\n'])
    expect(exceptionOfControl(CONTROL, VIOLATION, { comments, now: NOW })).toMatchObject({
      value: { justification: 'Second signature' },
    });
});

test('a control is not applied after the end, nor without the comments that it needs', () => {
  const given = { comments: null, now: NOW };
  expect(exceptionOfControl(CONTROL, { ...VIOLATION, hasEnded: true }, given)).toMatchObject({
    failure: { type: 'Conflict' },
  });
  const strict = { ...CONTROL, justificationRequired: true };
  for (const comments of [null, '', ' '])
    expect(exceptionOfControl(strict, VIOLATION, { comments, now: NOW })).toMatchObject({
      failure: { type: 'RequiredMissing', causes: [{ at: 'comments' }] },
    });
  expect(exceptionOfControl(strict, VIOLATION, { comments: 'Year end', now: NOW }).ok).toBe(true);
});

test.each([
  ['1h', 3_600_000],
  ['720h', 2_592_000_000],
  ['20d', 1_728_000_000],
  ['366d', 31_622_400_000],
  ['8784h', 31_622_400_000],
  ['8785h', null],
  ['367d', null],
  ['0h', null],
  ['0d', null],
  ['1.5h', null],
  ['-1d', null],
  ['20', null],
  ['d', null],
  ['1m', null],
  [' 1h', null],
])('the expiration %s has %s ms', (text, ms) => {
  expect(expirationMs(text)).toBe(ms);
});
