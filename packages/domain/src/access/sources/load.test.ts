import { describe, expect, test } from 'vitest';
import { addToSummary, EMPTY_LOAD_SUMMARY, LOAD_FAULTS_MAX, lossesToConfirm } from './load.ts';

describe('the losses of a load', () => {
  test.each<readonly [number, number, number, number, number | null]>([
    // deleted, emptied, accounts, percent, to confirm
    [10, 0, 20, 10, null],
    [11, 0, 20, 10, 11],
    [0, 11, 20, 10, 11],
    [11, 0, 110, 10, null],
    [12, 0, 110, 10, 12],
    [11, 12, 20, 10, 12],
    [20, 0, 20, 100, null],
    [11, 0, 100_000, 0, 11],
    [0, 0, 0, 0, null],
  ])(
    '%i deleted and %i emptied of %i accounts at %i %% are to be confirmed as %j',
    (deleted, emptied, accounts, deleteThresholdPercent, toConfirm) => {
      expect(lossesToConfirm({ deleted, emptied, accounts }, { deleteThresholdPercent })).toBe(toConfirm);
    },
  );
});

test('summaries of pieces add up, and name the first 100 faults', () => {
  const faults = Array.from({ length: 60 }, (_, at) => ({ part: 1, line: at + 1, text: 'wrong' }));
  const piece = { accounts: { created: 1, updated: 2, deleted: 3, unchanged: 4 }, disabled: 5, faults, faultCount: 80 };
  const sum = addToSummary(addToSummary(EMPTY_LOAD_SUMMARY, piece), piece);
  expect(sum).toMatchObject({
    accounts: { created: 2, updated: 4, deleted: 6, unchanged: 8 },
    access: { added: 0, removed: 0 },
    disabled: 10,
    faultCount: 160,
  });
  expect(sum.faults).toHaveLength(LOAD_FAULTS_MAX);
});
