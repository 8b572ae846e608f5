import { lazy, Suspense, useEffect, useState } from 'react';
import { useSpeech } from '../languages/context.tsx';
import { useOnceOpen } from '../ui/dialogs/drawer.tsx';
import { Icon } from '../ui/icon.tsx';
import styles from './opener.module.css';

const load = () => import('./palette.tsx');
const Palette = lazy(() => load().then((file) => ({ default: file.Palette })));

/** The button of the search over everything, and its keys: `/` outside of fields, and Ctrl-K everywhere. */
export function SearchOpener() {
  const { text } = useSpeech();
  const [isOpen, setOpen] = useState(false);
  const isNeeded = useOnceOpen(isOpen);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isSearchKey(event) || document.querySelector('[role=dialog], [role=alertdialog]')?.checkVisibility()) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <button
        type="button"
        className={styles['opener']}
        aria-keyshortcuts="/ Control+K"
        onPointerEnter={load}
        onFocus={load}
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
        <span className={styles['name']}>{text('app.search')}</span>
        <span aria-hidden="true" className={styles['key']}>
          /
        </span>
      </button>
      {isNeeded && (
        <Suspense>
          <Palette isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function isSearchKey({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if ((ctrlKey || metaKey) && !altKey) return key.toLowerCase() === 'k';
  return key === '/' && !(target instanceof Element && target.closest('input, select, textarea') !== null);
}
