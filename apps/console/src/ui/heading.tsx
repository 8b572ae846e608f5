import { type ReactNode, useEffect, useRef } from 'react';
import { useSpeech } from '../languages/context.tsx';
import styles from './heading.module.css';

export interface HeadingProps {
  readonly title: string;
  /** The way to the list that the page is of. */
  readonly back?: ReactNode;
  /** What stands below the title. */
  readonly children?: ReactNode;
  /** The buttons of what can be done with the whole page, the expected one last. */
  readonly ways?: ReactNode;
}

/** The page that the browser opened, until another one is shown. */
let firstPath: string | null = null;

/** The title of a page: it is that of the window, and takes the focus when the page is opened from another one. */
export function Heading({ title, back, children, ways }: HeadingProps) {
  const { text } = useSpeech();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – ${text('app.name')}`;
  }, [title, text]);
  useEffect(() => {
    firstPath ??= location.pathname;
    // At the first page the browser begins at its top anyway.
    if (firstPath === location.pathname && document.activeElement === document.body) return;
    firstPath = '';
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header className={styles['heading']}>
      {back !== undefined && <p className={styles['back']}>{back}</p>}
      <div className={styles['title']}>
        <h1 ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h1>
        {children !== undefined && <div className={styles['below']}>{children}</div>}
      </div>
      {ways !== undefined && ways !== false && <div className={styles['ways']}>{ways}</div>}
    </header>
  );
}
