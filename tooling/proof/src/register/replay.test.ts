import type { CloudEvent, SodViolation } from '@access-admin/client';
import { expect, test } from 'vitest';
import { findMistold, replay } from './replay.ts';

const tell = (...steps: readonly (readonly [step: string, id: string, status?: string])[]): readonly CloudEvent[] =>
  steps.map(([step, id, status = 'Open'], at) => ({
    specversion: '1.0',
    id: `${at}`,
    source: '',
    time: '',
    datacontenttype: 'application/json',
    dataschema: '',
    type: `org.access-admin.sod.violation.${step}.v1`,
    subject: `/violations/v1/${id}`,
    sequence: String(at + 1).padStart(20, '0'),
    data: { status },
  }));
const kept = (id: string, status: string) => ({ id, status }) as SodViolation;
const NOTHING = { gaps: [], lost: [], doubled: [] };

test('events that lead to the violations are complete', () => {
  const told = tell(
    ['opened', 'a'],
    ['opened', 'b', 'Mitigated'],
    ['mitigated', 'a'],
    ['reopened', 'b'],
    ['closed', 'a'],
  );
  expect(replay(told, [kept('a', 'Closed'), kept('b', 'Open')])).toEqual({ steps: 5, ...NOTHING });
});

test('a begin, a step or an end that is missing is lost', () => {
  expect(replay([], [kept('a', 'Open')]).lost).toHaveLength(1);
  expect(replay(tell(['opened', 'a']), [kept('a', 'Remediated')]).lost).toHaveLength(1);
  expect(replay(tell(['opened', 'a'], ['reopened', 'a']), [kept('a', 'Open')]).lost).toHaveLength(1);
  expect(replay(tell(['remediated', 'a']), [kept('a', 'Remediated')]).lost).toHaveLength(1);
  expect(replay(tell(['opened', 'a']), []).lost).toHaveLength(1);
});

test('a begin or an end that is told twice is doubled', () => {
  expect(replay(tell(['opened', 'a'], ['opened', 'a']), [kept('a', 'Open')]).doubled).toHaveLength(1);
  const twice = tell(['opened', 'a'], ['closed', 'a'], ['closed', 'a']);
  expect(replay(twice, [kept('a', 'Closed')])).toMatchObject({ lost: [], doubled: [expect.any(String)] });
});

test('a gap in the sequences is found', () => {
  const told = tell(['opened', 'a'], ['opened', 'b'], ['opened', 'c']).toSpliced(1, 1);
  expect(replay(told, [kept('a', 'Open'), kept('c', 'Open')]).gaps).toHaveLength(1);
});

test('an acknowledged step is told exactly once', () => {
  const told = tell(['opened', 'a'], ['opened', 'a'], ['opened', 'b']);
  const mistold = findMistold(told, 'sod.violation.opened', ['a', 'b', 'c']);
  expect(mistold).toEqual({ lost: ['sod.violation.opened of c'], doubled: ['2 times sod.violation.opened of a'] });
});
