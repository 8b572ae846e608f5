import type { ReactNode } from 'react';
import styles from './chips.module.css';

export interface RemoveButtonProps {
  /** What the button does, for those who do not see it. */
  readonly removeLabel: string;
  readonly onRemove: () => void;
}

export interface ChipProps extends RemoveButtonProps {
  /** What was chosen, in words or as a link. */
  readonly children: ReactNode;
}

/** Something that was chosen, with a button that removes it. */
export const Chip = ({ children, ...remove }: ChipProps) => (
  <span className={styles['chip']}>
    <bdi>{children}</bdi>
    <RemoveButton {...remove} />
  </span>
);

/** Removes what stands before it. */
export const RemoveButton = ({ removeLabel, onRemove }: RemoveButtonProps) => (
  <button type="button" className={styles['remove']} aria-label={removeLabel} onClick={onRemove}>
    ×
  </button>
);

/** Chips one after the other, each an `li`. */
export const Chips = ({ children }: { readonly children: ReactNode }) => (
  <ul className={styles['chips']}>{children}</ul>
);
