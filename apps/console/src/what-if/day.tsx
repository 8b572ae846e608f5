import { useSpeech } from '../languages/context.tsx';
import styles from './page.module.css';

export interface DayProps {
  /** A day such as `2027-01-31`; empty for every instant from now on. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The day that the question is about. */
export function Day({ value, onChange }: DayProps) {
  const { text } = useSpeech();
  return (
    <label className={styles['day']}>
      {text('what-if.on')}
      <input type="date" value={value} onChange={({ target }) => onChange(target.value)} />
      <span className={styles['hint']}>{text('what-if.on.hint')}</span>
    </label>
  );
}
