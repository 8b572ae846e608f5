import type { SodReportChange, SodReportViolation } from '@access-admin/client';
import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareReports, LISTED_MAX } from './difference.ts';

const lineOf = (policyId: string, identityId: string, change: SodReportChange = 'same'): SodReportViolation => ({
  change,
  identityId,
  displayName: null,
  policyId,
  policyName: policyId,
  level: 'HIGH',
  exception: null,
  conflictingAccessCriteria: { criteria: [], atLeast: 2 },
});

async function* pagesOf(lines: readonly SodReportViolation[], size: number) {
  for (let at = 0; at < lines.length; at += size) yield lines.slice(at, at + size);
}

const inOrder = (one: SodReportViolation, other: SodReportViolation) =>
  Buffer.compare(Buffer.from(one.policyId), Buffer.from(other.policyId)) ||
  Buffer.compare(Buffer.from(one.identityId), Buffer.from(other.identityId));
const keyOf = ({ policyId, identityId, change }: SodReportViolation) => JSON.stringify([policyId, identityId, change]);

const id = fc.constantFrom('a', 'a-', 'a.b', 'aa', 'A', 'Z', '1', '10', '9', 'b_');
const report = fc
  .uniqueArray(fc.tuple(id, id, fc.constantFrom<SodReportChange>('new', 'same', 'gone')), {
    selector: ([policyId, identityId]) => JSON.stringify([policyId, identityId]),
    maxLength: 60,
  })
  .map((keys) => keys.map((key) => lineOf(...key)).toSorted(inOrder));

test('the difference of two reports is that of their sets of lines, in the order of reports', async () => {
  await fc.assert(
    fc.asyncProperty(report, report, fc.integer({ min: 1, max: 9 }), async (earlier, later, size) => {
      const before = new Set(earlier.map(keyOf));
      const after = new Set(later.map(keyOf));
      const { counts, first } = await compareReports({ earlier: pagesOf(earlier, size), later: pagesOf(later, size) });
      const expected = {
        new: later.filter((line) => !before.has(keyOf(line))),
        gone: earlier.filter((line) => !after.has(keyOf(line))),
        same: later.filter((line) => before.has(keyOf(line))),
      };
      expect(first).toEqual(expected);
      expect(counts).toEqual({ new: expected.new.length, gone: expected.gone.length, same: expected.same.length });
    }),
    runs(300),
  );
});

test('many lines are counted, the first of them are listed, and no page is read before it is needed', async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => lineOf('p', String(at).padStart(5, '0')));
  let given = 0;
  let ahead = 0;
  async function* slowly() {
    for (let at = 0; at < many.length; at += 250) {
      given += 250;
      ahead = Math.max(ahead, given - read);
      yield many.slice(at, at + 250);
    }
  }
  let read = 0;
  const onRead = (lines: number) => {
    read = lines;
  };
  const { counts, first } = await compareReports({ earlier: pagesOf([], 1), later: slowly(), onRead });
  expect(counts).toEqual({ new: 10_000, gone: 0, same: 0 });
  expect(first.new).toEqual(many.slice(0, LISTED_MAX));
  expect([read, ahead]).toEqual([10_000, 250]);
});

test('lines that are not in order, and pages that cannot be read, end the comparison', async () => {
  const closed: string[] = [];
  async function* failing() {
    try {
      yield [lineOf('a', 'a')];
      throw new Error('away');
    } finally {
      closed.push('failing');
    }
  }
  async function* endless() {
    try {
      for (let at = 0; ; at++) yield [lineOf('b', String(at).padStart(9, '0'))];
    } finally {
      closed.push('endless');
    }
  }
  await expect(compareReports({ earlier: failing(), later: endless() })).rejects.toThrow('away');
  expect(closed.toSorted()).toEqual(['endless', 'failing']);
  const disordered = pagesOf([lineOf('b', 'a'), lineOf('a', 'a')], 9);
  await expect(compareReports({ earlier: disordered, later: pagesOf([], 9) })).rejects.toThrow('not in order');
});
