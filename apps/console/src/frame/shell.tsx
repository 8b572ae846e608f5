import type { ReactNode } from 'react';
import { useSpeech } from '../languages/context.tsx';
import { Lost } from './lost.tsx';
import { Menu } from './menu.tsx';
import { SessionEnd } from './session-end.tsx';
import styles from './shell.module.css';

/** What all pages share: the navigation, the person who is signed in, and what is said of the connection. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { text } = useSpeech();
  return (
    <div className={styles['shell']}>
      <a href="#content" className={styles['skip']}>
        {text('app.skip')}
      </a>
      <Menu />
      <main id="content" tabIndex={-1} className={styles['main']}>
        <Lost />
        {children}
      </main>
      <SessionEnd />
    </div>
  );
}
