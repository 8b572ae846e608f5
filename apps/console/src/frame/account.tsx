import { useQuery } from '@tanstack/react-query';
import { type FocusEvent, lazy, Suspense, useId } from 'react';
import { useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { sessionQuery } from '../service/session.ts';
import { useOnceOpen } from '../ui/dialogs/drawer.tsx';
import { Icon } from '../ui/icon.tsx';
import styles from './account.module.css';
import { useFrame } from './state.tsx';
import { useOpener } from './use-opener.ts';

const AccountPanel = lazy(() => import('./account-panel.tsx').then((file) => ({ default: file.AccountPanel })));

/** A button with the name of the signed-in person. It opens the account, the preferences and the button that signs out. */
export function Account() {
  const { text } = useSpeech();
  const session = useQuery(sessionQuery(useApi()));
  const { isLive } = useFrame();
  const { isOpen, toggle, opener } = useOpener();
  const isNeeded = useOnceOpen(isOpen);
  const id = useId();
  const name = session.data?.displayName ?? session.data?.identityId ?? '…';
  const closeOutside = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (isOpen && relatedTarget !== null && !currentTarget.contains(relatedTarget)) toggle();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handler only follows the focus.
    <div className={styles['account']} onBlur={closeOutside}>
      <button
        ref={opener}
        type="button"
        className={styles['opener']}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        <span className={styles['initials']} aria-hidden="true">
          {initialsOf(name)}
        </span>
        <span className={styles['name']}>
          <span className="away">{text('account.menu')}: </span>
          <bdi>{name}</bdi>
        </span>
        <span className={`${styles['state']} ${isLive ? styles['live'] : ''}`}>
          {text(isLive ? 'live.on' : 'live.off')}
        </span>
        <span className={styles['more']}>
          <Icon name="more" />
        </span>
      </button>
      <div id={id} className={`${styles['panel']} ${isOpen ? styles['open'] : ''}`}>
        {isNeeded && (
          <Suspense>
            <AccountPanel />
          </Suspense>
        )}
      </div>
    </div>
  );
}

/** The first letters of the first word and of the last one. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = new Intl.Segmenter();
  const first = (word = '') => [...letters.segment(word)][0]?.segment ?? '';
  return (words.length > 1 ? first(words[0]) + first(words.at(-1)) : first(words[0])).toLocaleUpperCase();
}
