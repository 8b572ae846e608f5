import { OPERATIONS, REQUEST_WORK_SECONDS_MAX } from '@access-admin/contract';
import { ok, SCOPES } from '@access-admin/domain';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bareExchange } from '../../test/bare-exchange.ts';
import { createBodyRoom } from '../http/body-room.ts';
import type { HttpResponse, RequestState } from '../http/exchange.ts';
import { createSharedRoom } from '../rooms/shared-room.ts';
import { createOperationHandler } from './handle.ts';
import type { OperationResult } from './request.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CALLER = {
  tenant: 'a',
  clientId: 'c',
  scopes: new Set<string>(SCOPES),
  identityId: null,
  capabilities: [],
};

/** Handles an import of ten bytes whose handler works until the test ends it. */
async function importing(leaving: AbortController) {
  const [operation] = OPERATIONS.filter(({ id }) => id === 'import-access-model-v1');
  if (operation === undefined) throw new Error('no operation');
  const room = createSharedRoom({ size: 100, waitingMax: 0, waitMsMax: 0, elapsed: () => 0 });
  const work = Promise.withResolvers<void>();
  const handler = createOperationHandler(
    operation,
    async () => {
      await work.promise;
      return ok<OperationResult>({ json: null });
    },
    {
      authenticate: () => ok(CALLER),
      isCrossSite: () => false,
      limitRate: null,
      gates: {},
      owners: {},
      bodies: createBodyRoom(room),
      turn: () => Promise.resolve(),
      denials: { record: () => Promise.resolve() },
      log: { error: () => {} },
      now: () => new Date(0),
    },
  );
  const exchange = {
    ...bareExchange('POST', leaving.signal),
    header: (name: string) => (name === 'content-type' ? 'application/x-ndjson' : null),
    readBody: async (_: number, openShare?: () => { take(bytes: number): unknown }) => {
      await openShare?.().take(10);
      return ok(new Uint8Array());
    },
  };
  const state: RequestState = { trackingId: 't', operationId: null, caller: null };
  const answer = Promise.resolve(handler(exchange, state) as Promise<HttpResponse>).catch((error: Error) => error.name);
  await vi.advanceTimersByTimeAsync(0);
  const end = async () => {
    work.resolve();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { answer, end, held: () => room.usage().held };
}

test('an import whose caller has left keeps the room of its body while its work goes on', async () => {
  const leaving = new AbortController();
  const { end, held } = await importing(leaving);
  expect(held()).toBe(10);
  leaving.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(held()).toBe(10);
  await end();
  expect(held()).toBe(0);
});

test('an import that is answered after 30 s keeps the room of its body while its work goes on', async () => {
  const { answer, end, held } = await importing(new AbortController());
  await vi.advanceTimersByTimeAsync(REQUEST_WORK_SECONDS_MAX * 1000);
  expect([await answer, held()]).toEqual(['DeadlineExceeded', 10]);
  await end();
  expect(held()).toBe(0);
});
