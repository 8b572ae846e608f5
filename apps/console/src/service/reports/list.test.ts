import { expect, test } from 'vitest';
import { comparableWith, filterReports, findScanBefore, isUnderWay, keptUntil, type ReportHead } from './list.ts';

const report = (reportId: string, given: Partial<ReportHead> = {}): ReportHead => ({
  reportId,
  requestedBy: { clientId: 'c', identityId: null, displayName: null },
  question: {},
  kind: 'SCAN',
  state: 'SUCCESS',
  progress: 1,
  policySetVersion: 1,
  asOf: null,
  created: '2026-11-23T10:00:00.000Z',
  completed: '2026-11-23T10:00:01.000Z',
  ...given,
});
const idsOf = (reports: readonly ReportHead[]) => reports.map(({ reportId }) => reportId);

const running = report('running', { state: 'RUNNING', completed: null });
const later = report('later');
const future = report('future', { at: '2027-01-01T00:00:00.000Z' });
const failed = report('failed', { state: 'ERROR' });
const trial = report('trial', { kind: 'DRY_RUN' });
const first = report('first');
const all = [running, later, future, failed, trial, first];

test('a report is kept for seven days after its end', () => {
  expect([isUnderWay(running), keptUntil(running)]).toEqual([true, null]);
  expect([isUnderWay(first), keptUntil(first)]).toEqual([false, '2026-11-30T10:00:01.000Z']);
});

test('reports are found by their kind and state', () => {
  expect(idsOf(filterReports(all, {}))).toEqual(idsOf(all));
  expect(idsOf(filterReports(all, { kind: 'SCAN', state: 'SUCCESS' }))).toEqual(['later', 'future', 'first']);
  expect(idsOf(filterReports(all, { state: 'UNDER_WAY' }))).toEqual(['running']);
});

test('a report is compared with those of its kind before it that have a result', () => {
  expect(idsOf(comparableWith(all, later))).toEqual(['future', 'first']);
  expect(idsOf(comparableWith(all, future))).toEqual(['first']);
});

test('the scan before a scan is one of the same instant; other kinds of report have none', () => {
  expect(findScanBefore(all, later)?.reportId).toBe('first');
  expect([first, future, running, trial].map((each) => findScanBefore(all, each))).toEqual(Array(4).fill(undefined));
});
