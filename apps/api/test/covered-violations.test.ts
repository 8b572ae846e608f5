import { describe, expect, test } from 'vitest';
import { type ExceptionWorld, holder, openExceptions, voidExceptions } from './sod-exceptions-world.ts';
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

const item = (id: string, window: object = {}) => ({ type: 'ENTITLEMENT', id, ...window });

/** Cleo violates `p-1` and `p-2` for 30 minutes, `p-3` for 10, and requests the same again for a while. */
const CLEO = {
  ...holder('i-cleo'),
  access: [item('e-vendor'), item('e-pay', { end: inMinutes(30) }), item('e-more', { end: inMinutes(10) })],
};
const MODEL = [
  ...['e-more', 'e-other'].map((id) => ({ kind: 'entitlement', id, name: id })),
  ...['p-1', 'p-2'].map((id) => ({
    kind: 'sodPolicy',
    id,
    name: id,
    correctionAdvice: 'Revoke one.',
    conflictingAccessCriteria: criteriaOf(['e-vendor', 'e-more'], ['e-pay', 'e-other']),
  })),
  { kind: 'sodPolicy', id: 'p-3', name: 'p-3', conflictingAccessCriteria: criteriaOf(['e-more'], ['e-vendor']) },
  CLEO,
];
const requestFor = (window: object, ids = ['e-pay', 'e-more']) => ({
  identityId: 'i-cleo',
  accessRefs: ids.map((id) => item(id, window)),
});
const REQUEST = requestFor({ start: inMinutes(30), end: inMinutes(40) });

async function openCovered() {
  const world = await openExceptions();
  expect((await world.api.importRecords(MODEL)).status).toBe(200);
  return world;
}

interface Context {
  readonly policy: { readonly id: string };
  readonly exception?: unknown;
  readonly exceptionEnds?: string;
}

/** The exception by policy; where it is null, the end of one that covers a part. */
const exceptionsIn = (contexts: readonly Context[]) =>
  contexts.map(({ policy, exception, exceptionEnds }) => [
    policy.id,
    exceptionEnds === undefined ? exception : `part until ${exceptionEnds}`,
  ]);

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
    const { id } = (await ask({ end: inMinutes(40) })).json;
    // A requested exception is not approved yet.
    expect(await coveredNow(world)).toEqual(BARE);
    expect((await move(id, 'approve')).status).toBe(200);
    const covered = (await api.call('POST', PREDICT, { body: REQUEST })).json;
    const [first, ...others] = before.violationContexts;
    const exception = { id, end: inMinutes(40) };
    expect(covered).toEqual({ ...before, violationContexts: [{ ...first, exception }, ...others] });
    expect(await coveredNow(world)).toEqual([['p-1', exception], ...BARE.slice(1)]);
    expect((await move(id, 'revoke')).status).toBe(200);
    expect(await coveredNow(world)).toEqual(BARE);
  });

  test('is covered with `at` from the start of the window up to, but not including, its end', async () => {
    const world = await openCovered();
    const id = await world.approved({ start: inMinutes(31), end: inMinutes(32) });
    const seen = [];
    for (const ms of [1_859_999, 1_860_000, 1_919_999, 1_920_000]) {
      const at = new Date(NOW_MS + ms).toISOString();
      seen.push((await coveredNow(world, { ...requestFor({}), at }))[0]?.[1]);
    }
    const exception = { id, end: inMinutes(32) };
    expect(seen).toEqual([null, exception, exception, null]);
  });

  test.each<readonly [string, { readonly start: number; readonly end?: number }, boolean]>([
    ['all moments, where the grant ends before the exception', { start: 30, end: 60 }, true],
    ['all moments, where the grant begins with a pause', { start: 50, end: 60 }, true],
    ['a part, where the grant goes on after it', { start: 30, end: 61 }, false],
    ['a part, where the grant begins after it', { start: 70, end: 80 }, false],
    ['a part, where the grant has no end', { start: 30 }, false],
  ])('is covered at %s', async (_, { start, end }, isCovered) => {
    const world = await openCovered();
    const id = await world.approved({ end: inMinutes(60) });
    const window = { start: inMinutes(start), ...(end !== undefined && { end: inMinutes(end) }) };
    const exception = isCovered ? { id, end: inMinutes(60) } : `part until ${inMinutes(60)}`;
    expect((await coveredNow(world, requestFor(window)))[0]).toEqual(['p-1', exception]);
  });

  test('is not covered at all by an exception that begins after it', async () => {
    const world = await openCovered();
    await world.approved({ start: inMinutes(50), end: inMinutes(60) });
    const found = await coveredNow(world, requestFor({ start: inMinutes(30), end: inMinutes(50) }));
    expect(found).toEqual([['p-1', null], ...BARE.slice(1)]);
  });

  test('is not covered where the grant adds what was not approved, and so ends the exception', async () => {
    const world = await openCovered();
    const { api, stateOf } = world;
    const id = await world.approved({ end: inMinutes(60) });
    const added = requestFor({ end: inMinutes(20) }, ['e-other']);
    for (const body of [added, { ...added, at: inMinutes(5) }])
      expect((await coveredNow(world, body))[0]).toEqual(['p-1', null]);
    // Also where the moment that is asked about shows nothing of it.
    const later = { ...requestFor({ start: inMinutes(30), end: inMinutes(40) }), at: inMinutes(35) };
    expect((await coveredNow(world, later))[0]).toEqual(['p-1', { id, end: inMinutes(60) }]);
    later.accessRefs.push(item('e-other', { start: inMinutes(37), end: inMinutes(38) }));
    expect((await coveredNow(world, later))[0]).toEqual(['p-1', null]);
    await api.importRecords([{ ...CLEO, access: [...CLEO.access, ...added.accessRefs] }]);
    expect(await stateOf(id)).toBe('VOID');
  });

  test('applies to its identity and its policy only', async () => {
    const world = await openCovered();
    await world.api.importRecords([holder('i-eve', 'e-vendor', 'e-pay')]);
    const first = await world.approved();
    const second = await world.approved({ policyId: 'p-2' });
    expect((await coveredNow(world)).map(([, exception]) => exception)).toMatchObject([
      { id: first },
      { id: second },
      undefined,
    ]);
    expect(await coveredNow(world, { ...REQUEST, identityId: 'i-eve' })).toEqual(BARE);
    expect(await coveredNow(world, { ...REQUEST, accessRefs: [] })).toEqual([]);
  });

  test('is no longer covered once the conflict has ended, even if it returns after the worker has seen that', async () => {
    const world = await openCovered();
    await world.approved();
    const lost = holder('i-cleo', 'e-vendor', 'e-report');
    await world.api.importRecords([lost]);
    await voidExceptions(world.api);
    await world.api.importRecords([CLEO]);
    expect(await coveredNow(world)).toEqual(BARE);
    const again = await world.approved();
    expect(await coveredNow(world)).toMatchObject([['p-1', { id: again }], ...BARE.slice(1)]);
    // Changes the version of the rulebook, but not that of the identity.
    await world.api.importRecords([{ ...WORLD[10], state: 'NOT_ENFORCED' }]);
    expect((await coveredNow(world)).map(([policy]) => policy)).toEqual(['p-2', 'p-3']);
    await voidExceptions(world.api);
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
