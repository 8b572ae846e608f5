import { expect, test } from 'vitest';
import { windowOf } from './use-cell-window.ts';

const view = { scrollTop: 0, scrollLeft: 0, clientHeight: 640, clientWidth: 320 };

test('the cells in view are drawn, and some more on every side', () => {
  expect(windowOf(view, 20)).toEqual({ top: 0, bottom: 48, left: 0, right: 32 });
  expect(windowOf({ ...view, scrollTop: 1000, scrollLeft: 2000 }, 20)).toEqual({
    top: 32,
    bottom: 112,
    left: 80,
    right: 144,
  });
});

test('a small movement draws the same cells', () => {
  expect(windowOf({ ...view, scrollTop: 1010 }, 20)).toEqual(windowOf({ ...view, scrollTop: 1000 }, 20));
});
