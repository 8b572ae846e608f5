import { SOD_EXCEPTION_STATES } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { shareTestApi } from './share-test-api.ts';
import {
  END,
  EXCEPTIONS,
  exceptionsOf,
  GUILTY,
  holder,
  INNOCENT,
  openExceptions,
  refusalOf,
  voidExceptions,
} from './sod-exceptions-world.ts';
import { WORLD } from './test-api.ts';

const NOW_MS = Date.parse('2026-11-21T09:30:00.000Z');
const inMinutes = (minutes: number) => new Date(NOW_MS + minutes * 60_000).toISOString();
const POLICY = WORLD[10];
const side = (...ids: readonly string[]) => ({
  name: null,
  criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT', id })),
});
const criteria = (left: string, right: string) => ({ leftCriteria: side(left), rightCriteria: side(right) });

const MORE = ['e-more', 'e-other'].map((id) => ({ kind: 'entitlement', id, name: id }));
/** The policy with more items, which Cleo does not hold. */
const WIDE = {
  ...POLICY,
  conflictingAccessCriteria: {
    leftCriteria: side('e-vendor', 'e-more'),
    rightCriteria: side('e-pay', 'e-other'),
  },
};

/** Calls that end the conflict of Cleo, and whether they also end a requested exception. */
const ENDS: readonly {
  readonly name: string;
  readonly records?: readonly object[];
  readonly policy?: readonly [method: string, body?: unknown];
  readonly endsRequests: boolean;
}[] = [
  { name: 'access is taken away', records: [INNOCENT], endsRequests: false },
  { name: 'all access is taken away', records: [holder('i-cleo')], endsRequests: false },
  {
    name: 'a role loses the item',
    records: [{ kind: 'role', id: 'r-both', name: 'Both', entitlements: ['e-vendor'] }],
    endsRequests: false,
  },
  {
    name: 'an access profile within a role loses the item',
    records: [{ kind: 'accessProfile', id: 'ap-pay', name: 'Pay', entitlements: [] }],
    endsRequests: false,
  },
  { name: 'the identity is deleted', records: [{ kind: 'identity', id: 'i-cleo', delete: true }], endsRequests: true },
  {
    name: 'an import deletes the policy',
    records: [{ kind: 'sodPolicy', id: 'p-1', delete: true }],
    endsRequests: true,
  },
  { name: 'an import stops the policy', records: [{ ...POLICY, state: 'NOT_ENFORCED' }], endsRequests: false },
  {
    name: 'an import changes the policy',
    records: [{ ...POLICY, conflictingAccessCriteria: criteria('e-vendor', 'e-report') }],
    endsRequests: false,
  },
  { name: 'the policy is deleted', policy: ['DELETE'], endsRequests: true },
  {
    name: 'the policy is patched to nothing',
    policy: ['PATCH', [{ op: 'replace', path: '/state', value: 'NOT_ENFORCED' }]],
    endsRequests: false,
  },
  {
    name: 'the policy is replaced',
    policy: ['PUT', { name: 'Other', conflictingAccessCriteria: criteria('e-report', 'e-pay') }],
    endsRequests: false,
  },
];

/** Cleo holds one of the items through an access profile of a role. */
const BY_ROLE = [
  { kind: 'accessProfile', id: 'ap-pay', name: 'Pay', entitlements: ['e-pay'] },
  { kind: 'role', id: 'r-both', name: 'Both', accessProfiles: ['ap-pay'], entitlements: ['e-vendor'] },
  { ...holder('i-cleo'), access: [{ type: 'ROLE', id: 'r-both' }] },
];

describe('an exception becomes void for good when', () => {
  test.each(ENDS)('$name', async ({ records, policy, endsRequests }) => {
    const { api, ask, approved, stateOf, get, move } = await openExceptions();
    await api.importRecords(BY_ROLE);
    const id = await approved();
    api.clock.nowMs += 1_000;
    const ended = async () => {
      if (policy === undefined) return api.importRecords(records ?? []);
      const [method, body] = policy;
      return api.call(method, '/sod-policies/v1/p-1', body === undefined ? {} : { body });
    };
    expect((await ended()).status).toBeLessThan(300);
    // It is shown before the worker has stored it, and as the worker stores it.
    const read = await get(id);
    await voidExceptions(api);
    expect((await get(id)).text).toBe(read.text);
    expect(read.json).toMatchObject({ state: 'VOID', approverId: 'i-hal', voided: inMinutes(1 / 60) });
    for (const what of ['approve', 'revoke'] as const)
      expect(refusalOf(await move(id, what)).slice(0, 2)).toEqual([409, '409.1']);

    // The conflict returns: a new exception can be requested, and the void one stays void.
    expect((await api.importRecords([...WORLD, ...BY_ROLE])).status).toBe(200);
    expect((await get(id)).text).toBe(read.text);
    const again = await ask();
    expect(again.status).toBe(201);
    expect((await ended()).status).toBeLessThan(300);
    expect(await stateOf(again.json.id)).toBe(endsRequests ? 'VOID' : 'REQUESTED');
  });

  test('changes that keep the conflict void no exception', async () => {
    const { api, ask, approved, move, stateOf } = await openExceptions();
    await api.importRecords([
      holder('i-eve', 'e-vendor', 'e-pay'),
      { ...POLICY, id: 'p-2' },
      { ...POLICY, id: 'p-3' },
      { ...POLICY, id: 'p-4' },
    ]);
    const ofEve = await approved({ identityId: 'i-eve' });
    const ofOther = await approved({ policyId: 'p-2' });
    const revoked = await approved({ policyId: 'p-3' });
    await move(revoked, 'revoke');
    const expired = (await ask({ policyId: 'p-4', end: inMinutes(1) })).json.id;
    const id = await approved();
    api.clock.nowMs += 60_000;
    // The same access in another form, access that the policy does not name, and another description of the policy.
    await api.importRecords([...BY_ROLE, holder('i-eve', 'e-vendor', 'e-pay', 'e-report')]);
    await api.importRecords([{ ...POLICY, description: 'Described', tags: ['finance'] }]);
    for (const each of [id, ofEve, ofOther]) expect(await stateOf(each)).toBe('APPROVED');
    await api.importRecords([{ kind: 'sodPolicy', id: 'p-1', delete: true }]);
    for (const [each, state] of [
      [id, 'VOID'],
      [ofEve, 'VOID'],
      [ofOther, 'APPROVED'],
      [revoked, 'REVOKED'],
      [expired, 'EXPIRED'],
    ])
      expect([each, await stateOf(each ?? '')]).toEqual([each, state]);
    await api.importRecords([{ kind: 'identity', id: 'i-cleo', delete: true }]);
    expect([await stateOf(ofOther), await stateOf(revoked), await stateOf(expired)]).toEqual([
      'VOID',
      'REVOKED',
      'EXPIRED',
    ]);
  });

  test.each([
    ['an item joins the conflict', [holder('i-cleo', 'e-vendor', 'e-pay', 'e-more')]],
    ['the name of the policy changes', [{ ...WIDE, name: 'Renamed' }]],
    ['the level of the policy changes', [{ ...WIDE, level: 'LOW' }]],
    ['the criteria of the policy change', [{ ...WIDE, conflictingAccessCriteria: criteria('e-vendor', 'e-other') }]],
  ])('%s: what was approved no longer exists, and the violation is open again', async (_, records) => {
    const { api, approved, stateOf, list } = await openExceptions();
    await api.importRecords([...MORE, WIDE]);
    const id = await approved();
    const body = { identityId: 'i-cleo', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-other' }] };
    // The grant itself would end the exception.
    const exceptions = async () => {
      const { violationContexts } = (await api.call('POST', '/sod-violations/v1/predict', { body })).json;
      return violationContexts.map(({ exception }: { readonly exception?: unknown }) => exception);
    };
    expect(await exceptions()).toEqual([null]);
    expect((await api.importRecords(records)).status).toBe(200);
    expect(await stateOf(id)).toBe('VOID');
    expect((await list('state eq "VOID"')).json).toMatchObject([{ id }]);
    expect((await list('state eq "APPROVED"')).json).toEqual([]);
    expect(await exceptions()).toEqual([undefined]);
    // The next approval is of what is there now.
    await api.importRecords([holder('i-cleo', 'e-vendor', 'e-pay', 'e-more'), WIDE]);
    await approved();
    expect(await exceptions()).toEqual([null]);
  });

  test.each([
    ['name', 'Renamed'],
    ['level', 'LOW'],
    ['conflictingAccessCriteria', criteria('e-vendor', 'e-pay')],
  ])(
    'a patch of %s makes it void; the patch back revives it until the worker has stored and told that',
    async (field, value) => {
      const { api, approved, get } = await openExceptions();
      await api.importRecords([...MORE, WIDE]);
      const id = await approved();
      const patch = (to: unknown) =>
        api.call('PATCH', '/sod-policies/v1/p-1', { body: [{ op: 'replace', path: `/${field}`, value: to }] });
      const before = (await api.call('GET', '/sod-policies/v1/p-1')).json[field];
      api.clock.nowMs += 60_000;
      expect((await patch(value)).status).toBe(200);
      expect((await get(id)).json).toMatchObject({ state: 'VOID', voided: inMinutes(1) });
      expect((await patch(before)).status).toBe(200);
      expect((await get(id)).json).toMatchObject({ state: 'APPROVED', voided: null });
      expect((await patch(value)).status).toBe(200);
      await voidExceptions(api);
      expect((await patch(before)).status).toBe(200);
      const { json: shown } = await get(id);
      expect(shown).toMatchObject({ state: 'VOID', voided: inMinutes(1) });
      const { events } = await api.store.events.read('default', { types: ['sod.exception.voided'], limit: 9 });
      expect(events.map(({ data }) => JSON.parse(data))).toEqual([shown]);
    },
  );

  test('many exceptions become void at once', async () => {
    const { api, approved, list } = await openExceptions();
    const ids = Array.from({ length: 30 }, (_, at) => `p-many-${at}`);
    await api.importRecords(ids.map((id) => ({ ...POLICY, id })));
    for (const policyId of ids) await approved({ policyId });
    await api.importRecords([INNOCENT]);
    expect((await list('state eq "VOID"')).json).toHaveLength(30);
  });

  test('a conflict that ends during the approval leaves no exception in force', async () => {
    const { api, ask, move, stateOf } = await openExceptions();
    const { id } = (await ask()).json;
    const [moved] = await Promise.all([move(id, 'approve'), api.importRecords([INNOCENT])]);
    expect([
      [200, 'VOID'],
      [409, 'REQUESTED'],
    ]).toContainEqual([moved.status, await stateOf(id)]);
  });
});

describe('the list of exceptions', () => {
  const world = shareTestApi(async (api) => {
    const made = await exceptionsOf(api);
    const policies = Array.from({ length: 10 }, (_, at) => ({ ...POLICY, id: `p-${at + 2}` }));
    await api.importRecords([...policies, holder('i-eve', 'e-vendor', 'e-pay')]);
    const { ask, approved, move } = made;
    const policyOf = (at: number) => ({ policyId: `p-${at}` });
    await ask(policyOf(2));
    await ask({ ...policyOf(2), identityId: 'i-eve' });
    await approved(policyOf(3));
    await approved({ ...policyOf(4), end: inMinutes(1) });
    await ask({ ...policyOf(5), end: inMinutes(1) });
    await move(await approved(policyOf(6)), 'revoke');
    await move((await ask({ ...policyOf(7), end: inMinutes(1) })).json.id, 'revoke');
    await approved(policyOf(8));
    await api.importRecords([{ kind: 'sodPolicy', id: 'p-8', delete: true }]);
    await approved({ ...policyOf(9), end: inMinutes(1) });
    api.clock.nowMs = NOW_MS + 60_000;
    // An exception that became void stays void after its end.
    await api.importRecords([{ kind: 'sodPolicy', id: 'p-9', delete: true }]);
    return made;
  });

  test('has all exceptions by id, each equal to its single read', async () => {
    const { list, get } = world();
    const { json } = await list();
    const ids = json.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(ids.toSorted());
    expect(json.map(({ state }: { state: string }) => state).toSorted()).toEqual([
      'APPROVED',
      'EXPIRED',
      'EXPIRED',
      'EXPIRED',
      'REQUESTED',
      'REQUESTED',
      'REVOKED',
      'REVOKED',
      'VOID',
    ]);
    for (const one of json) expect((await get(one.id)).json).toEqual(one);
  });

  test('is filtered by the shown state, and paged after filtering', async () => {
    const { list } = world();
    const all = (await list()).json;
    const subsets = SOD_EXCEPTION_STATES.flatMap((state, at) => [
      [state],
      SOD_EXCEPTION_STATES.slice(at),
      [state, SOD_EXCEPTION_STATES[(at + 2) % 5] ?? state],
    ]);
    for (const states of subsets) {
      const expected = all.filter(({ state }: { state: never }) => states.includes(state));
      const filter = `state in (${states.map((state) => `"${state}"`).join(', ')})`;
      const listed = await list(filter, '&count=true');
      expect([filter, listed.json]).toEqual([filter, expected]);
      expect(listed.headers.get('x-total-count')).toBe(String(expected.length));
      if (states.length === 1) expect((await list(`state eq "${states[0]}"`)).json).toEqual(expected);
      const paged = [];
      for (let offset = 0, more = true; more; offset += 2) {
        const page = await list(filter, `&limit=2&offset=${offset}`);
        paged.push(...page.json);
        more = page.headers.get('link') !== null;
        if (more) expect(page.headers.get('link')).toContain('filters=state');
      }
      expect([filter, paged]).toEqual([filter, expected]);
    }
  });

  test('is filtered by policy and identity, together with the state', async () => {
    const { list } = world();
    const found = async (filter: string) =>
      (await list(filter)).json.map((one: { policyId: string; identityId: string }) => [one.policyId, one.identityId]);
    expect(await found('identityId eq "i-eve"')).toEqual([['p-2', 'i-eve']]);
    expect((await found('policyId eq "p-2"')).toSorted()).toEqual([
      ['p-2', 'i-cleo'],
      ['p-2', 'i-eve'],
    ]);
    expect(await found('policyId eq "p-2" and identityId eq "i-cleo" and state eq "REQUESTED"')).toHaveLength(1);
    for (const none of ['policyId eq "p-2" and state eq "VOID"', 'policyId eq "p-2" and policyId eq "p-3"'])
      expect(await found(none)).toEqual([]);
    for (const odd of ['', '\\" or 1=1 --', "'; drop table sod_exception; --", '%', 'p-\\\\2', 'ö\u{1f600}'])
      expect(await found(`policyId eq "${odd}"`)).toEqual([]);
  });

  test('is filtered by the requester', async () => {
    const { list } = world();
    const all: readonly { id: string; requesterId: string }[] = (await list('end ge "2000-01-01T00:00:00Z"')).json;
    const requesters = new Set(all.map(({ requesterId }) => requesterId));
    for (const requester of [...requesters, 'nobody'])
      expect((await list(`requesterId eq "${requester}"`)).json).toEqual(
        all.filter(({ requesterId }) => requesterId === requester),
      );
  });

  test('is filtered by the end, whose instant itself counts', async () => {
    const { list } = world();
    const idsOf = async (filter: string) => (await list(filter)).json.map(({ id }: { id: string }) => id);
    const all: readonly { id: string; end: string }[] = (await list('end ge "2000-01-01T00:00:00Z"')).json;
    expect(all.length).toBeGreaterThan(1);
    for (const { end } of all) {
      expect(await idsOf(`end le "${end}"`)).toEqual(all.filter((one) => one.end <= end).map(({ id }) => id));
      const later = `end ge "${end.replace('Z', '+00:00')}" and end le "2999-01-01T00:00:00Z"`;
      expect(await idsOf(later)).toEqual(all.filter((one) => one.end >= end).map(({ id }) => id));
    }
  });

  test.each([
    'state eq "LIVE"',
    'state eq "approved"',
    'state in ("APPROVED", "NONE")',
    'state in ()',
    'policyId in ("p-1")',
    'identityId sw "i"',
    'requesterId in ("i")',
    'id eq "x"',
    'start ge "2026-11-21T00:00:00Z"',
    'end eq "2026-11-21T00:00:00Z"',
    'end le "tomorrow"',
    'state eq APPROVED',
    '',
  ])('refuses the filter %j', async (filter) => {
    expect(refusalOf(await world().list(filter)).slice(0, 2)).toEqual([400, '400.1.3']);
  });

  test('refuses a repeated filter and the parameters of other lists', async () => {
    const { api, ada, list } = world();
    for (const query of ['?filters=state&filters=state', '?limit=251', '?offset=-1']) {
      const refused = await api.call('GET', `${EXCEPTIONS}${query}`, { token: ada });
      expect([query, ...refusalOf(refused).slice(0, 2)]).toEqual([query, 400, '400.1.3']);
    }
    expect((await list('identityId eq "i-cleo"', '&limit=1')).json).toHaveLength(1);
  });
});

test('the exceptions of a deleted policy or identity remain as history', async () => {
  const { api, approved, list } = await openExceptions();
  const id = await approved();
  await api.importRecords([
    { kind: 'identity', id: 'i-cleo', delete: true },
    { kind: 'sodPolicy', id: 'p-1', delete: true },
  ]);
  const [kept, ...more] = (await list('policyId eq "p-1" and identityId eq "i-cleo"')).json;
  expect([kept, more]).toEqual([expect.objectContaining({ id, state: 'VOID', end: END }), []]);
  const exported = await api.call('GET', '/access-model/v1/export');
  expect(exported.text).not.toContain(id);
  await voidExceptions(api);
  expect((await api.importRecords([...WORLD, GUILTY])).status).toBe(200);
  expect((await list('state eq "VOID"')).json).toEqual([kept]);
});
