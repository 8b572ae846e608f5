import { expandAssignments, type SodCheckResult } from '@access-admin/domain';
import type { ClaimedCheck, Store } from '@access-admin/store';
import { createSodReader, type SodReader } from '@access-admin/store';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunCheckDeps, runCheck } from '../src/checks/run.ts';
import { type NewStore, newCheck, openSampleStore } from './sample-store.ts';

let sample: NewStore;
let store: Store;

beforeEach(async () => {
  sample = await openSampleStore();
  store = sample.store;
});
afterEach(() => sample[Symbol.asyncDispose]());

const NOW_MS = Date.parse('2026-03-01T12:00:00.000Z');
const claimed = (fields: Partial<ClaimedCheck>): ClaimedCheck => ({
  ...newCheck('r-1'),
  fence: 1,
  attempts: 1,
  includes: [],
  origin: null,
  ...fields,
});

/** Runs a check; the outcome with its result parsed. */
async function run(fields: Partial<ClaimedCheck>, deps: Partial<RunCheckDeps> = {}) {
  const { state, result: text } = await runCheck(
    {
      reader: createSodReader(store.sod),
      sod: store.sod,
      reservations: store.reservations,
      now: () => NOW_MS,
      ...deps,
    },
    claimed(fields),
    () => undefined,
  );
  const result: SodCheckResult = JSON.parse(text);
  return { state, result };
}

/** The sample, in which the identity holds `e-vendor` in so many windows beside what it holds. */
function readerWithWindows(count: number): SodReader {
  const reader = createSodReader(store.sod);
  const day = (number: number) => new Date(NOW_MS + number * 86_400_000).toISOString();
  return {
    read: async (tenant, identityId) => {
      const reading = await reader.read(tenant, identityId);
      const windows = Array.from({ length: count }, (_, at) => ({ start: day(at * 2 + 1), end: day(at * 2 + 2) }));
      const access = windows.map((window) => ({ type: 'ENTITLEMENT' as const, id: 'e-vendor', ...window }));
      return { ...reading, timed: expandAssignments(reading.index, access).timed };
    },
  };
}

test('a check whose identity has got more windows than can be explained ends in ERROR and says what to drop', async () => {
  const few = await run({ includes: ['via', 'remediation'] }, { reader: readerWithWindows(32) });
  expect([few.state, few.result.violationCount, few.result.omitted]).toEqual(['SUCCESS', 1, 0]);
  const { state, result } = await run({ includes: ['via', 'remediation'] }, { reader: readerWithWindows(33) });
  expect(state).toBe('ERROR');
  expect(result.message).toMatch(/^include: .* at most 64 .* here are 66: drop via and remediation, or .*\.$/);
  expect(result).toMatchObject({ violationContexts: [], violatedPolicies: [], violationCount: 0, omitted: 0 });
  expect(result).toMatchObject({ policySetVersion: 1, asOf: '2026-03-01T12:00:00.000Z' });
  expect((await run({}, { reader: readerWithWindows(400) })).state).toBe('SUCCESS');
});

test('a check whose roles and access profiles are too large to explain it ends in ERROR and names the bound', async () => {
  const sod = { readExplanation: async () => 'tooLarge' as const };
  const { state, result } = await run({ includes: ['via'] }, { sod });
  expect([state, result.message]).toEqual(['ERROR', expect.stringMatching(/larger than 8 MiB: ask without include/)]);
  expect((await run({}, { sod })).state).toBe('SUCCESS');
});

test('a check reads only what its includes need, and violations without advice are left out', async () => {
  const asked: unknown[] = [];
  const sod: RunCheckDeps['sod'] = {
    readExplanation: async (tenant, request) => {
      asked.push(request.includes);
      const explanation = await store.sod.readExplanation(tenant, request);
      return explanation === null || explanation === 'tooLarge' ? explanation : { ...explanation, advisedCount: 0 };
    },
  };
  const explained = await run({ includes: ['via'] }, { sod });
  expect(explained.result).toMatchObject({ violationContexts: [], violationCount: 1, omitted: 1 });
  expect(explained.result.violatedPolicies).toHaveLength(1);
  const remedied = await run({ includes: ['remediation'] }, { sod });
  expect(remedied.result).toMatchObject({ violationCount: 1, omitted: 0, remediation: { drop: { optimal: true } } });
  expect(asked).toEqual([['via'], ['remediation']]);
});
