import type { ReactNode } from 'react';
import styles from './facts.module.css';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

export interface FactsProps {
  readonly facts: readonly Fact[];
  /** Whether each value stands below its name, as in a narrow column. */
  readonly isStacked?: boolean;
}

/** A list of names, each with its value beside it, to be read only. */
export const Facts = ({ facts, isStacked = false }: FactsProps) => (
  <dl className={`${styles['facts']} ${isStacked ? styles['stacked'] : ''}`}>
    {facts.map(({ name, value }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd dir="auto">{value}</dd>
      </div>
    ))}
  </dl>
);
