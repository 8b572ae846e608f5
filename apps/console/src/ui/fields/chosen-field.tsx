import type { ReactNode } from 'react';
import { Chip, type ChipProps } from '../chips.tsx';
import styles from './fields.module.css';

export interface ChosenFieldProps extends Omit<ChipProps, 'children'> {
  readonly label: string;
  readonly children: ReactNode;
}

/** What was chosen in a field that takes one thing, in the place of the field. */
export const ChosenField = ({ label, ...chip }: ChosenFieldProps) => (
  <fieldset className="field">
    <legend className="label">{label}</legend>
    <span className={styles['chosen']}>
      <Chip {...chip} />
    </span>
  </fieldset>
);
