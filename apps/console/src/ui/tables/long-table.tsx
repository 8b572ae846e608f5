import { type ReactNode, useCallback, useEffect } from 'react';
import { TableFrame, type TableFrameProps, useRowWindow } from './frame.tsx';

export interface LongTableProps<Item> extends Pick<TableFrameProps, 'label' | 'heads' | 'total'> {
  /** The items that are read so far. */
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  /** Whether titles get the room that is left, and two lines on a narrow screen. */
  readonly hasLongTitles?: boolean;
  /** Called when the last of the items comes into view and there are more. */
  readonly onEnd: () => void;
  /** The cells of an item. */
  readonly children: (item: Item) => ReactNode;
}

/** A table of any length, read from its start: only the rows in view are in the page. */
export function LongTable<Item extends { readonly id: string }>(props: LongTableProps<Item>) {
  const { items, hasMore, hasLongTitles = false, onEnd, children, ...frame } = props;
  const keyOf = useCallback((at: number) => items[at]?.id ?? at, [items]);
  const window = useRowWindow(items.length, { keyOf, hasLongTitles });
  const isAtEnd = hasMore && (window.rows.at(-1)?.index ?? -1) >= items.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd();
  });
  return (
    <TableFrame {...frame} fit={items[0]?.id ?? ''} window={window}>
      {(at) => {
        const item = items[at];
        return item === undefined ? null : children(item);
      }}
    </TableFrame>
  );
}
