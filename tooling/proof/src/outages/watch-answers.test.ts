import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { watchAnswers } from './watch-answers.ts';

const SAID: Readonly<Record<string, readonly [status: number, headers: Readonly<Record<string, string>>]>> = {
  '/good': [200, {}],
  '/later': [503, { 'retry-after': '1' }],
  '/away': [503, {}],
  '/unknown': [503, { 'x-text': 'whether it has taken effect is not known' }],
  '/at-once': [503, { 'retry-after': '0' }],
  '/broken': [500, { 'retry-after': '1' }],
  '/conflict': [409, {}],
};

test('notes every answer that is neither a success nor a 503 with Retry-After, and every request without an answer', async () => {
  const server = createServer((request, response) => {
    const acknowledgements = SAID[request.url ?? ''];
    if (acknowledgements === undefined) request.socket.destroy();
    else response.writeHead(...acknowledgements).end(Object(acknowledgements[1])['x-text'] ?? 'said');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const answers = watchAnswers();
  for (const path of Object.keys(SAID)) {
    const answer = await answers.fetch(`http://127.0.0.1:${port}${path}`, { method: 'GET' });
    expect(await answer.text()).not.toBe('');
  }
  await expect(answers.fetch(`http://127.0.0.1:${port}/missing`, { method: 'PUT' })).rejects.toThrow();
  expect(answers).toMatchObject({ answered: 7, deferred: 1, unknown: 1 });
  expect(answers.faults).toEqual([
    'GET /away: 503 said',
    'GET /at-once: 503 said',
    'GET /broken: 500 said',
    'GET /conflict: 409 said',
    expect.stringMatching(/^PUT \/missing: no answer/),
  ]);
  server.close();
  server.closeAllConnections();
});
