import type { ReactNode } from 'react';
import styles from './chips.module.css';

export interface ChipProps {
  /** What was chosen, in words or as a link. */
  readonly children: ReactNode;
  /** What it was chosen for, where that is not said elsewhere. */
  readonly label?: string;
  /** What the button does, for those who do not see it. */
  readonly removeLabel: string;
  readonly onRemove: () => void;
}

/** Something that was chosen, with a button that removes it. */
export function Chip({ children, label, removeLabel, onRemove }: ChipProps) {
  return (
    <span className={styles['chip']}>
      <span>
        {label !== undefined && <span className={styles['label']}>{label}: </span>}
        <bdi>{children}</bdi>
      </span>
      <button type="button" aria-label={removeLabel} onClick={onRemove}>
        ×
      </button>
    </span>
  );
}

/** Chips one after the other, each an `li`. */
export const Chips = ({ children }: { readonly children: ReactNode }) => (
  <ul className={styles['chips']}>{children}</ul>
);
