import type { AuditEvent } from '@access-admin/client';
import { usePageTexts } from '../languages/context.tsx';
import { Cell } from '../ui/tables/cell.tsx';
import { useSecond } from '../ui/use-second.ts';
import styles from './page.module.css';
import { Sentence } from './sentence.tsx';
import { AUDIT_TEXTS } from './texts.ts';

export interface CellsProps {
  readonly event: AuditEvent;
  readonly onShow: (sequence: number) => void;
}

/** The cells of an entry in the list. */
export function Cells({ event, onShow }: CellsProps) {
  const pageText = usePageTexts(AUDIT_TEXTS);
  const second = useSecond();
  const { sequence, time, outcome } = event;
  return (
    <>
      <Cell narrow="title">
        <button type="button" className={styles['sentence']} onClick={() => onShow(sequence)}>
          <span className={styles['words']}>
            <Sentence event={event} />
          </span>
        </button>
      </Cell>
      <Cell narrow="line">{second(time)}</Cell>
      <Cell narrow={outcome === 'DENIED' ? 'end' : undefined}>
        <span className={outcome === 'DENIED' ? styles['denied'] : styles['muted']}>{pageText(outcome)}</span>
      </Cell>
      <Cell>
        <span className={styles['muted']}>{sequence}</span>
      </Cell>
    </>
  );
}
