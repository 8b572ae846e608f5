import type { Capability } from '@access-admin/client';
import { type ReactNode, useId } from 'react';
import styles from './card.module.css';
import { MissingRight } from './missing-right.tsx';

export interface CardProps {
  readonly title: string;
  /** The capabilities one of which the content needs, where the session has none of them. */
  readonly missing?: readonly Capability[] | null;
  /** What stands beside the heading, such as links; it may come later than the card. */
  readonly ways?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with a heading. It says which right is missing where its content may not be seen. */
export function Card({ title, missing = null, ways, children }: CardProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <div className={styles['head']}>
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {ways !== undefined && <div className={styles['ways']}>{ways}</div>}
      </div>
      {missing === null ? children : <MissingRight needed={missing} />}
    </section>
  );
}
