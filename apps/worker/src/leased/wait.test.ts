import { describe, expect, test } from 'vitest';
import { wait } from './wait.ts';

const HOUR_MS = 3_600_000;

describe('a wait', () => {
  test('ends when its signal is aborted', async () => {
    const controller = new AbortController();
    const waiting = wait(HOUR_MS, controller.signal);
    controller.abort('woken');
    await expect(waiting).resolves.toBeUndefined();
  });

  test('ends at once if its signal is aborted already', async () => {
    await expect(wait(HOUR_MS, AbortSignal.abort('woken'))).resolves.toBeUndefined();
  });

  test('ends after its time', async () => {
    await expect(wait(1, new AbortController().signal)).resolves.toBeUndefined();
  });

  test('of no time lets events be handled first', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('event'));
    await wait(0, new AbortController().signal);
    expect(order).toEqual(['event']);
  });
});
