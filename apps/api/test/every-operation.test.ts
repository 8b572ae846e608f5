import { expect, test } from 'vitest';
import { callsOf, openWorld } from './operation-calls.ts';

test('every operation succeeds with a response that its schema describes', async () => {
  const world = await openWorld();
  for (const [{ id, method, response }, [path, options]] of callsOf(world)) {
    // `call` validates the body.
    const answer = await world.api.call(method, path, options);
    expect(answer.status, `${id}: ${answer.text}`).toBe(response.status);
  }
});
