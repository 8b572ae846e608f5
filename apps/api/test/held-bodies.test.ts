import { OPERATIONS, type Operation } from '@access-admin/contract';
import { type AuditContext, PROOF_MS, SCOPES } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { callsOf, type OperationCall, openWorld } from './operation-calls.ts';
import type { TestApi } from './test-api.ts';
import { openSession } from './test-session.ts';

const WITH_BODY = OPERATIONS.filter(({ body }) => body !== null);
const RIVAL = { kind: 'identity', id: 'i-rival', uid: 'rival', identityProfile: 'ip-emp' };
const RIVAL_ADMIN = { ...RIVAL, capabilities: ['ORG_ADMIN', 'POLICY_ADMIN', 'HELPDESK'] };

async function open() {
  const world = await openWorld();
  const { api } = world;
  const calls = new Map<string, OperationCall>(callsOf(world).map(([{ id }, call]) => [id, call]));
  const become = (record: object) => api.importRecords([record]);
  await become(RIVAL_ADMIN);

  /** Sends the head of a request and half of its body, and the rest after `loss`. */
  const sendHeld = async ({ id, method }: Operation, by: object, loss: () => Promise<unknown>) => {
    const [path, { body, headers = {} } = {}] = calls.get(id) ?? expect.unreachable(id);
    const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
    const half = Math.ceil(bytes.length / 2);
    const isRead = Promise.withResolvers<void>();
    let isSent = false;
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          if (!isSent) {
            isSent = true;
            controller.enqueue(bytes.subarray(0, half));
            return;
          }
          // The first half was taken, so that the checks before the body have let the request through.
          isRead.resolve();
          await lost.promise;
          controller.enqueue(bytes.subarray(half));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const lost = Promise.withResolvers<void>();
    const answer = api.send(path, {
      method,
      headers: { ...headers, ...by },
      body: stream,
      duplex: 'half',
    });
    await Promise.race([isRead.promise, answer.then(({ status }) => expect.unreachable(`${id}: ${status} too early`))]);
    await loss();
    lost.resolve();
    return answer;
  };

  const clientOf = async () => {
    const { json } = await api.call('POST', '/oauth-clients/v1', {
      body: { name: 'rival', scopes: SCOPES, identityId: RIVAL.id },
    });
    const token = await api.tokenFor(json.id, json.secret);
    return { id: json.id as string, by: { authorization: `Bearer ${token}` } };
  };
  const sessionOf = async () => {
    const { id, cookie } = await openSession(api, RIVAL.id);
    return { id, by: { cookie, origin: 'http://127.0.0.1:8080' } };
  };
  return { api, become, calls, sendHeld, clientOf, sessionOf };
}

describe('what a caller loses while its body arrives counts, for every operation with a body', () => {
  test('the capabilities of its identity', async () => {
    const { become, sendHeld, clientOf } = await open();
    for (const operation of WITH_BODY) {
      await become(RIVAL_ADMIN);
      const { by } = await clientOf();
      const { status } = await sendHeld(operation, by, () => become({ ...RIVAL, capabilities: [] }));
      expect(status, operation.id).toBe(403);
    }
  });

  test('a scope of its client', async () => {
    const { api, sendHeld, clientOf } = await open();
    for (const operation of WITH_BODY) {
      const { id, by } = await clientOf();
      const rest = SCOPES.filter((scope) => !operation.rights.scopes.includes(scope));
      const { status } = await sendHeld(operation, by, () =>
        api.call('PATCH', `/oauth-clients/v1/${id}`, { body: [{ op: 'replace', path: '/scopes', value: rest }] }),
      );
      expect(status, operation.id).toBe(403);
    }
  });

  test('its client', async () => {
    const { api, sendHeld, clientOf } = await open();
    for (const operation of WITH_BODY) {
      const { id, by } = await clientOf();
      const { status } = await sendHeld(operation, by, () => api.call('DELETE', `/oauth-clients/v1/${id}`));
      expect(status, operation.id).toBe(401);
    }
  });

  test('its session', async () => {
    const { api, sendHeld, sessionOf } = await open();
    for (const operation of WITH_BODY) {
      const { id, by } = await sessionOf();
      const { status } = await sendHeld(operation, by, () => api.call('DELETE', `/sessions/v1/${id}`));
      expect(status, operation.id).toBe(401);
    }
  });

  test('the fresh proof of its session', async () => {
    const { api, sendHeld, sessionOf } = await open();
    const proven = WITH_BODY.filter(({ rights }) => rights.freshProof);
    expect(proven.length).toBeGreaterThan(0);
    for (const operation of proven) {
      const { by } = await sessionOf();
      const { status } = await sendHeld(operation, by, async () => {
        api.clock.nowMs += PROOF_MS;
      });
      expect(status, operation.id).toBe(403);
    }
  });
});

/** Runs `loss` whenever a change of this identity reaches the store, before its transaction. */
function loseBeforeWrites({ store }: TestApi, identityId: string, loss: () => Promise<unknown>): void {
  const isOfRival = (given: unknown): boolean => {
    if (typeof given !== 'object' || given === null) return false;
    const { authorization, auditContext } = given as Partial<AuditContext> & { auditContext?: AuditContext };
    return (authorization ?? auditContext?.authorization)?.caller.identityId === identityId;
  };
  for (const feature of Object.values(store))
    for (const [name, method] of Object.entries(feature))
      if (typeof method === 'function')
        Object.assign(feature, {
          [name]: (...given: unknown[]) =>
            given.some(isOfRival) ? loss().then(() => method(...given)) : method(...given),
        });
}

/** What changes nothing that the audit log tells of, so that rights are not looked at again within it. */
const NOT_RECORDED = /^(decide|start)-/;

test('what a caller loses before the transaction of its change counts, for every change', async () => {
  const { api, become, calls, clientOf } = await open();
  const reached: string[] = [];
  let operationId = '';
  loseBeforeWrites(api, RIVAL.id, async () => {
    reached.push(operationId);
    await become({ ...RIVAL, capabilities: [] });
  });
  const changing = OPERATIONS.filter(
    ({ id, method, hasNoEffect, rights }) =>
      method !== 'GET' && !hasNoEffect && !rights.applicationsOnly && !NOT_RECORDED.test(id),
  );
  // Records that others change.
  for (const { id, method } of changing.filter(({ id }) => /^create-(?!oauth|sign|sod-exc|webhook)/.test(id))) {
    const [path, options] = calls.get(id) ?? expect.unreachable(id);
    expect((await api.call(method, path, options)).status, id).toBe(201);
  }
  for (const { id, method } of changing) {
    await become(RIVAL_ADMIN);
    const { by } = await clientOf();
    operationId = id;
    const [path, { body, headers = {} } = {}] = calls.get(id) ?? expect.unreachable(id);
    const { status } = await api.call(method, path, {
      token: null,
      headers: { ...headers, ...by },
      body,
    });
    expect(status, id).toBe(403);
  }
  expect(reached).toEqual(changing.map(({ id }) => id));
});
