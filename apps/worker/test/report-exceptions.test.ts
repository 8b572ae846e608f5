import {
  type AccessModelRecord,
  approveException,
  auditContextOf,
  requestException,
  revokeException,
  type SodExceptionState,
  type SodReportViolation,
  showReportLine,
  type TimedAccessRef,
} from '@access-admin/domain';
import { createEngineDatabase } from '@access-admin/harness';
import { createSodReader, type NewReport, openStore, readPrediction, type Store } from '@access-admin/store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { driveLoop, START_MS } from './drive-loop.ts';
import { createRegisterWorker } from './drive-register.ts';
import { identity, importAll, NOW, newReport, policyOf, policyRecord, readAll } from './report-world.ts';
import { migrate } from './sample-store.ts';

let store: Store;
let remove: () => Promise<void>;

beforeEach(async () => {
  const database = await createEngineDatabase(undefined, migrate);
  remove = database.remove;
  store = await openStore(database.url);
});

afterEach(async () => {
  await store.close();
  await remove();
});

const day = (month: number, date = 1) => new Date(Date.UTC(2026, month - 1, date)).toISOString();
const held = (id: string, start?: string, end?: string): TimedAccessRef => ({
  type: 'ENTITLEMENT',
  id,
  ...(start === undefined ? {} : { start }),
  ...(end === undefined ? {} : { end }),
});

const POLICY = policyOf('p', [['a'], ['b']]);
const CONSTANT = [held('a'), held('b')];
/** A conflict in April only. */
const APRIL = [held('a'), held('b', day(4), day(5))];
/** Conflicts in April and in June. */
const TWICE = [...APRIL, held('b', day(6), day(7))];

const modelOf = (people: Readonly<Record<string, readonly TimedAccessRef[]>>): readonly AccessModelRecord[] => [
  ...['a', 'b', 'c', 'd'].map((id) => ({ kind: 'entitlement', id, name: id, source: null }) as const),
  { kind: 'identityProfile', id: 'ip', name: 'Employees' },
  policyRecord(POLICY),
  policyRecord(policyOf('q', [['c'], ['d']])),
  ...Object.entries(people).map(([id, access]) => identity(id, null, access)),
];

/** Requests an exception, and approves and revokes it as far as `state` says. */
async function except(
  id: string,
  window: readonly [string, string],
  state: 'REQUESTED' | 'APPROVED' | 'REVOKED' = 'APPROVED',
) {
  const [start, end] = window;
  const requested = { policyId: 'p', identityId: id, start, end, justification: 'why' };
  const caller = {
    tenant: 'acme',
    clientId: 'c',
    scopes: new Set<string>(),
    identityId: 'i-approver',
    capabilities: [],
  };
  const context = auditContextOf(caller, { operation: 'test', time: NOW, trackingId: '0'.repeat(32) });
  const actor = { identityId: 'i-approver', now: NOW, comment: null };
  const made = await store.exceptions.create(context, requested, (view) =>
    requestException(requested, view, { id: `x-${id}`, identityId: 'i-asker', now: NOW }),
  );
  expect(made).toMatchObject({ ok: true });
  const change = async (decide: typeof revokeException) =>
    expect(
      await store.exceptions.change(context, `x-${id}`, { decide: (view) => decide(view.exception, view, actor) }),
    ).toMatchObject({ ok: true });
  if (state === 'REQUESTED') return;
  const approved = await store.exceptions.change(context, `x-${id}`, {
    decide: (view) => approveException(view.exception, { ...view, capabilities: ['ORG_ADMIN'] }, actor),
  });
  expect(approved).toMatchObject({ ok: true });
  if (state === 'REVOKED') await change(revokeException);
}

async function report(fields: Partial<NewReport> = {}) {
  await store.reports.enqueue(newReport('r', fields), 10);
  const loop = driveLoop(store, { nowMs: START_MS });
  await loop.idle();
  loop.stop();
  await loop.ended;
  const { report: stored, lines, policies } = await readAll(store, 'r');
  expect(stored.state).toBe('SUCCESS');
  const shown: readonly SodReportViolation[] = lines.map(({ policy, line }) => showReportLine(policy, line));
  const excepted = shown.filter(({ exception }) => exception !== null).length;
  expect([stored.totals?.excepted, policies.reduce((sum, policy) => sum + policy.excepted, 0)]).toEqual([
    excepted,
    excepted,
  ]);
  for (const wanted of [true, false])
    expect(
      await store.reports.countViolations(stored, [{ field: 'excepted', operator: 'eq', values: [`${wanted}`] }]),
    ).toBe(wanted ? excepted : shown.length - excepted);
  return { shown, coveredBy: Object.fromEntries(shown.map((line) => [line.identityId, line.exception?.id ?? null])) };
}

const WINDOW = [day(2), day(8)] as const;

describe('a scan', () => {
  test('names the exception that covers a violation, which stays one', async () => {
    await importAll(store, 'acme', modelOf({ 'i-1': CONSTANT, 'i-2': CONSTANT, 'i-3': [held('a')] }));
    await except('i-1', WINDOW);
    const { shown } = await report();
    expect(shown.map(({ identityId, exception }) => [identityId, exception])).toEqual([
      ['i-1', { id: 'x-i-1', end: WINDOW[1] }],
      ['i-2', null],
    ]);
  });

  test('names only exceptions that are approved and within whose window every violating moment lies', async () => {
    const cases = {
      requested: [CONSTANT, WINDOW, 'REQUESTED', false],
      revoked: [CONSTANT, WINDOW, 'REVOKED', false],
      'not yet': [CONSTANT, [day(4), day(8)], 'APPROVED', false],
      'in april': [APRIL, [day(4), day(5)], 'APPROVED', true],
      'in april, from now on': [APRIL, WINDOW, 'APPROVED', true],
      'before april': [APRIL, [day(2), day(4)], 'APPROVED', false],
      'not all april': [APRIL, [day(2), day(4, 29)], 'APPROVED', false],
      'april of two months': [TWICE, [day(2), day(5)], 'APPROVED', false],
      'both months': [TWICE, WINDOW, 'APPROVED', true],
    } as const;
    const people = Object.entries(cases).map(([name, row]) => [name.replaceAll(/\W/g, '-'), row] as const);
    await importAll(store, 'acme', modelOf(Object.fromEntries(people.map(([id, [access]]) => [id, access]))));
    for (const [id, [, window, state]] of people) await except(id, window, state);
    const expected = Object.fromEntries(people.map(([id, [, , , isCovered]]) => [id, isCovered ? `x-${id}` : null]));
    expect((await report()).coveredBy).toEqual(expected);
  });

  test('at an instant has the violations of that instant, covered by windows that contain it', async () => {
    const people = { always: CONSTANT, april: APRIL, early: CONSTANT, june: TWICE, late: APRIL };
    await importAll(store, 'acme', modelOf(people));
    await except('always', [day(2), day(9)]);
    await except('early', [day(2), day(4, 15)]);
    await except('late', [day(4, 15), day(5)]);
    expect((await report({ at: day(4, 15) })).coveredBy).toEqual({
      always: 'x-always',
      april: null,
      early: null,
      june: null,
      late: 'x-late',
    });
  });

  test('at a past instant is covered as a prediction at that instant: by what was approved alone', async () => {
    const past = day(1, 15);
    // Approved are `a`, `b` and `e`, with which a request for `e` deepens the violation of the past.
    const plain = [...CONSTANT, held('e', day(3), day(4))];
    await importAll(store, 'acme', [
      { kind: 'entitlement', id: 'e', name: 'e', source: null },
      ...modelOf({ plain, widened: [...plain, held('c', day(1), day(2))], replaced: plain }),
      policyRecord(
        policyOf('p', [
          ['a', 'e'],
          ['b', 'c'],
        ]),
      ),
    ]);
    for (const id of ['plain', 'widened', 'replaced']) await except(id, [day(1), day(8)]);
    await importAll(store, 'acme', [identity('replaced', null, [held('a', day(1), day(2)), held('b')])]);
    const predicted = async (identityId: string) => {
      const question = { tenant: 'acme', identityId, accessRefs: [held('e')], at: past, includes: [] };
      const { sod, reservations } = store;
      const sources = { reader: createSodReader(sod), sod, reservations, now: () => START_MS };
      const found = await readPrediction(sources, question, async () => {});
      if (!found.ok || found.value.coverage === null) return null;
      const [violation] = found.value.found.violations;
      const covered = violation && found.value.coverage.coverageOf(violation);
      return covered?.exception?.id ?? null;
    };
    const { coveredBy } = await report({ at: past });
    expect(coveredBy).toEqual({ plain: 'x-plain', replaced: null, widened: null });
    for (const [id, exception] of Object.entries(coveredBy)) expect([id, await predicted(id)]).toEqual([id, exception]);
  });

  test('at an instant before the end of an exception names none that has become void since its end', async () => {
    await importAll(store, 'acme', modelOf({ 'i-1': CONSTANT }));
    await except('i-1', [day(2), day(3, 2)]);
    await createRegisterWorker(store).settle(Date.parse(day(3, 3)));
    await importAll(store, 'acme', [
      policyRecord(policyOf('p', [['a'], ['b', 'c']])),
      identity('i-1', null, [...CONSTANT, held('c')]),
    ]);
    await createRegisterWorker(store).settle(Date.parse(day(3, 4)));
    expect((await report({ at: NOW })).coveredBy).toEqual({ 'i-1': null });
    // The same after the clock has gone back, in lists and in the register.
    const listed = { limit: 9, offset: 0, after: null, isCounted: true };
    const inState = async (state: SodExceptionState) => {
      const conditions = [{ field: 'state', operator: 'eq', values: [state] }] as const;
      const found = await store.exceptions.list('acme', { conditions, now: NOW }, listed);
      return found.map(({ exception }) => exception.id);
    };
    expect([await inState('APPROVED'), await inState('VOID')]).toEqual([[], ['x-i-1']]);
    await createRegisterWorker(store).settle(Date.parse(NOW));
    const { violations } = await store.violations.list('acme', { conditions: [], sorters: [], now: NOW }, listed);
    expect(violations.map(({ status, exception }) => [status, exception])).toEqual([['Open', null]]);
    expect((await store.exceptions.find('acme', 'x-i-1', NOW))?.exception.voided).toBe(NOW);
  });

  test('at an instant without a violation is clean', async () => {
    await importAll(store, 'acme', modelOf({ april: APRIL, 'a-always': CONSTANT }));
    expect(Object.keys((await report({ at: day(5) })).coveredBy)).toEqual(['a-always']);
  });

  test('reads all exceptions of a tenant that has more than a page', async () => {
    const people = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`i-${at}`, CONSTANT]));
    await importAll(store, 'acme', modelOf(people));
    const ids = Array.from({ length: 520 }, (_, at) => `i-${at}`);
    // More exceptions than a page has, most of which end at the same instant.
    for (const id of ids) await except(id, WINDOW);
    const { coveredBy } = await report();
    expect(Object.entries(coveredBy).filter(([id, exception]) => exception === `x-${id}`)).toHaveLength(520);
  });
});

describe('a dry-run', () => {
  const CASES = [
    ['keeps an exception where the approved terms stay', { ...POLICY, description: 'Why' }, 'same', 'x-i-1'],
    ['shows a violation as open where the level changes', { ...POLICY, level: 'LOW' }, 'same', null],
    ['shows a violation as open where the criteria change', policyOf('p', [['a'], ['b', 'c']]), 'same', null],
    ['shows the exception of a violation that goes', { ...POLICY, state: 'NOT_ENFORCED' }, 'gone', 'x-i-1'],
  ] as const;

  test.each(CASES)('%s', async (_, changed, change, exception) => {
    await importAll(store, 'acme', modelOf({ 'i-1': CONSTANT }));
    await except('i-1', WINDOW);
    const { shown } = await report({ kind: 'DRY_RUN', dryRun: { add: [], change: [changed], remove: [] } });
    expect(shown.map((line) => [line.change, line.exception?.id ?? null])).toEqual([[change, exception]]);
  });
});

test('a blast radius has no exceptions: what it shows is not what was approved', async () => {
  await importAll(store, 'acme', [
    ...modelOf({ 'i-1': [{ type: 'ROLE', id: 'r' }, held('b')], 'i-2': CONSTANT }),
    { kind: 'role', id: 'r', name: 'r', entitlements: [], accessProfiles: [] },
  ]);
  const add = [held('a')];
  const { coveredBy } = await report({ kind: 'BLAST_RADIUS', blastRadius: { kind: 'role', id: 'r', add } });
  expect(coveredBy).toEqual({ 'i-1': null });
});
