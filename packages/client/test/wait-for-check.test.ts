import { expect, test } from 'vitest';
import { finishedCheck, openStage, pendingCheck } from './fixtures.ts';
import { json, refusal, silence } from './scripted-server.ts';

const LINE = 'GET /sod-violations/v1/check/r-1';

test('a check is read until it is done, and the service holds each response', async () => {
  await using stage = await openStage();
  stage.server.script(LINE, json(200, pendingCheck), json(200, pendingCheck), json(200, finishedCheck));
  await expect(stage.admin.sodViolations.waitForCheck('r-1')).resolves.toEqual(finishedCheck);
  expect(stage.server.arrivals.map(({ headers }) => headers['prefer'])).toEqual(['wait=30', 'wait=30', 'wait=30']);
  expect(stage.runtime.timers).toEqual([]);
});

test('a check without a verdict is done too', async () => {
  await using stage = await openStage();
  stage.server.script(LINE, json(200, { ...finishedCheck, state: 'ERROR' }));
  await expect(stage.admin.sodViolations.waitForCheck('r-1')).resolves.toMatchObject({ state: 'ERROR' });
});

test('a service that does not hold its responses gets one request per second', async () => {
  await using stage = await openStage();
  stage.server.script(LINE, json(200, pendingCheck), json(200, pendingCheck), json(200, finishedCheck));
  await stage.admin.sodViolations.waitForCheck('r-1');
  expect(stage.runtime.sleeps).toEqual([1000, 1000]);
});

test('a service that holds its responses gets the next request at once', async () => {
  await using stage = await openStage();
  let reads = 0;
  stage.server.script(LINE, (response, arrival) => {
    stage.runtime.advance(30_000);
    json(200, ++reads < 3 ? pendingCheck : finishedCheck)(response, arrival);
  });
  await stage.admin.sodViolations.waitForCheck('r-1');
  expect(stage.runtime.sleeps).toEqual([0, 0]);
});

test('a check that takes too long is a TimeoutError', async () => {
  await using stage = await openStage();
  stage.server.script(LINE, silence);
  const wait = stage.admin.sodViolations.waitForCheck('r-1', { timeoutMs: 5_000 });
  await stage.server.arrived(1);
  stage.runtime.fire(5_000);
  await expect(wait).rejects.toMatchObject({
    name: 'TimeoutError',
    timeoutMs: 5_000,
    message: 'Check r-1: not done within 5000 ms',
  });
  expect(stage.runtime.timers).toEqual([]);
});

test('the time limit of a read is extended by the time that the service may hold it', async () => {
  await using stage = await openStage();
  stage.server.script(LINE, silence);
  const controller = new AbortController();
  const { signal } = controller;
  const read = stage.admin.sodViolations.getCheck('r-1', { waitSeconds: 5, timeoutMs: 1_000, signal });
  await stage.server.arrived(1);
  expect(stage.runtime.timers).toEqual([6_000]);
  controller.abort('enough');
  await expect(read).rejects.toBe('enough');
});

test('an aborted wait rejects with the reason of its signal', async () => {
  await using stage = await openStage();
  stage.server.script(LINE, silence);
  const controller = new AbortController();
  const wait = stage.admin.sodViolations.waitForCheck('r-1', { signal: controller.signal });
  await stage.server.arrived(1);
  controller.abort('enough');
  await expect(wait).rejects.toBe('enough');
});

test('the wait for a check that does not exist rejects at once', async () => {
  await using stage = await openStage();
  stage.server.script(LINE, refusal(404, '404'));
  await expect(stage.admin.sodViolations.waitForCheck('r-1')).rejects.toMatchObject({ name: 'NotFoundError' });
});

test.each([
  [undefined, undefined],
  [0, undefined],
  [7, 'wait=7'],
])('a read that may be held for %s seconds has the preference %s', async (waitSeconds, prefer) => {
  await using stage = await openStage();
  stage.server.script(LINE, json(200, pendingCheck));
  await expect(stage.admin.sodViolations.getCheck('r-1', { waitSeconds })).resolves.toEqual(pendingCheck);
  expect(stage.server.arrivals[0]?.headers['prefer']).toBe(prefer);
});
