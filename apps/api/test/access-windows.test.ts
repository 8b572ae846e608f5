import { compileSodIndex, expandAssignments, type TimedAccessRef } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { concludeCheck } from './conclude-check.ts';
import { openTestApi } from './test-api.ts';

const PREDICT = '/sod-violations/v1/predict';
const CHECK = '/sod-violations/v1/check';

// The clock of the test API says 2026-11-21T09:30:00.000Z.
const PAST = '2026-01-01T00:00:00.000Z';
const NOW = '2026-11-21T09:30:00.000Z';
const SOON = '2027-01-01T00:00:00.000Z';
const LATER = '2028-01-01T00:00:00.000Z';
const LAST = '2029-01-01T00:00:00.000Z';

const hold = (id: string, window: object = {}) => ({ type: 'ENTITLEMENT', id, ...window });
const side = (...ids: string[]) => ({ name: null, criteriaList: ids.map((id) => hold(id)) });
const identity = (access: readonly object[], id = 'i-1') => ({
  kind: 'identity',
  id,
  uid: id,
  identityProfile: 'ip-emp',
  access,
});

const CATALOGUE = [
  ...['e-a', 'e-b', 'e-c'].map((id) => ({ kind: 'entitlement', id, name: `The ${id}`, source: null })),
  { kind: 'accessProfile', id: 'ap-a', name: 'A', entitlements: ['e-a'] },
  { kind: 'role', id: 'r-a', name: 'A again', accessProfiles: ['ap-a'], entitlements: [] },
  { kind: 'identityProfile', id: 'ip-emp', name: 'Employees' },
  {
    kind: 'sodPolicy',
    id: 'p-1',
    name: 'A and B',
    conflictingAccessCriteria: { leftCriteria: side('e-a'), rightCriteria: side('e-b') },
  },
];

const THREE = {
  kind: 'sodPolicy',
  id: 'p-3',
  name: 'Three of three',
  conflictingAccessCriteria: { criteria: [side('e-a'), side('e-b'), side('e-c')], atLeast: 3 },
};

async function openWorld(access: readonly object[], ...more: readonly object[]) {
  const api = await openTestApi();
  const imported = await api.importRecords([...CATALOGUE, identity(access), ...more]);
  if (imported.status !== 200) throw new Error(imported.text);
  const ask = (accessRefs: readonly object[], { query = '', ...rest }: { query?: string; at?: unknown } = {}) =>
    api.call('POST', `${PREDICT}${query}`, { body: { identityId: 'i-1', accessRefs, ...rest } });
  return { ...api, ask };
}

/** The violations in short: the policy, `preexisting`, and each item with `+` where it is existing. */
const shortly = ({ json }: { json: { violationContexts: readonly ShortContext[] } }) =>
  json.violationContexts.map(({ policy, preexisting, conflictingAccessCriteria: shown }) => {
    const sides = shown.criteria ?? [shown.leftCriteria, shown.rightCriteria];
    const items = sides
      .flatMap((each) => each?.criteriaList ?? [])
      .map(({ id, existing }) => id + (existing ? '+' : ''));
    return [policy.id, ...(preexisting ? ['preexisting'] : []), ...items].join(' ');
  });

interface ShortSide {
  readonly criteriaList: readonly { readonly id: string; readonly existing: boolean }[];
}

interface ShortContext {
  readonly policy: { readonly id: string };
  readonly preexisting: boolean;
  readonly conflictingAccessCriteria: {
    readonly criteria?: readonly ShortSide[];
    readonly leftCriteria?: ShortSide;
    readonly rightCriteria?: ShortSide;
  };
}

describe('a prediction without an instant', () => {
  test.each<[string, object, object, readonly string[]]>([
    ['held until what is requested begins', { end: SOON }, { start: SOON }, []],
    ['held a millisecond longer', { end: '2027-01-01T00:00:00.001Z' }, { start: SOON }, ['p-1 e-a+ e-b']],
    ['held in the past', { end: PAST }, {}, []],
    ['held until now', { end: NOW }, {}, []],
    ['held from now on', { start: NOW }, {}, ['p-1 e-a+ e-b']],
    ['held later', { start: LATER }, {}, ['p-1 e-a+ e-b']],
    ['held later, requested until then', { start: LATER }, { end: LATER }, []],
    ['held for no time', { start: SOON, end: SOON }, {}, []],
    ['requested for no time', {}, { start: SOON, end: SOON }, []],
    ['requested in the past', {}, { start: PAST, end: PAST.replace('2026-01', '2026-02') }, []],
    ['both for a while', { start: PAST, end: LATER }, { start: SOON, end: LAST }, ['p-1 e-a+ e-b']],
    [
      'the same instant with another offset',
      { end: '2027-01-01T01:00:00+01:00' },
      { start: '2026-12-31T19:00:00-05:00' },
      [],
    ],
    ['windows with ends that are null', { start: null, end: null }, { start: null, end: LAST }, ['p-1 e-a+ e-b']],
  ])('reports access that is held at the same time: %s', async (_, heldIn, requestedIn, expected) => {
    const { ask } = await openWorld([hold('e-a', heldIn)]);
    const answer = await ask([hold('e-b', requestedIn)]);
    expect(answer.status).toBe(200);
    expect(shortly(answer)).toEqual(expected);
  });

  test('shows the items of all instants with the violation; those held at the earliest are existing', async () => {
    const { ask } = await openWorld([hold('e-a', { end: LATER }), hold('e-b', { start: LATER })], THREE);
    // Held A and held B never overlap; the requested A, without end, overlaps B from 2028 on.
    expect(shortly(await ask([hold('e-a')]))).toEqual(['p-1 e-a e-b+']);
    // The requested B overlaps A from now on; held access alone never does.
    expect(shortly(await ask([hold('e-b')]))).toEqual(['p-1 e-a+ e-b']);
    // All three overlap in 2028 only.
    expect(shortly(await ask([hold('e-a', { start: LATER }), hold('e-c', { start: SOON, end: LAST })]))).toEqual([
      'p-1 e-a e-b+',
      'p-3 e-a e-b+ e-c',
    ]);
  });

  test('is preexisting if held access alone violates the policy at any instant from now on', async () => {
    const { ask } = await openWorld([hold('e-a'), hold('e-b', { start: LATER })]);
    expect(shortly(await ask([hold('e-b')]))).toEqual(['p-1 preexisting e-a+ e-b']);
    // No item is gained at an instant with the violation.
    expect(shortly(await ask([hold('e-b', { start: LAST })]))).toEqual([]);
  });
});

test('a cached held set is not used beyond the start or end of a window', async () => {
  const { ask, clock } = await openWorld([hold('e-a', { end: '2026-11-21T09:30:30.000Z' })]);
  expect(shortly(await ask([hold('e-b')]))).toEqual(['p-1 e-a+ e-b']);
  clock.nowMs += 29_999;
  expect(shortly(await ask([hold('e-b')]))).toEqual(['p-1 e-a+ e-b']);
  clock.nowMs += 1;
  expect(shortly(await ask([hold('e-b')]))).toEqual([]);
  expect(shortly(await ask([hold('e-b')], { at: NOW }))).toEqual(['p-1 e-a+ e-b']);
});

describe('a prediction at an instant', () => {
  test.each<[string, readonly string[]]>([
    [PAST, []],
    ['2026-12-31T23:59:59.999Z', []],
    [SOON, ['p-1 e-a+ e-b']],
    ['2027-12-31T23:59:59.999Z', ['p-1 e-a+ e-b']],
    ['2028-01-01T00:59:59.999+01:00', ['p-1 e-a+ e-b']],
    [LATER, []],
    ['2028-01-01T01:00+01:00', []],
  ])('uses only %s', async (at, expected) => {
    const { ask } = await openWorld([hold('e-a', { start: SOON, end: LATER })]);
    expect(shortly(await ask([hold('e-b')], { at }))).toEqual(expected);
  });

  test('an access ref without a window, or with null for both ends, always counts', async () => {
    const { ask } = await openWorld([hold('e-a')]);
    for (const at of [PAST, null, LAST]) expect(shortly(await ask([hold('e-b')], { at }))).toEqual(['p-1 e-a+ e-b']);
  });
});

test('unknown members of a requested ref are ignored', async () => {
  const { ask } = await openWorld([hold('e-a')]);
  const known = await ask([hold('e-b')]);
  const more = {
    kind: 'x',
    uid: 'ada',
    env: 'prod',
    state: SOON,
    source: { id: 's' },
    attributes: [1],
    __proto__x: null,
    constructor: 'x',
  };
  const answer = await ask([{ ...hold('e-b'), ...more }]);
  expect([answer.status, answer.json.violationContexts]).toEqual([200, known.json.violationContexts]);
});

describe('refused windows', () => {
  const REFUSED: readonly (readonly [string, object, string, string])[] = [
    ['an end before the start', { start: LATER, end: SOON }, '400.1.3', 'end: must not be before start'],
    [
      'an end before the start by an offset',
      { start: '2027-01-01T00:00:00Z', end: '2027-01-01T00:30:00+01:00' },
      '400.1.3',
      'end: must not be before start',
    ],
    [
      'an end before the start by a nanosecond',
      { start: '2027-01-01T00:00:00.123456789Z', end: '2027-01-01T00:00:00.123456788Z' },
      '400.1.3',
      'end: must not be before start',
    ],
    ['an instant without an offset', { start: '2027-01-01T00:00:00' }, '400.1.3', 'start: must be an instant'],
    ['a day', { end: '2027-01-01' }, '400.1.3', 'end: must be an instant'],
    ['a day that does not exist', { end: '2027-02-29T00:00:00Z' }, '400.1.3', 'end: must be an instant'],
    ['a number', { end: 5 }, '400.1.3', 'end: must be a string'],
    ['an empty text', { start: '' }, '400.1.3', 'start: must be an instant'],
    ['a start with a suffix', { startDate: SOON }, '400.1', 'startDate: unknown property'],
    ['a start with two suffixes', { starts_at: SOON }, '400.1', 'starts_at: unknown property'],
    ['an end with two suffixes', { endsAt: SOON }, '400.1', 'endsAt: unknown property'],
    ['an end of another case', { END: SOON }, '400.1', 'END: unknown property'],
  ];

  test.each(REFUSED)('%s in a request, with its position', async (_, window, detailCode, text) => {
    const { ask, call, importRecords } = await openWorld([]);
    const refs = [hold('e-a'), hold('e-b', window)];
    const said = `accessRefs[1].${text}`;
    for (const answer of [
      await ask(refs),
      await ask(refs, { query: '?include=via' }),
      await call('POST', CHECK, { body: { identityId: 'i-1', accessRefs: refs } }),
    ]) {
      expect([answer.status, answer.json.detailCode]).toEqual([400, detailCode]);
      expect(JSON.stringify(answer.json.causes)).toContain(said);
    }
    const imported = await importRecords([CATALOGUE[0] ?? {}, identity(refs)]);
    expect([imported.status, imported.json.detailCode]).toEqual([400, detailCode]);
    expect(JSON.stringify(imported.json.causes)).toContain(`line 2: access[1].${text}`);
  });

  test.each(['2027-01-01', '', 5, '2027-01-01T00:00:00', {}])('%j as the instant', async (at) => {
    const { ask } = await openWorld([]);
    const answer = await ask([hold('e-a')], { at });
    expect([answer.status, answer.json.detailCode]).toEqual([400, '400.1.3']);
    expect(JSON.stringify(answer.json.causes)).toContain('at: must be');
  });

  test('an unknown ref, even with an empty window, and an unknown identity', async () => {
    const { ask, call } = await openWorld([hold('e-a', { end: SOON })]);
    const unknown = await ask([hold('e-b'), hold('e-none', { end: PAST })]);
    expect([unknown.status, unknown.json.detailCode]).toEqual([400, '400.1.404']);
    expect(unknown.text).toContain('accessRefs[1]');
    const body = { identityId: 'i-none', accessRefs: [hold('e-b')], at: SOON };
    expect((await call('POST', PREDICT, { body })).status).toBe(404);
  });
});

describe('an assignment with a window', () => {
  const ACCESS = [
    hold('e-a'),
    hold('e-a', { start: SOON, end: LATER }),
    hold('e-a', { start: LATER }),
    hold('e-b', { end: '2027-01-01T01:00:00.5+01:00' }),
    hold('e-c', { start: SOON, end: SOON }),
    { type: 'ROLE', id: 'r-a', start: LATER, end: null },
    hold('e-a', { start: SOON, end: '2028-01-01T00:00:00Z' }),
  ];

  test('is exported in UTC and without repetition, and an import of the export restores it', async () => {
    const { call } = await openWorld(ACCESS);
    const exported = (await call('GET', '/access-model/v1/export')).text;
    const line = exported.split('\n').find((each) => each.includes('"kind":"identity"'));
    expect(JSON.parse(line ?? '').access).toEqual([
      hold('e-a'),
      hold('e-a', { start: SOON, end: LATER }),
      hold('e-a', { start: LATER }),
      hold('e-b', { end: '2027-01-01T00:00:00.500Z' }),
      hold('e-c', { start: SOON, end: SOON }),
      { type: 'ROLE', id: 'r-a', start: LATER },
    ]);
    const again = await openTestApi();
    const records = exported
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each));
    expect((await again.importRecords(records)).status).toBe(200);
    expect((await again.call('GET', '/access-model/v1/export')).text).toBe(exported);
  });

  test('prevents the deletion of the record that it refers to, at any time', async () => {
    const { importRecords } = await openWorld([hold('e-c', { end: PAST })]);
    const answer = await importRecords([{ kind: 'entitlement', id: 'e-c', delete: true }]);
    expect([answer.status, answer.json.detailCode]).toEqual([409, '409.1']);
  });

  test('takes effect at once when it is changed', async () => {
    const { ask, importRecords } = await openWorld([hold('e-a', { end: PAST })]);
    expect(shortly(await ask([hold('e-b')]))).toEqual([]);
    await importRecords([identity([hold('e-a', { end: SOON })])]);
    expect(shortly(await ask([hold('e-b')]))).toEqual(['p-1 e-a+ e-b']);
    await importRecords([identity([])]);
    expect(shortly(await ask([hold('e-b')]))).toEqual([]);
  });
});

test('a batch answers each request with its windows as a single call does', async () => {
  const { ask, call } = await openWorld([hold('e-a', { start: SOON, end: LATER })]);
  const requests = [
    { accessRefs: [hold('e-b')] },
    { accessRefs: [hold('e-b', { end: SOON })] },
    { accessRefs: [hold('e-b')], at: LATER },
    { accessRefs: [hold('e-b')], at: SOON },
    { accessRefs: [hold('e-b', { start: LATER, end: SOON })] },
  ];
  const answer = await call('POST', `${PREDICT}/batch`, {
    headers: { 'content-type': 'application/x-ndjson' },
    body: requests.map((request) => JSON.stringify({ identityId: 'i-1', ...request })).join('\n'),
  });
  const lines = answer.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const [at, { accessRefs, ...rest }] of requests.entries()) {
    const single = await ask(accessRefs, rest);
    const body = JSON.parse(JSON.stringify(single.json).replaceAll(single.json.trackingId, lines[at].body.trackingId));
    expect(lines[at]).toEqual({ index: at, status: single.status, body });
  }
  expect(lines.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400]);
});

describe('the paths to an item', () => {
  const ROLE = { type: 'ROLE', id: 'r-a', name: 'A again' };
  const PROFILE = { type: 'ACCESS_PROFILE', id: 'ap-a', name: 'A' };
  const ACCESS = [
    hold('e-a', { end: SOON }),
    { type: 'ACCESS_PROFILE', id: 'ap-a', start: SOON },
    { type: 'ROLE', id: 'r-a', end: PAST },
    { type: 'ROLE', id: 'r-a', start: LATER },
  ];

  test.each<[string, object, object, object, readonly object[]]>([
    [
      'lead through all access that ever counts',
      {},
      {},
      {},
      [
        { source: 'ASSIGNED', path: [] },
        { source: 'ASSIGNED', path: [PROFILE] },
        { source: 'ASSIGNED', path: [ROLE, PROFILE] },
      ],
    ],
    ['not through what begins later', { end: SOON }, {}, {}, [{ source: 'ASSIGNED', path: [] }]],
    ['not through what has ended', { start: SOON, end: LATER }, {}, {}, [{ source: 'ASSIGNED', path: [PROFILE] }]],
    [
      'lead through access that holds at the instant',
      {},
      {},
      { at: LATER },
      [
        { source: 'ASSIGNED', path: [PROFILE] },
        { source: 'ASSIGNED', path: [ROLE, PROFILE] },
      ],
    ],
    [
      'lead through requested access that counts',
      { start: LAST },
      { start: SOON, end: '2029-01-01T00:00:00.001Z' },
      {},
      [
        { source: 'REQUESTED', path: [] },
        { source: 'ASSIGNED', path: [PROFILE] },
        { source: 'ASSIGNED', path: [ROLE, PROFILE] },
      ],
    ],
    [
      'do not lead through access requested for another time',
      { start: LAST },
      { start: SOON, end: LAST },
      {},
      [
        { source: 'ASSIGNED', path: [PROFILE] },
        { source: 'ASSIGNED', path: [ROLE, PROFILE] },
      ],
    ],
  ])('%s', async (_, requestedIn, againIn, rest, expected) => {
    const { ask } = await openWorld(ACCESS);
    const again = Object.keys(againIn).length > 0 ? [hold('e-a', againIn)] : [];
    const answer = await ask([hold('e-b', requestedIn), ...again], { query: '?include=via', ...rest });
    const [context] = answer.json.violationContexts;
    const { via, viaMore } = context.conflictingAccessCriteria.leftCriteria.criteriaList[0];
    expect([via, viaMore]).toEqual([expected, 0]);
    expect(context.correctionAdvice).toBeNull();
  });
});

describe('a check', () => {
  const ask = { identityId: 'i-1', accessRefs: [hold('e-b', { start: SOON, end: LATER })] };

  test('is stored with its windows and its instant', async () => {
    const { call, store } = await openWorld([hold('e-a', { end: SOON })]);
    for (const at of [undefined, '2027-01-01T01:00:00+01:00'])
      expect((await call('POST', CHECK, { body: { ...ask, at } })).status).toBe(202);
    const claims = await store.checks.claim({ nowMs: 0, leaseMs: 1_000, limit: 10 });
    expect(claims.map(({ accessRefs, at }) => [accessRefs, at])).toEqual(
      expect.arrayContaining([
        [ask.accessRefs, undefined],
        [ask.accessRefs, SOON],
      ]),
    );
  });

  test('with the same Idempotency-Key is the same check only if windows and instant are equal', async () => {
    const { call } = await openWorld([]);
    const send = async (body: object) =>
      (await call('POST', CHECK, { body, headers: { 'idempotency-key': 'k' } })).json.requestId;
    const others = [
      ask,
      { ...ask, at: SOON },
      { ...ask, at: LATER },
      { ...ask, accessRefs: [hold('e-b')] },
      { ...ask, accessRefs: [hold('e-b', { start: SOON })] },
      { ...ask, accessRefs: [hold('e-b', { end: SOON })] },
    ];
    const ids = [];
    for (const body of others) ids.push(await send(body));
    expect(new Set(ids).size).toBe(others.length);
    expect(await send({ ...ask, at: null, clientMetadata: null })).toBe(ids[0]);
    expect(await send({ ...ask, at: '2027-01-01T01:00:00+01:00' })).toBe(ids[1]);
  });

  test('has the result of a prediction at the same instant', async () => {
    const { ask: predict, store } = await openWorld([hold('e-a', { end: LATER })]);
    const { catalogue, policies } = await store.sod.loadRulebook('default');
    const index = compileSodIndex(policies, catalogue);
    const access = (await store.sod.readAssignments('default', 'i-1'))?.access ?? [];
    const accessRefs = [hold('e-b', { start: SOON })] as readonly TimedAccessRef[];
    for (const rest of [{}, { at: SOON }, { at: LATER }]) {
      const { result } = await concludeCheck({
        index,
        ...expandAssignments(index, access),
        check: { identityId: 'i-1', accessRefs, clientMetadata: null, ...rest },
        nowMs: Date.parse(NOW),
      });
      const { violationContexts } = (await predict(accessRefs, rest)).json;
      expect(JSON.parse(result).violationContexts).toEqual(violationContexts);
    }
  });
});

test('many windows are distinguished in an answer that is made in steps', async () => {
  const api = await openTestApi();
  const numbers = Array.from({ length: 500 }, (_, at) => String(at).padStart(3, '0'));
  const day = (number: string, more: number) =>
    new Date(Date.parse(SOON) + (Number(number) + more) * 86_400_000).toISOString();
  const model = [
    ...numbers.flatMap((number) => [
      { kind: 'entitlement', id: `e-${number}`, name: number, source: null },
      { kind: 'entitlement', id: `f-${number}`, name: number, source: null },
      {
        kind: 'sodPolicy',
        id: `p-${number}`,
        name: number,
        conflictingAccessCriteria: { leftCriteria: side(`e-${number}`), rightCriteria: side(`f-${number}`) },
      },
    ]),
    { kind: 'identityProfile', id: 'ip-emp', name: 'Employees' },
    identity(
      numbers.flatMap((number) =>
        [0, 600].map((later) => hold(`e-${number}`, { start: day(number, later), end: day(number, later + 1) })),
      ),
    ),
  ];
  expect((await api.importRecords(model)).status).toBe(200);
  const ask = async (begin: number) => {
    const accessRefs = numbers.map((number) =>
      hold(`f-${number}`, { start: day(number, begin), end: day(number, begin + 0.5) }),
    );
    return shortly(await api.call('POST', PREDICT, { body: { identityId: 'i-1', accessRefs } }));
  };
  expect(await ask(600.5)).toEqual(numbers.map((number) => `p-${number} e-${number}+ f-${number}`));
  expect(await ask(601)).toEqual([]);
  expect(await ask(599.5)).toEqual([]);
});
