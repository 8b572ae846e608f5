import { describe, expect, test } from 'vitest';
import { refusalOf } from './sod-exceptions-world.ts';
import { openTestApi, WORLD } from './test-api.ts';

const CONTROLS = '/controls/v1';
const NOW = '2026-11-21T09:30:00.000Z';
const owner = (id: string) => ({ type: 'IDENTITY', id });
const NEW = { name: 'Second signature', expiration: '20d' };

async function openWorld() {
  const api = await openTestApi();
  expect((await api.importRecords(WORLD)).status).toBe(200);
  const create = (body: object) => api.call('POST', CONTROLS, { body });
  return { ...api, create };
}

describe('a control', () => {
  test('is created with its defaults, read, replaced, changed and deleted', async () => {
    const { call, create, clock } = await openWorld();
    const created = await create({ id: 'c-1', ...NEW, owner: owner('i-ada'), action: 'x', workflowID: null });
    expect([created.status, created.headers.get('location')]).toEqual([201, `${CONTROLS}/c-1`]);
    expect(created.json).toEqual({
      id: 'c-1',
      ...NEW,
      description: null,
      owner: { ...owner('i-ada'), name: 'ada' },
      secondaryOwners: [],
      type: 'Mitigation',
      justificationRequired: false,
      created: NOW,
      modified: NOW,
    });
    const read = await call('GET', `${CONTROLS}/c-1`);
    expect([read.text, read.headers.get('etag')]).toEqual([created.text, created.headers.get('etag')]);

    clock.nowMs += 1_000;
    const replaced = await call('PUT', `${CONTROLS}/c-1`, { body: { ...created.json, description: 'By a manager.' } });
    expect(replaced.json).toEqual({
      ...created.json,
      description: 'By a manager.',
      modified: '2026-11-21T09:30:01.000Z',
    });
    const patched = await call('PATCH', `${CONTROLS}/c-1`, {
      body: [
        { op: 'replace', path: '/owner', value: null },
        { op: 'add', path: '/secondaryOwners/-', value: owner('i-bob') },
      ],
    });
    expect(patched.json).toMatchObject({ owner: null, secondaryOwners: [{ id: 'i-bob' }] });
    expect((await call('DELETE', `${CONTROLS}/c-1`)).status).toBe(204);
    expect((await call('GET', `${CONTROLS}/c-1`)).status).toBe(404);
    const { json: events } = await call('GET', '/audit-events/v1?filters=resourceType eq "CONTROL"');
    expect(events.map(({ operation }: { operation: string }) => operation)).toEqual([
      'create-control-v1',
      'put-control-v1',
      'patch-control-v1',
      'delete-control-v1',
    ]);
  });

  test('is found by id, name, type, description and owner', async () => {
    const { call, create } = await openWorld();
    await create({ id: 'c-1', ...NEW, description: '100 % of payments', owner: owner('i-ada') });
    await create({ id: 'c-2', ...NEW, name: 'Review of the log', owner: owner('i-bob') });
    await create({ id: 'c-3', ...NEW, name: 'Report', description: 'Weekly', secondaryOwners: [owner('i-ada')] });
    const idsOf = async (filters: string) =>
      (await call('GET', `${CONTROLS}?filters=${encodeURIComponent(filters)}`)).json.map(
        ({ id }: { id: string }) => id,
      );
    expect(await idsOf('name sw "Second"')).toEqual(['c-1']);
    expect(await idsOf('name co "of the"')).toEqual(['c-2']);
    expect(await idsOf('id in ("c-1", "c-2") and name eq "Second signature"')).toEqual(['c-1']);
    expect(await idsOf('name in ("Report", "Second signature", "x")')).toEqual(['c-1', 'c-3']);
    expect(await idsOf('type eq "Mitigation"')).toEqual(['c-1', 'c-2', 'c-3']);
    expect(await idsOf('type eq "Remediation"')).toEqual([]);
    expect(await idsOf('description co "%"')).toEqual(['c-1']);
    expect(await idsOf('description co "eek"')).toEqual(['c-3']);
    expect(await idsOf('owner.id eq "i-ada"')).toEqual(['c-1']);
    expect(await idsOf('owner.id eq "i-ada" and type eq "Mitigation" and name co "x"')).toEqual([]);
    for (const filters of ['type eq "Other"', 'owner.name eq "ada"', 'description eq "Weekly"', 'owner.id co "a"']) {
      const answer = await call('GET', `${CONTROLS}?filters=${encodeURIComponent(filters)}`);
      expect([filters, ...refusalOf(answer).slice(0, 2)]).toEqual([filters, 400, '400.1.3']);
    }
    const counted = await call('GET', `${CONTROLS}?count=true&filters=${encodeURIComponent('owner.id eq "i-bob"')}`);
    expect(counted.headers.get('x-total-count')).toBe('1');
  });

  test('goes through an export and an import, and loses owners that are deleted', async () => {
    const { call, create, importRecords } = await openWorld();
    await importRecords([{ kind: 'identity', id: 'i-zoe', uid: 'zoe', identityProfile: 'ip-emp' }]);
    await create({ id: 'c-1', ...NEW, owner: owner('i-zoe'), secondaryOwners: [owner('i-zoe'), owner('i-ada')] });
    const lines = (await call('GET', '/access-model/v1/export')).text.trimEnd().split('\n');
    const line = lines.find((each) => each.includes('"control"')) ?? '';
    expect(JSON.parse(line)).toEqual({
      kind: 'control',
      id: 'c-1',
      ...NEW,
      type: 'Mitigation',
      justificationRequired: false,
      owner: owner('i-zoe'),
      secondaryOwners: [owner('i-zoe'), owner('i-ada')],
    });
    const unchanged = await importRecords([JSON.parse(line)]);
    expect(unchanged.json.counts.control).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: 1 });
    expect((await importRecords([{ kind: 'identity', id: 'i-zoe', delete: true }])).status).toBe(200);
    const { json } = await call('GET', `${CONTROLS}/c-1`);
    expect(json).toMatchObject({ owner: null, secondaryOwners: [{ id: 'i-ada' }] });
    const exported = (await call('GET', '/access-model/v1/export')).text.trimEnd().split('\n');
    expect((await importRecords(exported.map((each) => JSON.parse(each)))).status).toBe(200);
    // Another identity with the id of the deleted one owns nothing.
    await importRecords([{ kind: 'identity', id: 'i-zoe', uid: 'zoe', identityProfile: 'ip-emp' }]);
    expect((await call('GET', `${CONTROLS}/c-1`)).json.secondaryOwners).toMatchObject([{ id: 'i-ada' }]);
    expect((await importRecords([{ kind: 'control', id: 'c-1', delete: true }])).json.counts.control.deleted).toBe(1);
  });
});

test('a control that breaks a rule is refused', async () => {
  const { call, create } = await openWorld();
  for (const [body, code, text] of [
    [{ ...NEW, owner: owner('i-none') }, '400.1.404', 'owner.id: there is no identity i-none'],
    [
      { ...NEW, secondaryOwners: [owner('i-ada'), owner('i-none')] },
      '400.1.404',
      'secondaryOwners[1].id: there is no identity i-none',
    ],
    [{ ...NEW, owner: { type: 'GOVERNANCE_GROUP', id: 'g' } }, '400.1.3', 'owner.type'],
    [{ ...NEW, type: 'Remediation' }, '400.1.3', 'type'],
    [{ ...NEW, expiration: '367d' }, '400.1.3', 'expiration'],
    [{ ...NEW, expiration: '8785h' }, '400.1.3', 'expiration'],
    [{ ...NEW, expiration: '0h' }, '400.1.3', 'expiration'],
    [{ ...NEW, expiration: '20 days' }, '400.1.3', 'expiration'],
    [{ name: 'No expiration' }, '400.1.0', 'expiration'],
    [{ ...NEW, name: 'x'.repeat(129) }, '400.1.2', 'name'],
    [{ ...NEW, description: 'x'.repeat(1025) }, '400.1.2', 'description'],
    [{ ...NEW, secondaryOwners: Array(11).fill(owner('i-ada')) }, '400.1.4', 'secondaryOwners'],
    [{ ...NEW, other: 1 }, '400.1', 'other'],
  ] as const) {
    const [status, detailCode, cause] = refusalOf(await create(body));
    expect([body, status, detailCode, cause]).toEqual([body, 400, code, expect.stringContaining(text)]);
  }
  for (const expiration of ['1h', '366d', '8784h'])
    expect((await create({ ...NEW, name: 'x'.repeat(128), expiration })).status).toBe(201);
  expect((await create({ id: 'c-1', ...NEW })).status).toBe(201);
  expect(refusalOf(await create({ id: 'c-1', ...NEW }))).toEqual([409, '409.1', 'id: there is a control c-1 already']);
  const readOnly = await call('PATCH', `${CONTROLS}/c-1`, { body: [{ op: 'replace', path: '/created', value: NOW }] });
  expect(refusalOf(readOnly).slice(0, 2)).toEqual([400, '400.1.1']);
});

describe('the owner of a policy', () => {
  test('is kept, shown with its present name, filtered and exported, and lost with its identity', async () => {
    const { call, importRecords } = await openWorld();
    const zoe = { kind: 'identity', id: 'i-zoe', uid: 'zoe', identityProfile: 'ip-emp' };
    await importRecords([{ ...zoe, displayName: 'Zoe' }]);
    const patch = (value: unknown) =>
      call('PATCH', '/sod-policies/v1/p-1', { body: [{ op: 'replace', path: '/ownerRef', value }] });
    expect((await patch(owner('i-zoe'))).json.ownerRef).toEqual({ ...owner('i-zoe'), name: 'Zoe' });
    expect(refusalOf(await patch(owner('i-none')))).toEqual([
      400,
      '400.1.404',
      'ownerRef.id: there is no identity i-none',
    ]);
    await importRecords([{ ...zoe, displayName: 'Zoë' }]);
    const filters = encodeURIComponent('ownerId eq "i-zoe"');
    const { json: owned } = await call('GET', `/sod-policies/v1?filters=${filters}`);
    expect(owned).toMatchObject([{ id: 'p-1', ownerRef: { id: 'i-zoe', name: 'Zoë' } }]);
    expect((await call('GET', '/access-model/v1/export')).text).toContain(
      '"ownerRef":{"type":"IDENTITY","id":"i-zoe"}',
    );
    expect((await importRecords([{ ...zoe, delete: true }])).status).toBe(200);
    expect((await call('GET', '/sod-policies/v1/p-1')).json).not.toHaveProperty('ownerRef');
  });
});
