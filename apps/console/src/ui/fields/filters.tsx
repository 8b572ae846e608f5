import { type ReactNode, useId, useState } from 'react';
import { useSpeech } from '../../languages/context.tsx';
import { Icon } from '../icon.tsx';
import styles from './fields.module.css';

export interface FiltersProps {
  /** How many of them are set. */
  readonly active?: number;
  readonly children: ReactNode;
}

/** The fields that choose what a list shows: on a narrow screen behind one button, which says how many of them are set. */
export function Filters({ active = 0, children }: FiltersProps) {
  const { text } = useSpeech();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <search className={styles['filters']}>
      <button
        type="button"
        className={`button ${styles['opener']}`}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="filters" />
        {active === 0 ? text('filters') : text('filters.active', { count: active })}
      </button>
      <div id={id} className={`${styles['row']} ${isOpen ? '' : styles['folded']}`}>
        {children}
      </div>
    </search>
  );
}
