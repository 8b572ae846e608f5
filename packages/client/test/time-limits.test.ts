import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { systemRuntime } from '../src/http/runtime.ts';
import { createClient } from '../src/index.ts';
import { ada, openStage } from './fixtures.ts';
import { hangUp, json, type Reaction, silence } from './scripted-server.ts';

const LINE = 'GET /auth-users/v1/i-1';
const halfAnswer: Reaction = (response) => {
  response.writeHead(200).write('{');
};

describe.each([
  ['silence', silence],
  ['half an answer', halfAnswer],
])('a call that gets %s', (_, reaction) => {
  test('ends with a TimeoutError when its time is up', async () => {
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

  test('ends with the reason of its signal, and is not repeated', async () => {
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

test('a read whose time is up is tried again, each try with the whole time', async () => {
  await using stage = await openStage();
  stage.server.script(LINE, silence, json(200, ada));
  const call = stage.admin.authUsers.get('i-1');
  await stage.server.arrived(1);
  stage.runtime.fire(30_000);
  await expect(call).resolves.toEqual(ada);
});

test('an import whose time is up is not tried again', async () => {
  await using stage = await openStage();
  stage.server.script('POST /access-model/v1/import', silence);
  const call = stage.admin.accessModel.import('');
  await stage.server.arrived(1);
  stage.runtime.fire(30_000);
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(stage.server.arrivals).toHaveLength(1);
});

test('a signal that is aborted already sends nothing, not even for a token', async () => {
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

test('a wait before a retry ends with the reason of the signal', async () => {
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

test('neither timers nor listeners stay behind', async () => {
  await using stage = await openStage();
  stage.server.script(LINE, hangUp, json(200, ada));
  const { signal } = new AbortController();
  await stage.admin.authUsers.get('i-1', { signal });
  expect(stage.runtime.timers).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('the clock of the platform', () => {
  test('sleeps, and leaves no listener behind', async () => {
    const { signal } = new AbortController();
    await systemRuntime.sleep(1, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('does not sleep for a signal that is aborted', async () => {
    await expect(systemRuntime.sleep(60_000, AbortSignal.abort('no'))).rejects.toBe('no');
  });

  test('takes a time beyond 32 bits for a long one, not for none', async () => {
    let fired = false;
    const callOff = systemRuntime.after(Number.POSITIVE_INFINITY, () => {
      fired = true;
    });
    await systemRuntime.sleep(5, undefined);
    callOff();
    expect(fired).toBe(false);
  });
});
