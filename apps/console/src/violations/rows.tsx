import type { SodViolation } from '@access-admin/client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useSpeech } from '../languages/context.tsx';
import { LevelBadge, StatusBadge } from '../parts/badge.tsx';
import styles from './rows.module.css';

const ROW_PX = 44;
/** The lines around and below the head of the table. */
const BORDERS_PX = 3;
const OVERSCAN = 12;

export interface RowsProps {
  /** Those that are read so far. */
  readonly items: readonly SodViolation[];
  /** The number of all. */
  readonly total: number;
  readonly onShow: (id: string) => void;
  /** Called when the last of the items comes into view. */
  readonly onEnd: () => void;
}

/** A table of any length: only the rows in view are in the page. */
export function Rows({ items, total, onShow, onEnd }: RowsProps) {
  const { text } = useSpeech();
  const view = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => view.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    getItemKey: (at) => items[at]?.id ?? at,
  });
  const shown = virtual.getVirtualItems();
  const isAtEnd = items.length < total && (shown.at(-1)?.index ?? 0) >= items.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd();
  });
  const heads = ['person', 'policy', 'level', 'status', 'owner', 'created'] as const;
  return (
    <div
      ref={view}
      className={styles['view']}
      style={{ height: (items.length + 1) * ROW_PX + BORDERS_PX }}
      tabIndex={0}
      role="region"
      aria-label={text('violations.title')}
    >
      <div role="table" aria-label={text('violations.title')} aria-rowcount={total + 1} className={styles['table']}>
        <div role="rowgroup" className={styles['head']}>
          <div role="row" aria-rowindex={1} className={styles['row']}>
            {heads.map((head) => (
              <div key={head} role="columnheader">
                {text(`violations.${head}`)}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={styles['body']} style={{ height: virtual.getTotalSize() }}>
          {shown.map(({ index, key, start }) => {
            const item = items[index];
            if (item === undefined) return null;
            return (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                className={`${styles['row']} ${styles['placed']}`}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Cells violation={item} onShow={onShow} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Cells({ violation, onShow }: { readonly violation: SodViolation; readonly onShow: (id: string) => void }) {
  const { day } = useSpeech();
  const { id, target, policy, level, status, owner, created } = violation;
  return (
    <>
      <div role="cell" dir="auto">
        <button type="button" className={styles['name']} title={target.name} onClick={() => onShow(id)}>
          {target.name}
        </button>
      </div>
      <div role="cell" dir="auto" title={policy.name}>
        {policy.name}
      </div>
      <div role="cell">
        <LevelBadge level={level} />
      </div>
      <div role="cell">
        <StatusBadge status={status} />
      </div>
      <div role="cell" dir="auto" title={owner?.name}>
        {owner?.name ?? '–'}
      </div>
      <div role="cell">{day(created)}</div>
    </>
  );
}
