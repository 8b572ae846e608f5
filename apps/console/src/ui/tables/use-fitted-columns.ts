import { type RefObject, useLayoutEffect, useRef } from 'react';

/** What a column gets at least where its content is longer: it takes two lines then. */
const LEAST_PX = 208;
/** What a single very long name gets at most, as long as others need room. */
const MOST_PX = 448;

/**
 * Fits the columns of a table to the rows in view, whose cells are measured for each `fit`, until the view is full: a column is as wide
 * as its longest cell where there is room, and what is left is spread over all. Where there is too little, the longest give way. Rows
 * that scrolling brings do not move them.
 */
export function useFittedColumns(
  table: RefObject<HTMLElement | null>,
  fit: string,
  /** The place of a column that takes what the others leave, however long its cells are now. */
  rest: number | null,
): void {
  const fitted = useRef<{ readonly fit: string; readonly rows: number }>(null);
  useLayoutEffect(() => {
    const element = table.current;
    if (element === null) return;
    const count = element.lastElementChild?.childElementCount ?? 0;
    if (fitted.current?.fit === fit) {
      if (fitted.current.rows >= count) return;
      // The first rows come before the height of the view is known, which has room for more; scrolling brings others.
      if (element.parentElement?.scrollTop !== 0) {
        fitted.current = { fit, rows: Number.POSITIVE_INFINITY };
        return;
      }
    }
    // What is hidden has no widths.
    if (element.offsetWidth === 0) return;
    const rows = [...element.querySelectorAll('[role=row]')];
    const heads = rows[0]?.children.length ?? 0;
    element.style.setProperty('--columns', `repeat(${heads}, max-content)`);
    const widths = Array.from({ length: heads }, () => 0);
    const full = rows.filter(({ children }) => children.length === heads);
    for (const { children } of full)
      for (const [at, cell] of [...children].entries())
        widths[at] = Math.max(widths[at] ?? 0, Math.ceil(cell.getBoundingClientRect().width));
    const [row] = rows;
    const { columnGap, paddingLeft, paddingRight } = getComputedStyle(row ?? element);
    const around = (heads - 1) * parseFloat(columnGap) + parseFloat(paddingLeft) + parseFloat(paddingRight);
    element.style.setProperty(
      '--columns',
      templateOf(widths, { rest, room: (element.parentElement ?? element).clientWidth - around }),
    );
    // Before the rows are in the page, there are the heads alone.
    if (full.length > 1) fitted.current = { fit, rows: count };
  });
}

/** The columns of a grid that has so much room for them. Where that is too little, the longest give way. */
function templateOf(
  widths: readonly number[],
  { rest, room }: { readonly rest: number | null; readonly room: number },
): string {
  const isTight = rest !== null || widths.reduce((sum, width) => sum + width, 0) > room;
  const kept = rest === null ? Math.max(LEAST_PX, keptWidth(widths, room)) : LEAST_PX;
  return widths
    .map((width, at) => {
      if (at === rest) return `minmax(${LEAST_PX}px, 1fr)`;
      if (isTight && width <= kept) return `${width}px`;
      return `minmax(${Math.min(width, LEAST_PX)}px, ${Math.min(width, MOST_PX)}fr)`;
    })
    .join(' ');
}

/** Up to which width columns keep theirs, so that as much is left on average for each of the longer ones. */
function keptWidth(widths: readonly number[], room: number): number {
  let left = room;
  for (const [at, width] of widths.toSorted((one, other) => one - other).entries()) {
    const share = left / (widths.length - at);
    if (width > share) return share;
    left -= width;
  }
  return room;
}
