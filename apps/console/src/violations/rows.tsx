import type { SodViolation } from '@access-admin/client';
import { memo } from 'react';
import { useSpeech } from '../languages/context.tsx';
import type { ViolationSearch } from '../service/violation-search.ts';
import { LevelBadge, StatusBadge } from '../ui/badge.tsx';
import link from '../ui/link.module.css';
import { Cell, type NarrowPlace } from '../ui/tables/cell.tsx';
import { LongTable } from '../ui/tables/long-table.tsx';

export interface RowsProps {
  /** Which violations they are. */
  readonly search: ViolationSearch;
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
const HEADS = ['person', 'policy', 'level', 'status', 'owner', 'created'] as const;

const NARROW: Partial<Record<(typeof HEADS)[number], NarrowPlace>> = {
  person: 'title',
  level: 'mark',
  policy: 'line',
  status: 'end',
};

/** The columns of a list. The status would say the same in every row where the list is of one. */
export function useHeads({ status }: Pick<ViolationSearch, 'status'>) {
  const { text } = useSpeech();
  const heads = HEADS.filter((head) => head !== 'status' || status === undefined);
  return heads.map((head) => ({ label: text(`violations.${head}`), narrow: NARROW[head] }));
}

/** The violations of a search as a table. */
export function Rows({ search, items, total, hasMore, onShow, onEnd }: RowsProps) {
  const { text } = useSpeech();
  return (
    <LongTable
      label={text('violations.title')}
      heads={useHeads(search)}
      items={items}
      total={total}
      hasMore={hasMore}
      onEnd={onEnd}
    >
      {(violation) => <Cells violation={violation} hasStatus={search.status === undefined} onShow={onShow} />}
    </LongTable>
  );
}

interface CellsProps extends Pick<RowsProps, 'onShow'> {
  readonly violation: SodViolation;
  readonly hasStatus: boolean;
}

/** The cells of a violation. Each turn of the wheel brings some rows and keeps most. */
export const Cells = memo(function Cells({ violation, hasStatus, onShow }: CellsProps) {
  const { day } = useSpeech();
  const { id, target, policy, level, status, owner, created } = violation;
  return (
    <>
      <Cell narrow={NARROW.person}>
        <button type="button" className={link['link']} title={target.name} onClick={() => onShow(id)}>
          {target.name}
        </button>
      </Cell>
      <Cell narrow={NARROW.policy} title={policy.name}>
        {policy.name}
      </Cell>
      <Cell narrow={NARROW.level}>
        <LevelBadge level={level} />
      </Cell>
      {hasStatus && (
        <Cell narrow={status === 'Open' ? undefined : NARROW.status}>
          <StatusBadge status={status} />
        </Cell>
      )}
      <Cell title={owner?.name}>{owner?.name ?? '–'}</Cell>
      <Cell>{day(created)}</Cell>
    </>
  );
});
