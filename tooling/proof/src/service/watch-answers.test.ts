import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { watchAnswers } from './watch-answers.ts';

const refusal = (text: string) =>
  JSON.stringify({ detailCode: '503', trackingId: '0'.repeat(32), messages: [{ text }], causes: [] });
const AWAY = refusal('The storage is unavailable.');
const UNKNOWN = refusal('The storage became unavailable: it is unknown whether the request has taken effect.');

const ANSWERS: Readonly<Record<string, readonly [status: number, retryAfter: string | null, body: string]>> = {
  '/good': [200, null, 'text'],
  '/later': [503, '1', AWAY],
  '/away': [503, null, AWAY],
  '/unknown': [503, null, UNKNOWN],
  '/at-once': [503, '0', AWAY],
  '/shapeless': [503, '1', '{}'],
  '/broken': [500, '1', AWAY],
  '/conflict': [409, null, 'text'],
};

test('reports every answer that is neither a success nor a 503 in its exact form, and every request without an answer', async () => {
  const server = createServer((request, response) => {
    const [status, retryAfter, body] = ANSWERS[request.url ?? ''] ?? [];
    if (status === undefined) request.socket.destroy();
    else response.writeHead(status, retryAfter == null ? {} : { 'retry-after': retryAfter }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const answers = watchAnswers();
  for (const [path, [, , body]] of Object.entries(ANSWERS)) {
    const answer = await answers.fetch(`http://127.0.0.1:${port}${path}`, { method: 'GET' });
    expect(await answer.text()).toBe(body);
  }
  await expect(answers.fetch(`http://127.0.0.1:${port}/missing`, { method: 'PUT' })).rejects.toThrow();
  expect(answers).toMatchObject({ answered: 8, deferred: 1, unknown: 1 });
  expect(answers.unexpected).toEqual([
    `GET /away: 503 ${AWAY}`,
    `GET /at-once: 503 ${AWAY}`,
    'GET /shapeless: 503 {}',
    `GET /broken: 500 ${AWAY}`,
    'GET /conflict: 409 text',
    expect.stringMatching(/^PUT \/missing: no answer/),
  ]);
  server.close();
  server.closeAllConnections();
});
