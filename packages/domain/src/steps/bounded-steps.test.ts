import { describe, expect, test } from 'vitest';
import { exceededBound, withinBounds } from './bounded-steps.ts';
import {
  createWorkBudget,
  isPauseDue,
  releaseBytes,
  runToEnd,
  type Steps,
  takeBytes,
  type WorkBudget,
} from './work-budget.ts';

/** Counts so many units one by one. `held` shows whether the scratch memory of the work is held. */
function createWork(budget: WorkBudget, units: number, bytesEach = 0) {
  const state = { done: 0, held: false };
  const steps = (function* (): Steps<string> {
    state.held = true;
    try {
      for (; state.done < units; state.done++) {
        takeBytes(budget, bytesEach);
        if (isPauseDue(budget, 1)) yield;
      }
      return 'finished';
    } finally {
      state.held = false;
    }
  })();
  return { state, steps };
}

const pausesOf = (steps: Steps<unknown>): number => {
  let pauses = 0;
  for (const _ of steps) pauses++;
  return pauses;
};

describe('withinBounds', () => {
  test('passes the pauses and the outcome of work within its bounds', () => {
    const budget = createWorkBudget(10, { workMax: 100, bytesMax: 200 });
    const { steps } = createWork(budget, 100, 2);
    expect(pausesOf(createWork(createWorkBudget(10), 100).steps)).toBe(10);
    expect(runToEnd(withinBounds(steps, budget))).toEqual({ ok: true, value: 'finished' });
    expect(exceededBound(budget)).toBeNull();
  });

  test('ends work at the first pause beyond its bound, and releases what it holds', () => {
    const budget = createWorkBudget(10, { workMax: 99 });
    const { state, steps } = createWork(budget, 1_000);
    expect(runToEnd(withinBounds(steps, budget))).toEqual({
      ok: false,
      failure: { type: 'BoundExceeded', bound: 'WORK', most: 99 },
    });
    expect(state).toEqual({ done: 99, held: false });
  });

  test('counts work beyond the bound that ends without another pause', () => {
    const budget = createWorkBudget(1_000, { workMax: 99 });
    expect(runToEnd(withinBounds(createWork(budget, 100).steps, budget))).toMatchObject({ ok: false });
  });

  test('bytes beyond the bound make a pause due at once', () => {
    const budget = createWorkBudget(1_000, { bytesMax: 20 });
    const { state, steps } = createWork(budget, 1_000, 2);
    expect(runToEnd(withinBounds(steps, budget))).toEqual({
      ok: false,
      failure: { type: 'BoundExceeded', bound: 'BYTES', most: 20 },
    });
    expect(state).toEqual({ done: 10, held: false });
  });

  test('bytes beyond the bound make one pause due, not one each time', () => {
    const budget = createWorkBudget(1_000, { bytesMax: 20 });
    expect(pausesOf(createWork(budget, 100, 2).steps)).toBe(1);
  });

  test('only bytes that are kept at the same time count', () => {
    const budget = createWorkBudget(10, { bytesMax: 20 });
    for (let round = 0; round < 3; round++) {
      takeBytes(budget, 20);
      releaseBytes(budget, 20);
    }
    expect(exceededBound(budget)).toBeNull();
    takeBytes(budget, 21);
    releaseBytes(budget, 21);
    expect(exceededBound(budget)).toMatchObject({ bound: 'BYTES' });
  });

  test('a caller that ends it at a pause ends the work within', () => {
    const budget = createWorkBudget(10, { workMax: 1_000 });
    const { state, steps } = createWork(budget, 100);
    const bounded = withinBounds(steps, budget);
    bounded.next();
    expect(state.held).toBe(true);
    bounded.return({ ok: true, value: '' });
    expect(state.held).toBe(false);
  });
});
