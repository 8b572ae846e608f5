import { describe, expect, test } from 'vitest';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';

const POLICIES = '/sod-policies/v1';
const PREDICT = '/sod-violations/v1/predict';
const item = (id: string) => ({ type: 'ENTITLEMENT', id });
const side = (name: string, ...ids: string[]) => ({ name, criteriaList: ids.map(item) });
const CRITERIA = { leftCriteria: side('create', 'e-vendor'), rightCriteria: side('pay', 'e-pay') };
const NEW = { name: 'Second look', conflictingAccessCriteria: CRITERIA };
const MERGE = [{ op: 'replace', path: '/name', value: 'Renamed' }];

async function openWorld() {
  const api = await openTestApi();
  expect((await api.importRecords(WORLD)).status).toBe(200);
  return api;
}

const patch = (api: TestApi, id: string, body: unknown, headers: Record<string, string> = {}) =>
  api.call('PATCH', `${POLICIES}/${id}`, {
    body,
    headers: { 'content-type': 'application/json-patch+json', ...headers },
  });

const codes = ({ status, json }: { status: number; json: { detailCode?: string } | null }) => [
  status,
  json?.detailCode,
];

describe('an SOD policy', () => {
  test('is created with its defaults, read, replaced, changed and deleted', async () => {
    const api = await openWorld();
    const created = await api.call('POST', POLICIES, { body: { id: 'p-new', ...NEW } });
    expect([created.status, created.headers.get('location')]).toEqual([201, `${POLICIES}/p-new`]);
    expect(created.json).toEqual({
      id: 'p-new',
      name: 'Second look',
      description: null,
      state: 'ENFORCED',
      level: 'HIGH',
      type: 'CONFLICTING_ACCESS_BASED',
      conflictingAccessCriteria: {
        leftCriteria: { name: 'create', criteriaList: [{ ...item('e-vendor'), name: 'ERP: create vendor' }] },
        rightCriteria: { name: 'pay', criteriaList: [{ ...item('e-pay'), name: 'AP: release payment' }] },
      },
      externalPolicyReference: null,
      compensatingControls: null,
      correctionAdvice: null,
      tags: [],
      attributes: {},
      externalId: null,
      scheduled: false,
      policyQuery: '@access(id:e-vendor) AND @access(id:e-pay)',
      creatorId: 'root',
      modifierId: 'root',
      created: '2026-11-21T09:30:00.000Z',
      modified: '2026-11-21T09:30:00.000Z',
    });
    const read = await api.call('GET', `${POLICIES}/p-new`);
    expect([read.status, read.text, read.headers.get('etag')]).toEqual([
      200,
      created.text,
      created.headers.get('etag'),
    ]);

    api.clock.nowMs += 1_000;
    const replaced = await api.call('PUT', `${POLICIES}/p-new`, { body: { ...NEW, level: 'LOW', tags: ['a'] } });
    expect(replaced.json).toEqual({ ...created.json, level: 'LOW', tags: ['a'], modified: '2026-11-21T09:30:01.000Z' });
    const patched = await patch(api, 'p-new', MERGE);
    expect(patched.json).toEqual({ ...replaced.json, name: 'Renamed' });

    expect((await api.call('DELETE', `${POLICIES}/p-new`)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect((await api.call(method, `${POLICIES}/p-new`)).status).toBe(404);
    expect((await api.call('PUT', `${POLICIES}/p-new`, { body: NEW })).status).toBe(404);
    expect((await patch(api, 'p-new', MERGE)).status).toBe(404);
  });

  test('gets an id where it has none', async () => {
    const api = await openWorld();
    const one = await api.call('POST', POLICIES, { body: NEW });
    const other = await api.call('POST', POLICIES, { body: NEW });
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(one.json.id).not.toBe(other.json.id);
    expect((await api.call('GET', one.headers.get('location') ?? '')).text).toBe(one.text);
  });

  test('takes effect at once, and no longer when it is deleted or not enforced', async () => {
    const api = await openWorld();
    const ids = async () => {
      const body = { identityId: 'i-cleo', accessRefs: [item('e-vendor'), item('e-pay')] };
      const { json } = await api.call('POST', PREDICT, { body });
      return json.violationContexts.map(({ policy }: { policy: { id: string } }) => policy.id);
    };
    const before = await ids();
    await api.call('POST', POLICIES, { body: { id: 'p-new', ...NEW } });
    expect(await ids()).toEqual([...before, 'p-new'].sort());
    await patch(api, 'p-new', [{ op: 'replace', path: '/state', value: 'NOT_ENFORCED' }]);
    expect(await ids()).toEqual(before);
    await patch(api, 'p-new', [{ op: 'replace', path: '/state', value: 'ENFORCED' }]);
    expect(await ids()).toEqual([...before, 'p-new'].sort());
    await api.call('DELETE', `${POLICIES}/p-new`);
    expect(await ids()).toEqual(before);
  });

  test('in the k-of-n form appears in predictions with the held sides, and can be imported and exported', async () => {
    const api = await openWorld();
    const criteria = [side('create', 'e-vendor'), side('pay', 'e-pay'), side('read', 'e-report')];
    const body = { id: 'p-new', name: 'Two of three', conflictingAccessCriteria: { criteria, atLeast: 2 } };
    expect((await api.call('POST', POLICIES, { body })).status).toBe(201);
    expect((await patch(api, 'p-1', [{ op: 'replace', path: '/state', value: 'NOT_ENFORCED' }])).status).toBe(200);
    const grant = { identityId: 'i-cleo', accessRefs: [item('e-pay')] };
    const predicted = await api.call('POST', PREDICT, { body: grant });
    const shown = (name: string, id: string, title: string, existing: boolean) => ({
      name,
      criteriaList: [{ ...item(id), name: title, existing }],
    });
    expect(predicted.json.violationContexts).toEqual([
      {
        policy: { type: 'SOD_POLICY', id: 'p-new', name: 'Two of three', level: 'HIGH' },
        preexisting: true,
        conflictingAccessCriteria: {
          criteria: [
            shown('create', 'e-vendor', 'ERP: create vendor', true),
            shown('pay', 'e-pay', 'AP: release payment', false),
            shown('read', 'e-report', 'BI: read', true),
          ],
          atLeast: 2,
        },
      },
    ]);
    const exported = (await api.call('GET', '/access-model/v1/export')).text.split('\n').filter(Boolean);
    const records = exported.map((line) => JSON.parse(line));
    const other = await api.clientToken({ tenant: 'other' });
    expect((await api.importRecords(records, other)).status).toBe(200);
    const elsewhere = await api.call('POST', PREDICT, { body: grant, token: other });
    expect(elsewhere.json.violationContexts).toEqual(predicted.json.violationContexts);
    const wider = [{ op: 'replace', path: '/conflictingAccessCriteria/atLeast', value: 4 }];
    expect(codes(await patch(api, 'p-new', wider))).toEqual([400, '400.1.3']);
  });

  test('is not modified by an unchanged replacement', async () => {
    const api = await openWorld();
    const read = await api.call('GET', `${POLICIES}/p-1`);
    expect(read.status).toBe(200);
    api.clock.nowMs += 1_000;
    const put = await api.call('PUT', `${POLICIES}/p-1`, { body: read.text });
    expect([put.text, put.headers.get('etag')]).toEqual([read.text, read.headers.get('etag')]);
  });

  test('changes only in the version that If-Match names', async () => {
    const api = await openWorld();
    const { headers } = await api.call('GET', `${POLICIES}/p-1`);
    const stale = { 'if-match': '"stale"' };
    expect((await api.call('PUT', `${POLICIES}/p-1`, { body: NEW, headers: stale })).status).toBe(412);
    expect((await patch(api, 'p-1', MERGE, stale)).status).toBe(412);
    expect((await api.call('DELETE', `${POLICIES}/p-1`, { headers: stale })).status).toBe(412);
    const unknown = { ...NEW, conflictingAccessCriteria: { ...CRITERIA, leftCriteria: side('x', 'e-none') } };
    const refused = await api.call('PUT', `${POLICIES}/p-1`, { body: unknown, headers: stale });
    expect(codes(refused)).toEqual([400, '400.1.404']);
    expect(codes(await api.call('POST', POLICIES, { body: { ...unknown, id: 'p-1' } }))).toEqual([400, '400.1.404']);
    const match = { 'if-match': headers.get('etag') ?? '' };
    expect((await patch(api, 'p-1', MERGE, match)).status).toBe(200);
    expect((await patch(api, 'p-1', MERGE, match)).status).toBe(412);
  });

  test('shows a deleted item and stays editable', async () => {
    const api = await openWorld();
    await api.call('POST', POLICIES, { body: { id: 'p-new', ...NEW } });
    const gone = await api.importRecords([{ kind: 'entitlement', id: 'e-lone', name: 'Lone', source: null }]);
    expect(gone.status).toBe(200);
    await patch(api, 'p-new', [
      { op: 'add', path: '/conflictingAccessCriteria/leftCriteria/criteriaList/-', value: item('e-lone') },
    ]);
    await api.importRecords([{ kind: 'entitlement', id: 'e-lone', delete: true }]);
    const list = '/conflictingAccessCriteria/leftCriteria/criteriaList';
    const shown = (await api.call('GET', `${POLICIES}/p-new`)).json;
    expect(shown.conflictingAccessCriteria.leftCriteria.criteriaList[1]).toEqual({
      ...item('e-lone'),
      name: 'Lone',
      deleted: true,
    });
    expect((await patch(api, 'p-new', MERGE)).json).toMatchObject({
      ...shown,
      name: 'Renamed',
      modified: shown.modified,
    });
    expect((await api.call('PUT', `${POLICIES}/p-new`, { body: shown })).json).toEqual(shown);
    const { leftCriteria, rightCriteria } = shown.conflictingAccessCriteria;
    for (const name of [undefined, 'of nobody']) {
      const renamed = { ...leftCriteria, criteriaList: [leftCriteria.criteriaList[0], { ...item('e-lone'), name }] };
      const body = { ...shown, conflictingAccessCriteria: { leftCriteria: renamed, rightCriteria } };
      expect((await api.call('PUT', `${POLICIES}/p-new`, { body })).json).toEqual(shown);
    }
    const another = { op: 'add', path: `${list}/-`, value: item('e-none') };
    expect(codes(await patch(api, 'p-new', [another]))).toEqual([400, '400.1.404']);
    expect((await patch(api, 'p-new', [{ op: 'remove', path: `${list}/1` }])).status).toBe(200);
    expect(codes(await patch(api, 'p-new', [{ ...another, value: item('e-lone') }]))).toEqual([400, '400.1.404']);
  });

  test('is recorded in the audit log with its state before and after each change', async () => {
    const api = await openWorld();
    await api.call('POST', POLICIES, { body: { id: 'p-new', ...NEW } });
    await patch(api, 'p-new', MERGE);
    await api.call('DELETE', `${POLICIES}/p-new`);
    const filter = encodeURIComponent('resourceType eq "SOD_POLICY" and resourceId eq "p-new"');
    const events = (await api.call('GET', `/audit-events/v1?filters=${filter}`)).json;
    expect(events.map(({ operation }: { operation: string }) => operation)).toEqual([
      'create-sod-policy-v1',
      'patch-sod-policy-v1',
      'delete-sod-policy-v1',
    ]);
    expect(events[1].changes).toEqual([{ field: 'name', before: 'Second look', after: 'Renamed' }]);
    expect(events[2].changes).toContainEqual({ field: 'id', before: 'p-new', after: null });
  });

  test.each([
    ['PATCH', [{ op: 'replace', path: '/level', value: 'LOW' }]],
    [
      'PATCH',
      [
        { op: 'test', path: '/state', value: 'ENFORCED' },
        { op: 'add', path: '/level', value: 'LOW' },
      ],
    ],
    ['PUT', { level: 'LOW' }],
    ['import', { level: 'LOW' }],
  ])(
    'tells in the audit log of the level alone when a %s changes the level of an imported policy',
    async (how, body) => {
      const api = await openWorld();
      const { id: _, kind: __, ...given } = WORLD[10];
      api.clock.nowMs += 60_000;
      const changed = { ...given, ...body };
      if (how === 'import') await api.importRecords([{ kind: 'sodPolicy', id: 'p-1', ...changed }]);
      else await api.call(how, `${POLICIES}/p-1`, { body: how === 'PATCH' ? body : changed });
      const filter = encodeURIComponent('resourceId eq "p-1"');
      const events = (await api.call('GET', `/audit-events/v1?filters=${filter}`)).json;
      expect(events.at(-1).changes).toEqual([{ field: 'level', before: 'CRITICAL', after: 'LOW' }]);
      expect((await api.call('GET', `${POLICIES}/p-1`)).json.modified).toBe(events.at(-1).time);
    },
  );

  test('that is imported as it was counts as unchanged, also without the names of its items', async () => {
    const api = await openWorld();
    await api.call('POST', POLICIES, { body: { id: 'p-new', ...NEW } });
    const before = await api.call('GET', `${POLICIES}/p-new`);
    const same = await api.importRecords([{ kind: 'sodPolicy', id: 'p-new', ...NEW }]);
    expect(same.json.counts.sodPolicy).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: 1 });
    expect((await api.call('GET', `${POLICIES}/p-new`)).text).toBe(before.text);
  });

  test.each<[string, object, readonly [number, string]]>([
    ['without a name', { name: undefined }, [400, '400.1.0']],
    ['without criteria', { conflictingAccessCriteria: undefined }, [400, '400.1.0']],
    ['with an unknown property', { owner: 'x' }, [400, '400.1']],
    ['with an unknown level', { level: 'GRAVE' }, [400, '400.1.3']],
    ['with another type', { type: 'GENERAL' }, [400, '400.1.3']],
    ['with a name that is too long', { name: 'x'.repeat(257) }, [400, '400.1.2']],
    [
      'with a side without items',
      { conflictingAccessCriteria: { ...CRITERIA, leftCriteria: side('x') } },
      [400, '400.1.0'],
    ],
    [
      'with an item on both sides',
      { conflictingAccessCriteria: { ...CRITERIA, leftCriteria: side('x', 'e-pay') } },
      [400, '400.1.3'],
    ],
    [
      'with an item that does not exist',
      { conflictingAccessCriteria: { ...CRITERIA, leftCriteria: side('x', 'e-none') } },
      [400, '400.1.404'],
    ],
    ['with the id of another', { id: 'p-1' }, [409, '409.1']],
    ['with an id that is none', { id: 'a b' }, [400, '400.1.3']],
  ])('is not created %s', async (_, change, refusal) => {
    const { call } = await openWorld();
    expect(codes(await call('POST', POLICIES, { body: { ...NEW, ...change } }))).toEqual(refusal);
  });

  test.each<[string, unknown, readonly [number, string]]>([
    ...['id', 'created', 'modified', 'type'].map(
      (name) =>
        [name, { op: 'replace', path: `/${name}`, value: 'x' }, [400, '400.1.1']] as [
          string,
          unknown,
          [number, string],
        ],
    ),
    ['the whole', { op: 'replace', path: '', value: NEW }, [400, '400.1.1']],
    ['an unknown property', { op: 'add', path: '/owner', value: 'x' }, [400, '400.1.1']],
    ...['name', 'state', 'level', 'conflictingAccessCriteria', 'tags'].map(
      (name) =>
        [`${name} away`, { op: 'remove', path: `/${name}` }, [400, '400.1.3']] as [string, unknown, [number, string]],
    ),
    ['the level to none', { op: 'replace', path: '/level', value: 'GRAVE' }, [400, '400.1.3']],
    ['a test that fails', { op: 'test', path: '/name', value: 'x' }, [409, '409.1']],
  ])('is not patched: %s', async (_, operation, refusal) => {
    const api = await openWorld();
    expect(codes(await patch(api, 'p-1', [operation]))).toEqual(refusal);
  });

  test('keeps its id: a different id in the body of a PUT is refused', async () => {
    const { call } = await openWorld();
    expect(codes(await call('PUT', `${POLICIES}/p-1`, { body: { ...NEW, id: 'p-2' } }))).toEqual([400, '400.1.3']);
  });
});

describe('the list of SOD policies', () => {
  async function openList() {
    const api = await openTestApi();
    await api.importRecords(WORLD.filter(({ kind }) => kind === 'entitlement'));
    const policies = [
      { id: 'p-a', name: 'Vendor "master"', level: 'LOW', state: 'ENFORCED' },
      { id: 'p-b', name: 'vendor bank', level: 'HIGH', state: 'NOT_ENFORCED' },
      { id: 'p-c', name: 'Bank and Vendor', level: 'CRITICAL', state: 'ENFORCED' },
      { id: 'p-d', name: 'Äpfel 100%_', level: 'LOW', state: 'NOT_ENFORCED' },
    ];
    for (const policy of policies) {
      expect((await api.call('POST', POLICIES, { body: { ...NEW, ...policy } })).status).toBe(201);
      api.clock.nowMs += 1_000;
    }
    const ids = async (query: string) =>
      (await api.call('GET', `${POLICIES}${query}`)).json.map(({ id }: { id: string }) => id.slice(2)).join('');
    return { api, ids };
  }

  test.each([
    ['id eq "p-b"', 'b'],
    ['id in ("p-d", "p-a", "p-x")', 'ad'],
    ['name eq "vendor bank"', 'b'],
    [String.raw`name eq "Vendor \"master\""`, 'a'],
    ['name sw "Vendor"', 'a'],
    ['name sw "Ä"', 'd'],
    ['name co "endor"', 'abc'],
    ['name co "%_"', 'd'],
    ['name co ""', 'abcd'],
    ['name sw ""', 'abcd'],
    ['state eq "ENFORCED"', 'ac'],
    ['level in ("LOW", "HIGH")', 'abd'],
    ['level eq "LOW" and state eq "ENFORCED"', 'a'],
    ['name co "bank" and name co "vendor"', 'b'],
  ])('is filtered by %s', async (filter, expected) => {
    const { ids } = await openList();
    expect(await ids(`?filters=${encodeURIComponent(filter)}`)).toBe(expected);
  });

  test.each([
    ['id', 'abcd'],
    ['-id', 'dcba'],
    ['name', 'cabd'],
    ['-name', 'dbac'],
    ['-created', 'dcba'],
    ['modified,-id', 'abcd'],
  ])('is sorted by %s', async (sorters, expected) => {
    const { ids } = await openList();
    expect(await ids(`?sorters=${sorters}`)).toBe(expected);
  });

  test('has a count, and links to pages that keep filters and sorters', async () => {
    const { api } = await openList();
    const query = `filters=${encodeURIComponent('name co "endor"')}&sorters=-name`;
    const first = await api.call('GET', `${POLICIES}?${query}&limit=2&count=true`);
    expect([first.json.map(({ id }: { id: string }) => id), first.headers.get('x-total-count')]).toEqual([
      ['p-b', 'p-a'],
      '3',
    ]);
    const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const { pathname, search } = new URL(next);
    const second = await api.call('GET', pathname + search);
    expect([second.json.map(({ id }: { id: string }) => id), second.headers.get('link')]).toEqual([['p-c'], null]);
  });

  test.each([
    'filters=tags+eq+"a"',
    'filters=level+eq+"GRAVE"',
    'filters=description+in+("a")',
    'filters=type+eq+"OTHER"',
    'sorters=ownerRef',
    'filters=',
    'filters=id+eq+"a"&filters=id+eq+"b"',
    'sorters=level',
    'sorters=',
    'sorters=name,name',
    'sorters=name,-name',
    'sorters=%2Bname',
    'sorters=name&sorters=id',
  ])('refuses %s', async (query) => {
    const { call } = await openTestApi();
    expect(codes(await call('GET', `${POLICIES}?${query}`))).toEqual([400, '400.1.3']);
  });
});
