import { operationOf } from '@access-admin/contract';
import { type Caller, fail, ok, type Result } from '@access-admin/domain';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { contextOf } from '../../test/context-of.ts';
import type { Authenticate } from './authenticate.ts';
import { watchCaller } from './watch-caller.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CALLER: Caller = {
  tenant: 'acme',
  clientId: 'c',
  clientCreated: null,
  scopes: new Set(['events:read']),
  identityId: null,
  capabilities: [],
};
const GONE = fail({ type: 'Unauthenticated', causes: [], error: 'invalid_token', reason: 'client gone' } as const);

function open() {
  const state: { answer: () => ReturnType<Authenticate> } = { answer: () => ok(CALLER) };
  const looks: Result<Caller, unknown>[] = [];
  const request = { c: contextOf(), operation: operationOf('list-events-v1'), caller: CALLER };
  const deps = { authenticate: () => state.answer(), scheduler: { yield: async () => {} } };
  const stop = watchCaller(deps, request, (present) => looks.push(present));
  return { state, looks, stop };
}

test('the rights of a caller are looked at every four seconds', async () => {
  const { state, looks, stop } = open();
  await vi.advanceTimersByTimeAsync(3_999);
  expect(looks).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(looks).toEqual([ok(CALLER)]);
  state.answer = () => GONE;
  await vi.advanceTimersByTimeAsync(4_000);
  expect(looks[1]).toEqual(GONE);
  state.answer = () => ok({ ...CALLER, scopes: new Set() });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(looks[2]).toMatchObject({ ok: false, failure: { type: 'Forbidden' } });
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks).toHaveLength(3);
});

test('storage that is away is no loss of rights', async () => {
  const { state, looks, stop } = open();
  state.answer = () => Promise.reject(new Error('away'));
  await vi.advanceTimersByTimeAsync(8_000);
  expect(looks).toEqual([]);
  state.answer = () => ok(CALLER);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(looks).toEqual([ok(CALLER)]);
  stop();
});
