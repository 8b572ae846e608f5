import type { ReactNode, RefCallback } from 'react';
import { type ChipProps, RemoveButton } from '../chips.tsx';
import styles from './fields.module.css';

export interface ChosenFieldProps extends ChipProps {
  readonly label: string;
  readonly children: ReactNode;
  readonly ref?: RefCallback<HTMLElement>;
}

/** What was chosen in a field that takes one thing, in the place of the field. */
export const ChosenField = ({ label, children, ref, ...remove }: ChosenFieldProps) => (
  <fieldset ref={ref} className="field">
    <legend className="label">{label}</legend>
    <span className={`control ${styles['chosen']}`}>
      <bdi>{children}</bdi>
      <RemoveButton {...remove} />
    </span>
  </fieldset>
);
