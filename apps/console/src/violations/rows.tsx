import type { SodViolation } from '@access-admin/client';
import { memo } from 'react';
import { useSpeech } from '../languages/context.tsx';
import { LevelBadge, StatusBadge } from '../ui/badge.tsx';
import link from '../ui/link.module.css';
import { LongTable } from '../ui/tables/long-table.tsx';
import styles from './rows.module.css';

export interface RowsProps {
  /** Those that are read so far. */
  readonly items: readonly SodViolation[];
  /** The number of all; null where only a lower bound is known. */
  readonly total: number | null;
  readonly hasMore: boolean;
  readonly onShow: (id: string) => void;
  /** Called when the last of the items comes into view. */
  readonly onEnd: () => void;
}

/** The columns, by their texts. */
export const HEADS = ['person', 'policy', 'level', 'status', 'owner', 'created'] as const;

/** The violations of a search as a table. */
export function Rows({ items, total, hasMore, onShow, onEnd }: RowsProps) {
  const { text } = useSpeech();
  return (
    <LongTable
      label={text('violations.title')}
      heads={HEADS.map((head) => ({ label: text(`violations.${head}`) }))}
      items={items}
      total={total}
      hasMore={hasMore}
      onEnd={onEnd}
      columns={styles['columns']}
    >
      {(violation) => <Cells violation={violation} onShow={onShow} />}
    </LongTable>
  );
}

interface CellsProps extends Pick<RowsProps, 'onShow'> {
  readonly violation: SodViolation;
}

/** The cells of a violation. Each turn of the wheel brings some rows and keeps most. */
export const Cells = memo(function Cells({ violation, onShow }: CellsProps) {
  const { day } = useSpeech();
  const { id, target, policy, level, status, owner, created } = violation;
  return (
    <>
      <div role="cell" dir="auto">
        <button type="button" className={link['link']} title={target.name} onClick={() => onShow(id)}>
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
});
