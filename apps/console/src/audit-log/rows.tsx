import type { AuditEvent } from '@access-admin/client';
import { usePageTexts } from '../languages/context.tsx';
import link from '../ui/link.module.css';
import { useSecond } from '../ui/use-second.ts';
import { ActorName } from './actor-name.tsx';
import styles from './page.module.css';
import { AUDIT_TEXTS } from './texts.ts';

export interface CellsProps {
  readonly event: AuditEvent;
  readonly onShow: (sequence: number) => void;
}

/** The cells of an entry in the list. */
export function Cells({ event, onShow }: CellsProps) {
  const pageText = usePageTexts(AUDIT_TEXTS);
  const second = useSecond();
  const { sequence, time, operation, resource, actor, outcome } = event;
  return (
    <>
      <div role="cell">
        <button
          type="button"
          className={link['link']}
          aria-label={pageText('entry', { count: sequence })}
          onClick={() => onShow(sequence)}
        >
          {sequence}
        </button>
      </div>
      <div role="cell">{second(time)}</div>
      <div role="cell" className={styles['code']} title={operation}>
        {operation}
      </div>
      <div role="cell" title={resource.id ?? undefined}>
        {pageText(`type.${resource.type}`)}
        {resource.id !== null && <span className={styles['muted']}> {resource.id}</span>}
      </div>
      <div role="cell" dir="auto">
        <ActorName actor={actor} />
      </div>
      <div role="cell" className={outcome === 'DENIED' ? styles['denied'] : undefined}>
        {pageText(outcome)}
      </div>
    </>
  );
}
