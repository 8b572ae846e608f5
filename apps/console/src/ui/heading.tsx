import { type ReactNode, useEffect, useRef } from 'react';
import { useSpeech } from '../languages/context.tsx';
import styles from './heading.module.css';

export interface HeadingProps {
  readonly title: string;
  /** What stands below the title. */
  readonly children?: ReactNode;
}

/** The title of a page: it is that of the window, and takes the focus when the page is opened from another one. */
export function Heading({ title, children }: HeadingProps) {
  const { text } = useSpeech();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – ${text('app.name')}`;
  }, [title, text]);
  useEffect(() => {
    // At the first page the browser begins at its top anyway.
    if (document.activeElement !== document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header className={styles['heading']}>
      <h1 ref={heading} tabIndex={-1}>
        <bdi>{title}</bdi>
      </h1>
      {children !== undefined && <div className={styles['below']}>{children}</div>}
    </header>
  );
}
