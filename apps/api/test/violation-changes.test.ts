import { describe, expect, test } from 'vitest';
import { endViolations, openViolations } from './open-violations.ts';
import { exceptionsOf, refusalOf } from './sod-exceptions-world.ts';
import { openTestApi } from './test-api.ts';

const FOUND = '2026-11-21T09:29:00.000Z';
const NOW = '2026-11-21T09:30:00.000Z';

async function openWorld() {
  const world = await exceptionsOf(await openTestApi());
  const { call, store, clientToken, importRecords } = world.api;
  await importRecords([{ kind: 'identity', id: 'i-zoe', uid: 'zoe', identityProfile: 'ip-emp' }]);
  const [id = ''] = await openViolations(store, [{ policyId: 'p-1', identityId: 'i-cleo' }], { at: FOUND });
  const zoe = await clientToken({ identityId: 'i-zoe' });
  const reassign = (body: object, token?: string, violation = id) =>
    call('POST', `/violations/v1/${violation}/reassign`, { body, ...(token === undefined ? {} : { token }) });
  const apply = (body: object, token = world.ada) =>
    call('POST', `/violations/v1/${id}/controls`, {
      token,
      body: { control: { type: 'CONTROL', id: 'c-1' }, ...body },
    });
  const get = (token?: string) => call('GET', `/violations/v1/${id}`, token === undefined ? {} : { token });
  const control = (more: object = {}) =>
    call('POST', '/controls/v1', { body: { id: 'c-1', name: 'Second signature', expiration: '20d', ...more } });
  return { ...world, id, zoe, reassign, apply, get, control };
}

describe('a violation', () => {
  test('gets another owner, in both spellings, which is audited and told', async () => {
    const { api, id, zoe, reassign, get } = await openWorld();
    expect((await get(zoe)).status).toBe(403);
    const first = await reassign({ reassignTo: { type: 'IDENTITY', id: 'i-zoe' }, comments: 'Hers' });
    expect([first.status, first.json.owner]).toEqual([200, { type: 'IDENTITY', id: 'i-zoe', name: 'zoe' }]);
    expect(first.headers.get('etag')).toBe((await get()).headers.get('etag'));
    expect((await reassign({ assigneeId: 'i-zoe', assigneeType: 'IDENTITY' })).status).toBe(204);

    // The owner reads and reassigns it without a capability, and then no longer.
    expect((await get(zoe)).status).toBe(200);
    expect((await reassign({ assigneeId: 'i-ada' }, zoe)).json.owner.id).toBe('i-ada');
    expect((await reassign({ assigneeId: 'i-zoe' }, zoe)).status).toBe(403);
    expect((await reassign({ assigneeId: 'i-zoe' }, zoe, '00000000-0000-4000-8000-000000000000')).status).toBe(403);

    const { json: audited } = await api.call('GET', '/audit-events/v1?filters=operation eq "reassign-violation-v1"');
    expect(audited[0]).toMatchObject({
      resource: { type: 'SOD_VIOLATION', id },
      changes: [
        { field: 'ownerId', before: null, after: 'i-zoe' },
        { field: 'comments', before: null, after: 'Hers' },
      ],
    });
    const told = await api.call('GET', '/events/v1?types=sod.violation.reassigned');
    expect(told.json.map(({ data }: { data: { owner: { id: string } } }) => data.owner.id)).toEqual(['i-zoe', 'i-ada']);
  });

  test('is not reassigned to its target, to an unknown identity, or without an identity', async () => {
    const { reassign } = await openWorld();
    expect(refusalOf(await reassign({ assigneeId: 'i-cleo' })).slice(0, 2)).toEqual([409, '409.1']);
    expect(refusalOf(await reassign({ assigneeId: 'i-none' })).slice(0, 2)).toEqual([404, '404']);
    expect(refusalOf(await reassign({ assigneeId: 'i-zoe' }, undefined, 'no-such')).slice(0, 2)).toEqual([404, '404']);
    expect(refusalOf(await reassign({})).slice(0, 2)).toEqual([400, '400.1.0']);
    expect(refusalOf(await reassign({ assigneeId: 'i-zoe', assigneeType: 'GOVERNANCE_GROUP' })).slice(0, 2)).toEqual([
      400,
      '400.1.3',
    ]);
  });

  test('tells its owner nothing about which identities exist, also after its end', async () => {
    const { api, reassign, zoe, id } = await openWorld();
    await reassign({ assigneeId: 'i-zoe' });
    const told = async (assigneeId: string, token?: string, violation = id) => {
      const { status, text } = await reassign({ assigneeId }, token, violation);
      return [status, text.replace(/"trackingId":"[^"]*"/, '')];
    };
    const unknown = await told('i-none', zoe);
    expect(unknown[0]).toBe(404);
    await endViolations(api.store, 'i-cleo');
    for (const assigneeId of ['i-none', 'i-ada', 'i-cleo']) expect(await told(assigneeId, zoe)).toEqual(unknown);
    expect((await told('i-zoe', zoe))[0]).toBe(204);
    // Of the violations of others it learns nothing at all.
    const foreign = await told('i-ada', zoe, 'no-such');
    expect(foreign[0]).toBe(403);
    expect(await told('i-none', zoe, 'no-such')).toEqual(foreign);
    // An administrator may look identities up.
    expect([(await told('i-none'))[0], (await told('i-ada'))[0]]).toEqual([404, 409]);
  });

  test('gets a control, whose exception another identity approves, and which keeps the control from deletion', async () => {
    const { api, id, ada, apply, get, control, move } = await openWorld();
    await control();
    const applied = await apply({ comments: 'Year end' });
    const { exceptionId } = applied.json;
    expect([applied.status, applied.json]).toEqual([
      201,
      {
        id: expect.any(String),
        violation: id,
        violationRef: { type: 'VIOLATION', id, name: 'p-1: i-cleo' },
        control: { type: 'CONTROL', id: 'c-1', name: 'Second signature' },
        applier: { type: 'IDENTITY', id: 'i-ada', name: 'ada' },
        appliedDate: NOW,
        expiration: '2026-12-11T09:30:00.000Z',
        comments: 'Year end',
        status: 'Pending',
        exceptionId,
      },
    ]);
    const exception = await api.call('GET', `/sod-exceptions/v1/${exceptionId}`, { token: ada });
    expect(exception.json).toMatchObject({
      policyId: 'p-1',
      identityId: 'i-cleo',
      start: NOW,
      end: '2026-12-11T09:30:00.000Z',
      state: 'REQUESTED',
      justification: 'Year end',
    });
    expect((await get()).json).toMatchObject({ appliedControls: [applied.json], modified: NOW });
    expect(refusalOf(await apply({}))[0]).toBe(409);
    expect((await move(exceptionId, 'approve', ada)).status).toBe(403);
    const later = () => {
      api.clock.nowMs += 60_000;
      return new Date(api.clock.nowMs).toISOString();
    };
    const approved = later();
    expect((await move(exceptionId, 'approve')).status).toBe(200);
    expect((await get()).json).toMatchObject({ appliedControls: [{ status: 'Active' }], modified: approved });
    expect(refusalOf(await api.call('DELETE', '/controls/v1/c-1'))[0]).toBe(409);
    const revoked = later();
    await move(exceptionId, 'revoke');
    expect((await get()).json).toMatchObject({ appliedControls: [{ status: 'Canceled' }], modified: revoked });
    expect((await api.call('DELETE', '/controls/v1/c-1')).status).toBe(204);
    const told = await api.call('GET', '/events/v1?types=sod.exception.*', { token: ada });
    expect(told.json.map(({ type }: { type: string }) => type.split('.').at(-2))).toEqual([
      'requested',
      'approved',
      'revoked',
    ]);
  });

  test('gets no control from an application, from itself, that is unknown, or without the comments that it needs', async () => {
    const { api, apply, control } = await openWorld();
    await control({ justificationRequired: true });
    expect(refusalOf(await apply({ control: { id: 'c-none' } })).slice(0, 2)).toEqual([400, '400.1.404']);
    expect(refusalOf(await apply({})).slice(0, 2)).toEqual([400, '400.1.0']);
    expect(refusalOf(await apply({ comments: ' ' })).slice(0, 2)).toEqual([400, '400.1.0']);
    expect(refusalOf(await apply({ comments: 'x' }, await api.rootToken()))[0]).toBe(403);
    const { json } = await api.call('GET', '/controls/v1/c-1');
    expect(json.id).toBe('c-1');
  });
});
