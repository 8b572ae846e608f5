import { useId } from 'react';
import { useSpeech } from '../languages/context.tsx';
import { SearchOpener } from '../search/opener.tsx';
import { Icon } from '../ui/icon.tsx';
import { Account } from './account.tsx';
import { Brand } from './brand.tsx';
import styles from './menu.module.css';
import { Navigation } from './navigation.tsx';
import { useOpener } from './use-opener.ts';

/** The pages, the search and the account: beside the page on a wide screen, above it on a narrow one, with the pages behind a button. */
export function Menu() {
  const { text } = useSpeech();
  const { isOpen, toggle, opener } = useOpener();
  const id = useId();
  return (
    <header className={styles['side']}>
      <div className={styles['view']}>
        <Brand className={styles['brand']} />
        <SearchOpener />
        <button
          ref={opener}
          type="button"
          className={`button ${styles['opener']}`}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={toggle}
        >
          <Icon name="menu" />
          <span className="away">{text('app.menu')}</span>
        </button>
        <div id={id} className={`${styles['menu']} ${isOpen ? styles['open'] : ''}`}>
          <Navigation />
        </div>
        <Account />
      </div>
    </header>
  );
}
