import { describe, expect, test } from 'vitest';
import { type ExceptionWorld, GUILTY, holder, openExceptions } from './sod-exceptions-world.ts';
import { WORLD } from './test-api.ts';

const PREDICT = '/sod-violations/v1/predict';
const NOW_MS = Date.parse('2026-11-21T09:30:00.000Z');
const inMinutes = (minutes: number) => new Date(NOW_MS + minutes * 60_000).toISOString();

const criteriaOf = (left: readonly string[], right: readonly string[]) => {
  const side = (ids: readonly string[]) => ({
    name: null,
    criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT', id })),
  });
  return { leftCriteria: side(left), rightCriteria: side(right) };
};

/** Cleo violates `p-1` and `p-2`, and requests access that adds to both violations and violates `p-3`. */
const MODEL = [
  { kind: 'entitlement', id: 'e-more', name: 'More' },
  ...['p-1', 'p-2'].map((id) => ({
    kind: 'sodPolicy',
    id,
    name: id,
    correctionAdvice: 'Revoke one.',
    conflictingAccessCriteria: criteriaOf(['e-vendor', 'e-more'], ['e-pay']),
  })),
  { kind: 'sodPolicy', id: 'p-3', name: 'p-3', conflictingAccessCriteria: criteriaOf(['e-more'], ['e-vendor']) },
];
const REQUEST = { identityId: 'i-cleo', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-more' }] };

async function openCovered() {
  const world = await openExceptions();
  expect((await world.api.importRecords(MODEL)).status).toBe(200);
  return world;
}

interface Context {
  readonly policy: { readonly id: string };
  readonly exception?: unknown;
}

const exceptionsIn = (contexts: readonly Context[]) => contexts.map(({ policy, exception }) => [policy.id, exception]);

/** The exceptions by policy in a prediction; in a batch and with `include=via` they must be the same. */
async function coveredNow({ api }: ExceptionWorld, body: object = REQUEST) {
  const single = await api.call('POST', PREDICT, { body });
  const batch = await api.call('POST', `${PREDICT}/batch`, {
    headers: { 'content-type': 'application/x-ndjson' },
    body: `${JSON.stringify(body)}\n`,
  });
  const explained = await api.call('POST', `${PREDICT}?include=via`, { body });
  expect(JSON.parse(batch.text)).toEqual({ index: 0, status: 200, body: single.json });
  const found = exceptionsIn(single.json.violationContexts);
  expect(exceptionsIn(explained.json.violationContexts)).toEqual(found);
  return found;
}

const BARE = [
  ['p-1', undefined],
  ['p-2', undefined],
  ['p-3', undefined],
];

describe('a violation that an exception covers', () => {
  test('stays in the response, with its exception and the end of it', async () => {
    const world = await openCovered();
    const { api, ask, move } = world;
    const before = (await api.call('POST', PREDICT, { body: REQUEST })).json;
    expect(before.violationContexts).toHaveLength(3);
    const { id } = (await ask({ end: inMinutes(5) })).json;
    // A requested exception is not approved yet.
    expect(await coveredNow(world)).toEqual(BARE);
    expect((await move(id, 'approve')).status).toBe(200);
    const covered = (await api.call('POST', PREDICT, { body: REQUEST })).json;
    const [first, ...others] = before.violationContexts;
    const exception = { id, end: inMinutes(5) };
    expect(covered).toEqual({ ...before, violationContexts: [{ ...first, exception }, ...others] });
    expect(await coveredNow(world)).toEqual([['p-1', exception], ...BARE.slice(1)]);
    expect((await move(id, 'revoke')).status).toBe(200);
    expect(await coveredNow(world)).toEqual(BARE);
  });

  test('is covered from the start of the window up to, but not including, its end', async () => {
    const world = await openCovered();
    const id = await world.approved({ start: inMinutes(1), end: inMinutes(2) });
    const seen = [];
    for (const ms of [0, 59_999, 60_000, 119_999, 120_000]) {
      world.api.clock.nowMs = NOW_MS + ms;
      seen.push((await coveredNow(world))[0]?.[1]);
    }
    const exception = { id, end: inMinutes(2) };
    expect(seen).toEqual([undefined, undefined, exception, exception, undefined]);
  });

  test('is not covered when the exception ends before the requested access begins', async () => {
    const world = await openCovered();
    const id = await world.approved({ start: inMinutes(0), end: inMinutes(60) });
    const granted = (window: object) => ({ ...REQUEST, accessRefs: [{ ...REQUEST.accessRefs[0], ...window }] });
    const exception = { id, end: inMinutes(60) };
    for (const [window, covering] of [
      [{ start: inMinutes(30) }, exception],
      [{ end: inMinutes(30) }, exception],
      [{ start: inMinutes(30), end: inMinutes(90) }, undefined],
      [{ start: inMinutes(60) }, undefined],
      [{ start: inMinutes(90), end: inMinutes(95) }, undefined],
    ] as const)
      expect([window, (await coveredNow(world, granted(window)))[0]]).toEqual([window, ['p-1', covering]]);
    // With `at`, only that instant counts.
    expect((await coveredNow(world, { ...granted({}), at: inMinutes(59) }))[0]).toEqual(['p-1', exception]);
    expect((await coveredNow(world, { ...granted({}), at: inMinutes(60) }))[0]).toEqual(['p-1', undefined]);
  });

  test('applies to its identity and its policy only', async () => {
    const world = await openCovered();
    await world.api.importRecords([holder('i-eve', 'e-vendor', 'e-pay')]);
    const first = await world.approved();
    const second = await world.approved({ policyId: 'p-2' });
    expect((await coveredNow(world)).map(([, exception]) => exception)).toMatchObject([
      { id: first },
      { id: second },
      // Held access does not violate this policy, so that no exception can be approved.
      undefined,
    ]);
    expect(await coveredNow(world, { ...REQUEST, identityId: 'i-eve' })).toEqual(BARE);
    expect(await coveredNow(world, { ...REQUEST, accessRefs: [] })).toEqual([]);
  });

  test('is no longer covered once the conflict has ended, even if it returns', async () => {
    const world = await openCovered();
    await world.approved();
    const lost = holder('i-cleo', 'e-vendor', 'e-report');
    await world.api.importRecords([lost]);
    await world.api.importRecords([GUILTY]);
    expect(await coveredNow(world)).toEqual(BARE);
    const again = await world.approved();
    expect(await coveredNow(world)).toMatchObject([['p-1', { id: again }], ...BARE.slice(1)]);
    // Changes the version of the rulebook, but not that of the identity.
    await world.api.importRecords([{ ...WORLD[10], state: 'NOT_ENFORCED' }]);
    expect((await coveredNow(world)).map(([policy]) => policy)).toEqual(['p-2', 'p-3']);
    await world.api.importRecords(MODEL);
    expect(await coveredNow(world)).toEqual(BARE);
  });

  test('is unchanged for identities without an exception, byte for byte', async () => {
    const world = await openCovered();
    await world.api.importRecords([holder('i-eve', 'e-vendor', 'e-pay')]);
    const body = { ...REQUEST, identityId: 'i-eve' };
    const before = (await world.api.call('POST', PREDICT, { body })).text;
    await world.approved();
    expect((await world.api.call('POST', PREDICT, { body })).text).toBe(before);
  });

  test('fails like any other prediction with unknown refs', async () => {
    const { api, approved } = await openCovered();
    await approved();
    const refused = await api.call('POST', PREDICT, {
      body: { ...REQUEST, accessRefs: [{ type: 'ROLE', id: 'r-no' }] },
    });
    expect([refused.status, refused.json.detailCode]).toEqual([400, '400.1.404']);
  });
});
