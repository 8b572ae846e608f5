import { OPERATIONS, type OperationId } from '@access-admin/contract';
import { expect, test } from 'vitest';
import { callsOf, type OperationCall, openWorld } from './operation-calls.ts';
import type { TestAnswer } from './test-api.ts';

test('every operation succeeds with a response that its schema describes', async () => {
  const world = await openWorld();
  const calls = callsOf(world);
  const methods = new Map(OPERATIONS.map((operation) => [operation.id, operation]));
  for (const [id, [path, options = {}]] of Object.entries(calls) as [OperationId, OperationCall][]) {
    const operation = methods.get(id);
    const headers = { 'x-service-experimental': 'true', ...options.headers };
    // `call` validates the body.
    const answer: TestAnswer = await world.api.call(operation?.method ?? '', path, { ...options, headers });
    expect(answer.status, `${id}: ${answer.text}`).toBe(operation?.response.status);
  }
});
