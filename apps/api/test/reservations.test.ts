import { describe, expect, test } from 'vitest';
import { openTestApi, type TestApi, type TestCall, WORLD } from './test-api.ts';

const PATH = '/sod-reservations/v1';
const NOW = '2026-11-21T09:30:00.000Z';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const ref = (id: string, window = {}) => ({ type: 'ENTITLEMENT', id, ...window });
const vendor = ref('e-vendor');
const pay = ref('e-pay');

async function openWorld() {
  const api = await openTestApi();
  await api.importRecords([...WORLD, { kind: 'identity', id: 'i-new', uid: 'new', identityProfile: 'ip-emp' }]);
  const reserve = (accessRefs: readonly object[], body = {}, options: TestCall = {}) =>
    api.call('POST', PATH, { ...options, body: { identityId: 'i-new', accessRefs, ...body } });
  const predict = async (accessRefs: readonly object[], include = 'pending', identityId = 'i-new') =>
    (await api.call('POST', `/sod-violations/v1/predict?include=${include}`, { body: { identityId, accessRefs } }))
      .json;
  const stateOf = async (id: string) => (await api.call('GET', `${PATH}/${id}`)).json.state;
  return { ...api, api, reserve, predict, stateOf };
}

const eventsOf = async ({ call }: { call(method: string, path: string): ReturnType<TestApi['call']> }) =>
  (await call('GET', '/events/v1?types=sod.reservation.*')).json.map(
    ({ type, subject, data }: { type: string; subject: string; data: { state: string } }) =>
      [type.replace(/^org\.access-admin\.sod\.reservation\.|\.v1$/g, ''), subject, data.state].join(' '),
  );

describe('a reservation', () => {
  test('is made of what conflicts with nothing, shown whole, and found again', async () => {
    const { call, reserve } = await openWorld();
    const start = '2027-01-01T00:00:00Z';
    const answer = await reserve(
      [ref('e-pay', { start }), { type: 'ROLE', id: 'r-buyer', name: 'Buyer', end: start }],
      {
        ttlHours: 2,
        reference: 'REQ-1',
        clientMetadata: { ticket: '1' },
      },
    );
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      identityId: 'i-new',
      accessRefs: [
        ref('e-pay', { start: '2027-01-01T00:00:00.000Z' }),
        { type: 'ROLE', id: 'r-buyer', end: '2027-01-01T00:00:00.000Z' },
      ],
      state: 'LIVE',
      created: NOW,
      expires: '2026-11-21T11:30:00.000Z',
      ended: null,
      reference: 'REQ-1',
      clientMetadata: { ticket: '1' },
      clientId: 'root',
      requesterId: null,
      prediction: { violationContexts: [], policySetVersion: 1, asOf: NOW },
    });
    const read = await call('GET', `${PATH}/${answer.json.id}`);
    expect(read.json).toEqual(answer.json);
    expect([answer.headers.get('location'), answer.headers.get('etag')]).toEqual([
      `${PATH}/${answer.json.id}`,
      read.headers.get('etag'),
    ]);
  });

  test('has its defaults, and names the identity that made it', async () => {
    const { api, reserve } = await openWorld();
    const token = await api.clientToken({ identityId: 'i-ada' });
    const { json } = await reserve([pay], {}, { token });
    expect(json).toMatchObject({ requesterId: 'i-ada', reference: null, clientMetadata: null });
    expect(Date.parse(json.expires) - Date.parse(json.created)).toBe(336 * HOUR_MS);
  });

  test('is refused where it conflicts with held access, with the prediction, and nothing is stored', async () => {
    const { call, reserve } = await openWorld();
    const refused = await reserve([pay], { identityId: 'i-cleo' });
    expect([refused.status, refused.json.detailCode, refused.json.messages[0].locale]).toEqual([409, '409.1', 'en-US']);
    const predicted = await call('POST', '/sod-violations/v1/predict', {
      body: { identityId: 'i-cleo', accessRefs: [pay] },
    });
    expect(refused.json.prediction).toEqual(predicted.json);
    expect((await call('GET', PATH)).json).toEqual([]);
    expect(await eventsOf({ call })).toEqual([]);
  });

  test('makes the first of two requests count that are innocent alone', async () => {
    const { reserve, stateOf } = await openWorld();
    const first = await reserve([vendor], { reference: 'REQ-1' });
    const second = await reserve([pay], { reference: 'REQ-2' });
    expect([first.status, second.status]).toEqual([201, 409]);
    expect(second.json.prediction.violationContexts).toEqual([
      {
        policy: { type: 'SOD_POLICY', id: 'p-1', name: 'Vendor and payment', level: 'CRITICAL' },
        preexisting: false,
        conflictingAccessCriteria: {
          leftCriteria: {
            criteriaList: [
              {
                ...vendor,
                name: 'ERP: create vendor',
                existing: false,
                pending: [{ reservationId: first.json.id, reference: 'REQ-1' }],
              },
            ],
          },
          rightCriteria: { criteriaList: [{ ...pay, name: 'AP: release payment', existing: false }] },
        },
      },
    ]);
    const forced = await reserve([pay], { onConflict: 'RESERVE' });
    expect(forced.status).toBe(201);
    expect(forced.json.prediction).toEqual(second.json.prediction);
    // What only earlier reservations cause is no conflict of this request.
    expect((await reserve([ref('e-report')])).status).toBe(201);
    expect(await stateOf(first.json.id)).toBe('LIVE');
  });

  test('of two at once that conflict together exactly one is made', async () => {
    const { call, reserve } = await openWorld();
    for (let round = 0; round < 10; round++) {
      const both = await Promise.all([reserve([vendor]), reserve([pay])]);
      expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
      const [made] = both.filter(({ status }) => status === 201);
      expect((await call('DELETE', `${PATH}/${made?.json.id}`)).status).toBe(204);
    }
  });

  test('is settled or released once', async () => {
    const { api, call, reserve, predict } = await openWorld();
    const settled = (await reserve([vendor])).json;
    const released = (await reserve([ref('e-report')])).json;
    api.clock.nowMs += 1_000;
    const ended = '2026-11-21T09:30:01.000Z';
    const answer = await call('POST', `${PATH}/${settled.id}/settle`);
    expect([answer.status, answer.json]).toEqual([200, { ...settled, state: 'SETTLED', ended }]);
    expect(await call('DELETE', `${PATH}/${released.id}`)).toMatchObject({ status: 204, text: '' });
    expect((await call('GET', `${PATH}/${released.id}`)).json).toEqual({ ...released, state: 'RELEASED', ended });
    for (const { id } of [settled, released])
      for (const [method, path] of [
        ['POST', `${PATH}/${id}/settle`],
        ['DELETE', `${PATH}/${id}`],
      ] as const)
        expect(await call(method, path)).toMatchObject({ status: 409, json: { detailCode: '409.1' } });
    expect((await predict([pay])).violationContexts).toEqual([]);
    expect(await eventsOf(api)).toEqual([
      `created ${PATH}/${settled.id} LIVE`,
      `created ${PATH}/${released.id} LIVE`,
      `settled ${PATH}/${settled.id} SETTLED`,
      `released ${PATH}/${released.id} RELEASED`,
    ]);
    const audit = (await call('GET', `/audit-events/v1?filters=resourceType eq "SOD_RESERVATION"`)).json;
    expect(
      audit.map(({ operation, resource }: { operation: string; resource: object }) => [operation, resource]),
    ).toEqual([
      ['create-sod-reservation-v1', { type: 'SOD_RESERVATION', id: settled.id }],
      ['create-sod-reservation-v1', { type: 'SOD_RESERVATION', id: released.id }],
      ['settle-sod-reservation-v1', { type: 'SOD_RESERVATION', id: settled.id }],
      ['delete-sod-reservation-v1', { type: 'SOD_RESERVATION', id: released.id }],
    ]);
    expect(audit[2].changes).toEqual([
      { field: 'state', before: 'LIVE', after: 'SETTLED' },
      { field: 'ended', before: null, after: ended },
    ]);
  });

  test('expires by the clock, also between a look and its settling; a worker tells it once and removes it after 90 days', async () => {
    const { api, reserve } = await openWorld();
    const { id, expires } = (await reserve([vendor], { ttlHours: 1 })).json;
    const call = async (method: string, path: string, body?: object) =>
      api.call(method, path, { token: await api.tokenFor('root', 'root secret%'), ...(body && { body }) });
    const pass = async (ms: number) => {
      api.clock.nowMs += ms;
      while (await api.store.reservations.expireSome(api.clock.nowMs));
    };
    api.clock.nowMs += HOUR_MS - 1;
    expect((await call('GET', `${PATH}/${id}`)).json.state).toBe('LIVE');
    api.clock.nowMs += 1;
    expect((await call('POST', `${PATH}/${id}/settle`)).status).toBe(409);
    expect((await call('GET', `${PATH}/${id}`)).json).toMatchObject({ state: 'EXPIRED', ended: expires });
    const request = { identityId: 'i-new', accessRefs: [pay] };
    const predicted = await call('POST', '/sod-violations/v1/predict?include=pending', request);
    expect(predicted.json.violationContexts).toEqual([]);
    expect((await call('GET', `${PATH}?filters=state eq "EXPIRED"`)).json).toHaveLength(1);
    await pass(0);
    await pass(0);
    expect(await eventsOf({ call })).toEqual([`created ${PATH}/${id} LIVE`, `expired ${PATH}/${id} EXPIRED`]);
    expect((await call('GET', `/audit-events/v1?filters=resourceId eq "${id}"`)).json).toHaveLength(1);
    await pass(90 * DAY_MS - 1);
    expect((await call('GET', `${PATH}/${id}`)).json.state).toBe('EXPIRED');
    await pass(1);
    expect((await call('GET', `${PATH}/${id}`)).status).toBe(404);
  });

  test.each([
    ['its identity', { kind: 'identity', id: 'i-new' }],
    ['one of its items', { kind: 'role', id: 'r-late' }],
  ])('is released when %s is deleted', async (_, deleted) => {
    const { api, call, importRecords, reserve } = await openWorld();
    await importRecords([{ kind: 'role', id: 'r-late', name: 'Late' }]);
    const { id } = (await reserve([pay, { type: 'ROLE', id: 'r-late' }])).json;
    const other = (await reserve([ref('e-report')], { identityId: 'i-ada' })).json;
    expect((await importRecords([{ ...deleted, delete: true }])).status).toBe(200);
    expect((await call('GET', `${PATH}/${id}`)).json).toMatchObject({ state: 'RELEASED', ended: NOW });
    expect((await call('GET', `${PATH}/${other.id}`)).json.state).toBe('LIVE');
    expect((await eventsOf(api)).slice(2)).toEqual([`released ${PATH}/${id} RELEASED`]);
    const audit = (await call('GET', `/audit-events/v1?filters=resourceId eq "${id}"`)).json;
    expect(audit.map(({ operation }: { operation: string }) => operation)).toEqual([
      'create-sod-reservation-v1',
      'import-access-model-v1',
    ]);
  });

  test.each([
    [{ accessRefs: [] }, 400, '400.1.0'],
    [{ accessRefs: undefined }, 400, '400.1.0'],
    [{ accessRefs: Array.from({ length: 501 }, () => pay) }, 400, '400.1.4'],
    [{ accessRefs: [ref('no such')] }, 400, '400.1.404'],
    [{ accessRefs: [ref('e-pay', { start: '2027-01-02T00:00:00Z', end: '2027-01-01T00:00:00Z' })] }, 400, '400.1.3'],
    [{ accessRefs: [ref('e-pay', { validTo: '2027-01-01T00:00:00Z' })] }, 400, '400.1'],
    [{ identityId: 'nobody' }, 404, '404'],
    [{ identityId: undefined }, 400, '400.1.0'],
    [{ ttlHours: 0 }, 400, '400.1.3'],
    [{ ttlHours: 8_761 }, 400, '400.1.3'],
    [{ ttlHours: 1.5 }, 400, '400.1.3'],
    [{ ttlHours: '1' }, 400, '400.1.3'],
    [{ reference: 'x'.repeat(257) }, 400, '400.1.2'],
    [{ onConflict: 'IGNORE' }, 400, '400.1.3'],
    [{ clientMetadata: { a: 1 } }, 400, '400.1.3'],
    [{ at: NOW }, 400, '400.1'],
  ])('of %j is refused, and nothing is stored', async (body, status, detailCode) => {
    const { call, reserve } = await openWorld();
    expect(await reserve([pay], body)).toMatchObject({ status, json: { detailCode } });
    expect((await call('GET', PATH)).json).toEqual([]);
  });

  test('takes the longest life, reference and list', async () => {
    const { reserve } = await openWorld();
    const accessRefs = Array.from({ length: 500 }, () => pay);
    const answer = await reserve(accessRefs, { ttlHours: 8_760, reference: 'x'.repeat(256) });
    expect(answer.status).toBe(201);
    expect(answer.json.accessRefs).toHaveLength(500);
  });

  test('that does not exist is not found, nor one of another tenant', async () => {
    const { api, call, reserve } = await openWorld();
    const { id } = (await reserve([pay])).json;
    const token = await api.clientToken({ tenant: 'other' });
    for (const [path, options] of [
      [`${PATH}/00000000-0000-4000-8000-000000000000`, {}],
      [`${PATH}/${id}`, { token }],
    ] as const) {
      expect((await call('GET', path, options)).status).toBe(404);
      expect((await call('DELETE', path, options)).status).toBe(404);
      expect((await call('POST', `${path}/settle`, options)).status).toBe(404);
    }
  });

  test('is one of at most 100 live ones of an identity', async () => {
    const { call, reserve } = await openWorld();
    for (let made = 0; made < 100; made++) expect((await reserve([ref('e-report')])).status).toBe(201);
    const refused = await reserve([ref('e-report')]);
    expect([refused.status, refused.json.detailCode, refused.headers.get('retry-after')]).toEqual([429, '429', '5']);
    expect((await reserve([ref('e-report')], { identityId: 'i-ada' })).status).toBe(201);
    const [first] = (await call('GET', `${PATH}?limit=1&filters=identityId eq "i-new"`)).json;
    await call('DELETE', `${PATH}/${first.id}`);
    expect((await reserve([ref('e-report')])).status).toBe(201);
  });

  test('covered by an exception is made', async () => {
    const { api, call, importRecords, reserve } = await openWorld();
    const start = '2026-11-21T00:00:00.000Z';
    const end = '2026-12-21T00:00:00.000Z';
    await importRecords([
      {
        kind: 'identity',
        id: 'i-new',
        uid: 'new',
        identityProfile: 'ip-emp',
        access: [vendor, ref('e-pay', { start: '2026-11-22T00:00:00Z', end: '2026-11-23T00:00:00Z' })],
      },
    ]);
    const ada = await api.clientToken({ identityId: 'i-ada' });
    const hal = await api.clientToken({ identityId: 'i-hal' });
    const asked = { policyId: 'p-1', identityId: 'i-new', start, end, justification: 'Until the year is closed.' };
    const { id } = (await call('POST', '/sod-exceptions/v1', { token: ada, body: asked })).json;
    const approved = await call('POST', `/sod-exceptions/v1/${id}/approve`, { token: hal, body: {} });
    expect(approved.status).toBe(200);
    const within = await reserve([ref('e-pay', { start: '2026-11-24T00:00:00Z', end: '2026-11-25T00:00:00Z' })]);
    expect(within.status).toBe(201);
    expect(within.json.prediction.violationContexts).toMatchObject([{ exception: { id, end } }]);
    expect((await reserve([ref('e-pay', { start: '2026-11-24T00:00:00Z' })])).status).toBe(409);
  });
});

describe('the list of reservations', () => {
  async function openList() {
    const world = await openWorld();
    const ids: string[] = [];
    for (const [reference, ttlHours] of [
      ['REQ-1', 3],
      ['REQ-2', 1],
      ['other', 2],
    ] as const) {
      ids.push((await world.reserve([ref('e-report')], { reference, ttlHours })).json.id);
      world.clock.nowMs += 1_000;
    }
    await world.reserve([pay], { identityId: 'i-ada' });
    await world.call('DELETE', `${PATH}/${ids[0]}`);
    const referencesIn = async (query: string) =>
      (await world.call('GET', `${PATH}?${query}`)).json.map(({ reference }: { reference: string }) => reference);
    return { ...world, referencesIn };
  }

  test.each([
    ['sorters=created', ['REQ-1', 'REQ-2', 'other', null]],
    ['sorters=-created', [null, 'other', 'REQ-2', 'REQ-1']],
    ['sorters=expires', ['REQ-2', 'other', 'REQ-1', null]],
    ['sorters=created&filters=reference sw "REQ-"', ['REQ-1', 'REQ-2']],
    ['filters=reference eq "REQ-2"', ['REQ-2']],
    ['filters=identityId in ("i-ada", "i-bob")', [null]],
    ['sorters=created&filters=state in ("RELEASED", "EXPIRED")', ['REQ-1']],
    ['sorters=created&filters=identityId eq "i-new" and state eq "LIVE"', ['REQ-2', 'other']],
  ])('%s', async (query, references) => {
    const { referencesIn } = await openList();
    expect(await referencesIn(query)).toEqual(references);
  });

  test.each([
    'filters=id eq "x"',
    'filters=reference co "x"',
    'filters=state eq "NEW"',
    'sorters=id',
    'limit=251',
    'cursor=x',
  ])('%s is refused', async (query) => {
    const { call } = await openWorld();
    expect((await call('GET', `${PATH}?${query}`)).json).toMatchObject({ detailCode: '400.1.3' });
  });

  test.each(['', 'sorters=-expires&'])('is read page by page, %s', async (order) => {
    const { call } = await openList();
    const all = (await call('GET', `${PATH}?${order}`)).json;
    const found: unknown[] = [];
    for (let path: string | undefined = `${PATH}?${order}limit=1&count=true`; path !== undefined; ) {
      const page = await call('GET', path);
      expect([page.json.length, page.headers.get('x-total-count')]).toEqual([1, '4']);
      found.push(...page.json);
      path = /^<http:\/\/[^/]*([^>]*)>/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(found).toEqual(all);
    if (order === '')
      expect(all.map(({ id }: { id: string }) => id)).toEqual(all.map(({ id }: { id: string }) => id).sort());
  });
});

describe('include=pending', () => {
  test('counts live reservations as requested before, and nothing without it', async () => {
    const { call, reserve, predict } = await openWorld();
    const { id } = (await reserve([vendor], { reference: 'REQ-1' })).json;
    const body = { identityId: 'i-new', accessRefs: [pay] };
    const pending = [{ reservationId: id, reference: 'REQ-1' }];
    expect((await call('POST', '/sod-violations/v1/predict', { body })).json.violationContexts).toEqual([]);
    const { violationContexts } = await predict([pay]);
    expect(violationContexts[0].conflictingAccessCriteria.leftCriteria.criteriaList).toMatchObject([
      { existing: false, pending },
    ]);
    expect((await predict([ref('e-report')])).violationContexts).toEqual([]);
    expect((await predict([vendor])).violationContexts).toEqual([]);
    const batch = await call('POST', '/sod-violations/v1/predict/batch?include=pending', {
      headers: { 'content-type': 'application/x-ndjson' },
      body: JSON.stringify(body),
    });
    expect(JSON.parse(batch.text).body.violationContexts).toEqual(violationContexts);
  });

  test('goes with the paths and the remedies: what is reserved counts as requested, and is neither dropped nor revoked', async () => {
    const { reserve, predict } = await openWorld();
    await reserve([{ type: 'ROLE', id: 'r-buyer' }]);
    const { violationContexts, remediation } = await predict([pay], 'via,remediation,pending');
    const [{ conflictingAccessCriteria: conflict }] = violationContexts;
    expect(conflict.leftCriteria.criteriaList[0]).toMatchObject({
      pending: [{ reference: null }],
      via: [
        {
          source: 'REQUESTED',
          path: [
            { type: 'ROLE', id: 'r-buyer', name: 'Buyer' },
            { type: 'ACCESS_PROFILE', id: 'ap-vendor', name: 'Vendor master' },
          ],
        },
      ],
      viaMore: 0,
    });
    expect(conflict.rightCriteria.criteriaList[0]).not.toHaveProperty('pending');
    expect(remediation).toEqual({ drop: { accessRefs: [pay], optimal: true }, revoke: null });
  });

  test('explains at most 64 instants of all windows together', async () => {
    const { call, reserve } = await openWorld();
    const day = (number: number) => new Date(Date.parse(NOW) + number * DAY_MS).toISOString();
    const windows = Array.from({ length: 32 }, (_, at) =>
      ref('e-report', { start: day(2 * at + 1), end: day(2 * at + 2) }),
    );
    await reserve(windows);
    const predict = (accessRefs: readonly object[]) =>
      call('POST', '/sod-violations/v1/predict?include=pending', { body: { identityId: 'i-new', accessRefs } });
    expect((await predict([pay])).status).toBe(200);
    const refused = await predict([ref('e-pay', { start: day(99) })]);
    expect(refused.json).toMatchObject({ detailCode: '400.1.4' });
    expect(refused.json.causes[0].text).toContain('drop pending');
  });
});
