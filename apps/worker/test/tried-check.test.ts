import { compileSodIndex, expandAssignments, type TimedAccessRef } from '@access-admin/domain';
import { expect, test } from 'vitest';
import { runCheck } from '../src/checks/run.ts';
import { policyOf } from './report-world.ts';
import { newCheck } from './sample-store.ts';

const NOW_MS = Date.parse('2026-03-01T12:00:00.000Z');
const TRIES = 12;

const day = (number: number) => new Date(NOW_MS + number * 86_400_000).toISOString();
const item = (id: string) => ({ type: 'ENTITLEMENT' as const, id, name: id, source: null });

const NONE = { readPending: async () => [] };

test('a check is tried again for commits of its tenant between its reads', async () => {
  const index = compileSodIndex(
    Array.from({ length: 3_000 }, (_, at) => policyOf(`p-${at}`, [['e-vendor'], ['e-pay']])),
    { entitlements: [item('e-vendor'), item('e-pay')], accessProfiles: [], roles: [] },
  );
  const assignments: TimedAccessRef[] = Array.from({ length: 31 }, (_, at) => ({
    type: 'ENTITLEMENT',
    id: 'e-vendor',
    start: day(at * 2 + 1),
    end: day(at * 2 + 2),
  }));
  const reading = {
    index,
    exceptions: null,
    policySetVersion: 1,
    changeId: null,
    revision: null,
    ...expandAssignments(index, assignments),
  };
  let tries = 0;
  const readExplanation = async () => {
    tries++;
    if (tries < TRIES) return null;
    const requested = [item('e-pay')];
    return { assignments, requested, roles: new Map(), accessProfiles: new Map(), advice: new Map() };
  };
  const check = { ...newCheck('r-1'), fence: 1, attempts: 1, includes: ['via' as const], origin: null };
  const deps = { reader: { read: () => reading }, sod: { readExplanation }, reservations: NONE, now: () => NOW_MS };
  const { state } = await runCheck(deps, check, () => undefined);
  expect([tries, state]).toEqual([TRIES, 'SUCCESS']);
});

test.each([[[]], [['via' as const]]])(
  'a check tells an instant before its data were read, with %j included',
  async (includes) => {
    const index = compileSodIndex([], { entitlements: [], accessProfiles: [], roles: [] });
    const clock = { ms: NOW_MS };
    const read = () => {
      clock.ms += 1_000;
      return { index, held: null, timed: null, exceptions: null, policySetVersion: 1, changeId: null, revision: null };
    };
    const check = { ...newCheck('r-1'), fence: 1, attempts: 1, includes, origin: null };
    const sod = { readExplanation: async () => null };
    const deps = { reader: { read }, sod, reservations: NONE, now: () => clock.ms };
    const { result } = await runCheck(deps, check, () => undefined);
    expect(result).toContain(`"asOf":"${day(0)}"`);
  },
);
