import { usePageTexts } from '../languages/context.tsx';
import styles from './page.module.css';
import { WHAT_IF_TEXTS } from './texts.ts';

export interface DayProps {
  /** A day such as `2027-01-31`; empty for every instant from now on. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The day that the question is about. */
export function Day({ value, onChange }: DayProps) {
  const pageText = usePageTexts(WHAT_IF_TEXTS);
  return (
    <label className={styles['day']}>
      {pageText('on')}
      <input type="date" value={value} onChange={({ target }) => onChange(target.value)} />
      <span className={styles['hint']}>{pageText('on.hint')}</span>
    </label>
  );
}
