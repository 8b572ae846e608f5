import { useRouter } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { useSpeech } from '../languages/context.tsx';
import styles from './menu.module.css';
import { Navigation } from './navigation.tsx';
import { Person } from './person.tsx';

/** The pages and the person who is signed in: beside the page on a wide screen, behind a button on a narrow one. */
export function Menu() {
  const { text } = useSpeech();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const router = useRouter();
  const close = () => {
    // What has the focus is hidden with the menu.
    opener.current?.focus({ preventScroll: true });
    setOpen(false);
  };
  useEffect(() => router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && close()), [router]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && close();
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOpen]);
  return (
    <header className={styles['side']}>
      <div className={styles['view']}>
        <div className={styles['top']}>
          <p className="brand">{text('app.name')}</p>
          <button
            ref={opener}
            type="button"
            className={`button ${styles['opener']}`}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            {text('app.menu')}
          </button>
        </div>
        <div id={id} className={`${styles['menu']} ${isOpen ? styles['open'] : ''}`}>
          <Navigation />
          <Person />
        </div>
      </div>
    </header>
  );
}
