import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';
import { callsOf, openWorld } from './operation-calls.ts';

test('every operation succeeds with a response that its schema describes', async () => {
  const world = await openWorld();
  for (const [{ id, method, response }, [path, options]] of callsOf(world)) {
    // `call` validates the body.
    const answer = await world.api.call(method, path, options);
    expect(answer.status, `${id}: ${answer.text}`).toBe(response.status);
  }
});

// A `Headers` object would sort them and have the length before the date; `c.json` spells `Content-Type` in capitals.
const IN_ORDER =
  /^x-request-id x-content-type-options cache-control( [a-z-]+)* Date Connection Keep-Alive( Content-Length| Transfer-Encoding)?$/;

test('every operation answers with the common headers first, its own as they were set, and those of Node', async () => {
  const world = await openWorld();
  const port = await listen(world.api.app);
  for (const [{ id, method, response }, [path, options = {}]] of callsOf(world)) {
    const { token = await world.api.rootToken(), headers, body } = options;
    const sent = request({ port, method, path, headers: { ...headers, authorization: `Bearer ${token}` } });
    sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
    const answer: IncomingMessage = (await once(sent, 'response'))[0].resume();
    expect([id, answer.statusCode]).toEqual([id, response.status]);
    expect(answer.rawHeaders.filter((_, at) => at % 2 === 0).join(' '), id).toMatch(IN_ORDER);
  }
});
