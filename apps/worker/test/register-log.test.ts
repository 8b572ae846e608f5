import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createRegisterWorker } from './drive-register.ts';
import { identity, importAt, policyOf, policyRecord } from './report-world.ts';
import { openNewStore } from './sample-store.ts';

const START_MS = Date.parse('2026-03-01T12:00:00.000Z');
const STEP_MS = 60;
const MB = 1_000_000;
const IDENTITIES = 600;
const NAME = 'n'.repeat(900);
const LEFT = Array.from({ length: 50 }, (_, at) => `left-${at}`);
const RIGHT = Array.from({ length: 50 }, (_, at) => `right-${at}`);
const ACCESS = [...LEFT, ...RIGHT].map((id) => ({ type: 'ENTITLEMENT', id }) as const);
const ids = Array.from({ length: IDENTITIES }, (_, at) => `m-${at}`);

/** Identities whose violations have 100 KB each, and a worker that has to find them. */
async function openLarge() {
  const opened = await openNewStore();
  const { store } = opened;
  let nowMs = START_MS;
  const now = () => new Date(nowMs).toISOString();
  const importSome = (records: Parameters<typeof importAt>[2]) =>
    importAt(store, { tenant: 'acme', now: now() }, records);
  const enforce = (name: string) => importSome([policyRecord(policyOf('p', [LEFT, RIGHT], { name }))]);
  await importSome([
    ...[...LEFT, ...RIGHT].map((id) => ({ kind: 'entitlement', id, name: `${NAME} ${id}`, source: null }) as const),
    { kind: 'identityProfile', id: 'ip', name: 'Employees' },
    ...ids.map((id) => identity(id, null, ACCESS)),
  ]);
  const worker = createRegisterWorker(store, store.register, { batchMax: 30 });
  const path = opened.url.replace(/^sqlite:/, '');
  let logBytes = 0;
  let steps = 0;
  const settle = async (onStep: (step: number) => Promise<void> = async () => {}) => {
    logBytes = 0;
    steps = 0;
    await worker.settle(nowMs, async () => {
      logBytes = Math.max(logBytes, (await stat(`${path}-wal`)).size);
      nowMs += STEP_MS;
      steps += 1;
      await onStep(steps);
      return nowMs;
    });
    return { logBytes, fileBytes: (await stat(path)).size };
  };
  const shown = async () => {
    const query = { conditions: [], sorters: [], now: now() };
    const page = { limit: 250, offset: 0, after: null };
    const { violations } = await store.violations.list('acme', query, page);
    const { open } = await store.violations.summarize('acme', { now: now(), days: 1 });
    const present = violations.filter(({ closed }) => closed === null);
    return { open, names: new Set(present.map(({ policy }) => policy.name)) };
  };
  return { opened, store, importSome, enforce, settle, shown };
}

test.each([
  ['the first filling', false],
  ['the enforcement of a policy', true],
])('the log of SQLite stays small during %s, and changes meanwhile are taken in', async (_, isFilledBefore) => {
  const { opened, importSome, enforce, settle, shown } = await openLarge();
  await using __ = opened;
  if (isFilledBefore) await settle();
  await enforce('P');
  const { logBytes, fileBytes } = await settle(async (step) => {
    if (step === 150) await importSome([identity('late', null, ACCESS), { kind: 'identity', id: 'm-0', delete: true }]);
  });
  expect(fileBytes).toBeGreaterThan(60 * MB);
  expect(logBytes).toBeLessThan(40 * MB);
  expect(await shown()).toEqual({ open: IDENTITIES, names: new Set(['P']) });
});

test('a round ends though the rulebook changes, and tells each violation once', async () => {
  const { opened, store, enforce, settle, shown } = await openLarge();
  await using _ = opened;
  await enforce('P');
  const { logBytes } = await settle(async (step) => {
    if (step === 150) await enforce('Renamed');
  });
  expect(logBytes).toBeLessThan(40 * MB);
  expect(await shown()).toEqual({ open: IDENTITIES, names: new Set(['Renamed']) });
  const told = new Set<string>();
  for (let after = 0; ; ) {
    const { events } = await store.events.read('acme', { types: ['sod.violation.opened'], after, limit: 100 });
    for (const { data } of events) {
      const { target } = JSON.parse(data);
      expect(told.has(target.id)).toBe(false);
      told.add(target.id);
    }
    const last = events.at(-1);
    if (last === undefined) break;
    after = last.sequence;
  }
  expect(told.size).toBe(IDENTITIES);
});
