import { describe, expect, test } from 'vitest';
import { endViolations, openViolations } from './open-violations.ts';
import { exceptionsOf, refusalOf } from './sod-exceptions-world.ts';
import { openTestApi } from './test-api.ts';

// Requests and models as the published SDKs of SailPoint have them.
const SDK = { 'user-agent': 'OpenAPI-Generator/2.1.72/python', 'x-sailpoint-sdk': 'python-2.1.72' };
const isReference = { id: expect.any(String), type: expect.any(String), name: expect.any(String) };
const isMoment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function openWorld() {
  const world = await exceptionsOf(await openTestApi());
  const { api, ada } = world;
  await api.importRecords([{ kind: 'identity', id: 'i-zoe', uid: 'zoe', identityProfile: 'ip-emp' }]);
  const [id = ''] = await openViolations(api.store, [{ policyId: 'p-1', identityId: 'i-cleo' }]);
  const call = (method: string, path: string, body?: object) =>
    api.call(method, path, { token: ada, headers: SDK, ...(body === undefined ? {} : { body }) });
  const reassign = (body: object) => call('POST', `/violations/v1/${id}/reassign`, body);
  const apply = (body: object) => call('POST', `/violations/v1/${id}/controls`, body);
  const control = await call('POST', '/controls/v1', {
    name: 'Second signature',
    description: null,
    owner: { type: 'IDENTITY', id: 'i-ada' },
    type: 'Mitigation',
    action: 'Workflow',
    expiration: '20d',
    justificationRequired: false,
    workflowID: 'w-1',
  });
  return { ...world, id, call, reassign, apply, controlId: String(control.json.id) };
}

describe('the SDKs of SailPoint', () => {
  test('read a violation: its owner is a reference or left out, wherever it is told of', async () => {
    const { api, id, call, reassign } = await openWorld();
    const shown = async () => {
      const { json } = await call('GET', `/violations/v1/${id}`);
      const listed = await call('GET', '/violations/v1?limit=250&sorters=-level');
      const exported = await call('GET', '/violations/v1/export');
      expect([listed.json, JSON.parse(exported.text)]).toEqual([[json], json]);
      return json;
    };
    const unowned = await shown();
    expect(unowned).not.toHaveProperty('owner');
    await reassign({ reassignTo: { assigneeId: 'i-zoe', assigneeType: 'IDENTITY' } });
    expect((await shown()).owner).toEqual({ type: 'IDENTITY', id: 'i-zoe', name: 'zoe' });
    expect((await call('GET', '/violations/v1/export')).text).not.toContain('"owner":null');
    await endViolations(api.store, 'i-cleo');
    const events = await api.call('GET', '/events/v1?types=sod.violation.*');
    expect(events.json.map(({ data }: { data: { owner?: object } }) => data.owner?.constructor)).toEqual([
      undefined,
      Object,
      Object,
    ]);
    expect(events.text).not.toContain('"owner":null');
  });

  test('reassign a violation in each of their spellings', async () => {
    const { reassign } = await openWorld();
    for (const body of [
      { reassignTo: { assigneeId: 'i-zoe', assigneeType: 'IDENTITY' } },
      { assigneeId: 'i-ada', assigneeType: 'IDENTITY' },
      { reassignTo: { type: 'IDENTITY', id: 'i-zoe' } },
      { reassignTo: { assigneeId: 'i-ada', assigneeType: 'IDENTITY' }, comments: 'Hers' },
      { reassignTo: { assigneeId: 'i-zoe', assigneeType: 'IDENTITY', type: 'IDENTITY', id: 'i-zoe' } },
      { reassignTo: { assigneeId: 'i-ada', assigneeType: 'IDENTITY' }, assigneeId: 'i-ada', assigneeType: 'IDENTITY' },
    ]) {
      const answer = await reassign(body);
      const owner = JSON.stringify(body).includes('i-zoe') ? 'i-zoe' : 'i-ada';
      expect([body, answer.status, answer.json.owner?.id]).toEqual([body, 200, owner]);
      expect((await reassign(body)).status).toBe(204);
    }
  });

  test.each<[string, object, readonly [number, string, string?]]>([
    [
      'a governance group',
      { reassignTo: { assigneeId: 'g-1', assigneeType: 'GOVERNANCE_GROUP' } },
      [400, '400.1.3', 'reassignTo.assigneeType'],
    ],
    ['nobody', { reassignTo: { assigneeType: 'IDENTITY' } }, [400, '400.1.0', 'reassignTo']],
    ['nobody at all', { comments: 'x' }, [400, '400.1.0']],
    [
      'two identities',
      { reassignTo: { assigneeId: 'i-zoe', assigneeType: 'IDENTITY', id: 'i-ada' } },
      [400, '400.1.3', 'reassignTo'],
    ],
    [
      'two identities in two places',
      { reassignTo: { assigneeId: 'i-zoe', assigneeType: 'IDENTITY' }, assigneeId: 'i-ada' },
      [400, '400.1.3'],
    ],
    ['an unknown identity', { reassignTo: { assigneeId: 'i-none', assigneeType: 'IDENTITY' } }, [404, '404']],
    ['its target', { reassignTo: { assigneeId: 'i-cleo', assigneeType: 'IDENTITY' } }, [409, '409.1']],
    ['an unknown member', { reassignTo: { assigneeId: 'i-zoe', assignee: 'i-zoe' } }, [400, '400.1']],
  ])('do not reassign it to %s', async (_, body, [status, code, place = '']) => {
    const { reassign } = await openWorld();
    const [gotStatus, gotCode, cause] = refusalOf(await reassign(body));
    expect([gotStatus, gotCode]).toEqual([status, code]);
    if (place !== '') expect(cause).toMatch(new RegExp(`^${place}: `));
  });

  test('apply a control by its id, and read it as they show it', async () => {
    const { id, call, apply, controlId, move } = await openWorld();
    const applied = await apply({ control: controlId, comments: 'Year end' });
    const model = {
      id: expect.any(String),
      violation: id,
      violationRef: { ...isReference, type: 'VIOLATION', id },
      control: { ...isReference, id: controlId },
      applier: { ...isReference, id: 'i-ada' },
      appliedDate: isMoment,
      expiration: isMoment,
      comments: 'Year end',
      status: 'Pending',
      exceptionId: expect.any(String),
    };
    expect([applied.status, applied.json]).toEqual([201, model]);
    await move(applied.json.exceptionId, 'approve');
    const { appliedControls } = (await call('GET', `/violations/v1/${id}`)).json;
    expect(appliedControls).toEqual([{ ...model, status: 'Active' }]);
  });

  test.each([{}, { comments: '' }, { comments: '  ' }, { comments: null }])(
    'apply a control with %j for its justification, which is then its name',
    async (given) => {
      const { api, apply, controlId } = await openWorld();
      const { status, json } = await apply({ control: controlId, ...given });
      expect(status).toBe(201);
      const exception = await api.call('GET', `/sod-exceptions/v1/${json.exceptionId}`, {
        token: await api.clientToken({ identityId: 'i-ada' }),
      });
      expect(exception.json.justification).toBe('Second signature');
    },
  );

  test('apply no control that is unknown, or named by something else', async () => {
    const { apply } = await openWorld();
    for (const [control, code] of [
      ['c-none', '400.1.404'],
      [{ id: 'c-none' }, '400.1.404'],
      ['', '400.1.0'],
      ['a/b', '400.1.3'],
      [{}, '400.1.0'],
      [7, '400.1.3'],
      [['c-1'], '400.1.3'],
      [null, '400.1.3'],
    ] as const) {
      const [status, got, cause] = refusalOf(await apply({ control }));
      expect([control, status, got, cause]).toEqual([control, 400, code, expect.stringMatching(/^control[.:]/)]);
    }
  });

  test('still read who applied a control when that identity is gone', async () => {
    const { api, id, apply, controlId } = await openWorld();
    await apply({ control: controlId });
    expect((await api.importRecords([{ kind: 'identity', id: 'i-ada', delete: true }])).status).toBe(200);
    const { appliedControls } = (await api.call('GET', `/violations/v1/${id}`)).json;
    expect(appliedControls).toMatchObject([{ applier: { type: 'IDENTITY', id: 'i-ada', name: 'i-ada' } }]);
  });
});
