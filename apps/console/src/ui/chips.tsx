import type { ReactNode } from 'react';
import styles from './chips.module.css';

export interface ChipProps {
  /** What was chosen, in words or as a link. */
  readonly children: ReactNode;
  /** What the button does, for those who do not see it. */
  readonly removeLabel: string;
  readonly onRemove: () => void;
}

/** Something that was chosen, with a button that removes it. */
export function Chip({ children, removeLabel, onRemove }: ChipProps) {
  return (
    <span className={styles['chip']}>
      <bdi>{children}</bdi>
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
