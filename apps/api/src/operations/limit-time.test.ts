import { OPERATIONS, REQUEST_WORK_SECONDS_MAX } from '@access-admin/contract';
import { type OperationId, ok } from '@access-admin/domain';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DeadlineExceeded } from '../event-loop/deadline.ts';
import { limitTime } from './limit-time.ts';
import type { OperationRequest, OperationResult } from './request.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const WORK_MS = REQUEST_WORK_SECONDS_MAX * 1000;

/** Handles a request of an operation; resolves with `result` after a time. */
function handling(id: OperationId, ms: number, result: OperationResult = { json: null }) {
  const operation = OPERATIONS.find((each) => each.id === id);
  if (operation === undefined) throw new Error(id);
  const handler = limitTime(operation, () => new Promise((resolve) => setTimeout(() => resolve(ok(result)), ms)), {
    error: () => undefined,
  });
  const outcome = Promise.resolve(handler({} as OperationRequest)).then(
    () => 'answered',
    ({ name, isEffectKnown }) => `${name} ${isEffectKnown}`,
  );
  return outcome;
}

describe('a request whose handler takes longer than 30 s', () => {
  test.each([
    ['list-sod-policies-v1', WORK_MS, 'DeadlineExceeded true'],
    // It has had no effect.
    ['start-predict-sod-violations-v1', WORK_MS, 'DeadlineExceeded true'],
    ['import-access-model-v1', WORK_MS, 'DeadlineExceeded false'],
    ['patch-auth-user-v1', WORK_MS, 'DeadlineExceeded false'],
    // It may wait for 30 s besides.
    ['get-violation-check-v1', 2 * WORK_MS, 'DeadlineExceeded true'],
  ] as const)('ends: %s', async (id, ms, outcome) => {
    const inTime = handling(id, ms - 1);
    const late = handling(id, ms + 1);
    await vi.advanceTimersByTimeAsync(ms + 1);
    expect([await inTime, await late]).toEqual(['answered', outcome]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('has its late answer ended', async () => {
    let ended = 0;
    const text = (async function* () {
      yield 'a';
    })();
    const end = text.return.bind(text);
    text.return = (value) => {
      ended += 1;
      return end(value);
    };
    const late = handling('export-access-model-v1', WORK_MS + 1, { text });
    await vi.advanceTimersByTimeAsync(WORK_MS + 1);
    expect([await late, ended]).toEqual(['DeadlineExceeded true', 1]);
  });

  test('a failure of a handler passes; a late one is logged', async () => {
    const [operation] = OPERATIONS.filter(({ id }) => id === 'list-sod-policies-v1');
    if (operation === undefined) throw new Error('no operation');
    const lines: unknown[] = [];
    const log = { error: (fields: object, message: string) => lines.push([fields, message]) };
    const broken = new Error('broken');
    const failing = (ms: number, error: Error) => {
      const handler = limitTime(operation, () => new Promise((_, reject) => setTimeout(() => reject(error), ms)), log);
      return Promise.resolve(handler({ trackingId: `after ${ms}` } as OperationRequest)).catch(
        ({ message }) => message,
      );
    };
    const outcomes = [
      failing(1, broken),
      failing(WORK_MS + 1, broken),
      // The work ended because its time was over.
      failing(WORK_MS + 2, new DeadlineExceeded()),
    ];
    await vi.advanceTimersByTimeAsync(WORK_MS + 2);
    expect(await Promise.all(outcomes)).toEqual(['broken', 'deadline', 'deadline']);
    expect(lines).toEqual([[{ trackingId: `after ${WORK_MS + 1}`, err: broken }, 'bug']]);
  });
});
