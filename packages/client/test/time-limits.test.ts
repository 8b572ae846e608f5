import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { systemRuntime } from '../src/http/runtime.ts';
import { createClient } from '../src/index.ts';
import { ada, openStage } from './fixtures.ts';
import { hangUp, json, type Reaction, silence } from './scripted-server.ts';

const LINE = 'GET /auth-users/v1/i-1';
const halfResponse: Reaction = (response) => {
  response.writeHead(200).write('{');
};

describe.each([
  ['silence', silence],
  ['half a response', halfResponse],
])('a call that gets %s', (_, reaction) => {
  test('rejects with a TimeoutError after its time limit', async () => {
    await using stage = await openStage({ retries: 0 });
    stage.server.script(LINE, reaction);
    const call = stage.admin.authUsers.get('i-1', { timeoutMs: 1234 });
    await stage.server.arrived(1);
    stage.runtime.fire(1234);
    await expect(call).rejects.toMatchObject({
      name: 'TimeoutError',
      timeoutMs: 1234,
      message: `${LINE}: not done within 1234 ms`,
    });
  });

  test('rejects with the reason of its signal, and is not repeated', async () => {
    await using stage = await openStage();
    stage.server.script(LINE, reaction);
    const controller = new AbortController();
    const call = stage.admin.authUsers.get('i-1', { signal: controller.signal });
    await stage.server.arrived(1);
    const reason = new Error('the user left');
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(stage.server.arrivals).toHaveLength(1);
  });
});

test('a read is repeated after its time limit, each attempt with the full limit', async () => {
  await using stage = await openStage();
  stage.server.script(LINE, silence, json(200, ada));
  const call = stage.admin.authUsers.get('i-1');
  await stage.server.arrived(1);
  stage.runtime.fire(30_000);
  await expect(call).resolves.toEqual(ada);
});

test('an import is not repeated after its time limit', async () => {
  await using stage = await openStage();
  stage.server.script('POST /access-model/v1/import', silence);
  const call = stage.admin.accessModel.import('');
  await stage.server.arrived(1);
  stage.runtime.fire(30_000);
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(stage.server.arrivals).toHaveLength(1);
});

test('a call with an aborted signal sends nothing, not even a token request', async () => {
  await using stage = await openStage();
  let sent = 0;
  const countAndFail = () => {
    sent++;
    return Promise.reject(new TypeError('offline'));
  };
  const admin = stage.clientWith({ fetch: countAndFail });
  await expect(admin.authUsers.get('i-1', { signal: AbortSignal.abort('no') })).rejects.toBe('no');
  expect(sent).toBe(0);
});

test('an abort during the delay before a retry rejects with the reason of the signal', async () => {
  await using stage = await openStage();
  stage.server.script(LINE, hangUp);
  const controller = new AbortController();
  const fetchThenAbort: typeof fetch = async (...input) => {
    try {
      return await fetch(...input);
    } finally {
      setImmediate(() => controller.abort('enough'));
    }
  };
  const admin = createClient({ baseAddress: stage.server.baseAddress, token: 'mine', fetch: fetchThenAbort });
  await expect(admin.authUsers.get('i-1', { signal: controller.signal })).rejects.toBe('enough');
});

test('no timers and listeners remain after a call', async () => {
  await using stage = await openStage();
  stage.server.script(LINE, hangUp, json(200, ada));
  const { signal } = new AbortController();
  await stage.admin.authUsers.get('i-1', { signal });
  expect(stage.runtime.timers).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('systemRuntime', () => {
  test('sleeps, and removes its listener', async () => {
    const { signal } = new AbortController();
    await systemRuntime.sleep(1, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('does not sleep with an aborted signal', async () => {
    await expect(systemRuntime.sleep(60_000, AbortSignal.abort('no'))).rejects.toBe('no');
  });

  test('treats a delay beyond 32 bits as a long one', async () => {
    let fired = false;
    const cancel = systemRuntime.after(Number.POSITIVE_INFINITY, () => {
      fired = true;
    });
    await systemRuntime.sleep(5, undefined);
    cancel();
    expect(fired).toBe(false);
  });
});
