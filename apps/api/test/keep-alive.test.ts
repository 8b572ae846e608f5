import { Agent, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from './listen.ts';
import { openTestApi, WORLD } from './test-api.ts';

/** Sends predictions on one connection. */
async function openConnection() {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  const port = await listen(api.app);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const sockets = new Set<Socket>();
  const predict = async (token: string, accessRefs: readonly object[] = []) => {
    const body = JSON.stringify({ identityId: 'i-cleo', accessRefs });
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { agent, port, host: '127.0.0.1', method: 'POST', path: '/sod-violations/v1/predict', headers };
      request(options, resolve).on('error', reject).end(body);
    });
    sockets.add(answer.socket);
    return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
  };
  return { ...api, predict, sockets };
}

test('an expired token is refused on a connection that has already used it', async () => {
  const { predict, clientToken, clock, sockets } = await openConnection();
  const token = await clientToken();
  expect((await predict(token)).status).toBe(200);
  expect((await predict(token)).status).toBe(200);
  clock.nowMs += 15 * 60 * 1000;
  expect((await predict(token)).status).toBe(401);
  expect(sockets.size).toBe(1);
});

test('a deleted client and a revoked capability are refused at once on a connection that has already used them', async () => {
  const { predict, call, clientToken, lines, sockets } = await openConnection();
  const token = await clientToken({ identityId: 'i-hal' });
  expect((await predict(token)).status).toBe(200);
  const { clientId } = lines.at(-1)?.fields ?? {};
  const revoked = await call('PATCH', '/auth-users/v1/i-hal', {
    body: [{ op: 'replace', path: '/capabilities', value: [] }],
  });
  expect(revoked.status).toBe(200);
  expect((await predict(token)).status).toBe(403);
  expect((await call('DELETE', `/oauth-clients/v1/${clientId}`)).status).toBe(204);
  expect((await predict(token)).status).toBe(401);
  expect(sockets.size).toBe(1);
});

test('requests of one connection can have different callers', async () => {
  const { predict, rootToken, clientToken, lines } = await openConnection();
  const tokens = [await rootToken(), await clientToken(), await rootToken()];
  const clients: unknown[] = [];
  for (const token of tokens) {
    expect((await predict(token)).status).toBe(200);
    clients.push(lines.at(-1)?.fields['clientId']);
  }
  expect(clients).toEqual(['root', expect.not.stringMatching('root'), 'root']);
  expect((await predict(`${await rootToken()}x`)).status).toBe(401);
});

test('a long response arrives complete, in order and in chunks, and is logged at its end', async () => {
  const { predict, importRecords, rootToken, lines } = await openConnection();
  const policies = Array.from({ length: 500 }, (_, number) => ({
    kind: 'sodPolicy',
    id: `p-${String(number).padStart(3, '0')}`,
    name: `Policy ${number}`,
    level: 'LOW',
    conflictingAccessCriteria: {
      leftCriteria: { name: 'l', criteriaList: [{ type: 'ENTITLEMENT', id: 'e-vendor' }] },
      rightCriteria: { name: 'r', criteriaList: [{ type: 'ENTITLEMENT', id: 'e-pay' }] },
    },
  }));
  expect((await importRecords(policies)).status).toBe(200);
  const answer = await predict(await rootToken(), [{ type: 'ENTITLEMENT', id: 'e-pay' }]);
  expect(answer.headers['transfer-encoding']).toBe('chunked');
  const ids = JSON.parse(answer.text).violationContexts.map((context: { policy: { id: string } }) => context.policy.id);
  expect(ids).toEqual(['p-1', ...policies.map(({ id }) => id)].sort());
  expect(lines.at(-1)?.fields).toMatchObject({ operation: 'start-predict-sod-violations-v1', status: 200 });
});
