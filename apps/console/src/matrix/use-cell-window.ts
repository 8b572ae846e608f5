import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The margin of cells drawn around the view, and the step by which the window moves: most scrolling draws nothing anew. */
const STEP = 16;

/** Places of rows and columns, the last ones not included. */
export interface CellWindow {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** What is in view of something that scrolls, in pixels. */
export type View = Pick<HTMLElement, 'scrollTop' | 'scrollLeft' | 'clientHeight' | 'clientWidth'>;

/** The cells to draw for what is in view, some more on every side. */
export function windowOf({ scrollTop, scrollLeft, clientHeight, clientWidth }: View, cellPx: number): CellWindow {
  const before = (px: number) => Math.max(0, (Math.floor(px / cellPx / STEP) - 1) * STEP);
  const after = (px: number) => (Math.ceil(px / cellPx / STEP) + 1) * STEP;
  return {
    top: before(scrollTop),
    bottom: after(scrollTop + clientHeight),
    left: before(scrollLeft),
    right: after(scrollLeft + clientWidth),
  };
}

const NONE: CellWindow = { top: 0, bottom: 0, left: 0, right: 0 };

const isSame = (one: CellWindow, other: CellWindow): boolean =>
  one.top === other.top && one.bottom === other.bottom && one.left === other.left && one.right === other.right;

/** The cells in view of an element that scrolls. */
export function useCellWindow(cellPx: number): {
  readonly view: RefObject<HTMLDivElement | null>;
  readonly shown: CellWindow;
  readonly onScroll: () => void;
} {
  const view = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(NONE);
  const onScroll = () => {
    const next = view.current === null ? NONE : windowOf(view.current, cellPx);
    setShown((present) => (isSame(present, next) ? present : next));
  };
  useLayoutEffect(() => {
    const { current } = view;
    if (current === null) return undefined;
    // Called at once, and whenever the size changes.
    const observer = new ResizeObserver(() => setShown(windowOf(current, cellPx)));
    observer.observe(current);
    return () => observer.disconnect();
  }, [cellPx]);
  return { view, shown, onScroll };
}
