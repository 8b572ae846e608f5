import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useSpeech } from '../languages/context.tsx';
import styles from './lost.module.css';

const subscribe = (onChange: () => void) => onlineManager.subscribe(onChange);
const isOnline = () => onlineManager.isOnline();

/** Says that the browser has no connection, until it has one again. */
export function Lost() {
  const { text } = useSpeech();
  const online = useSyncExternalStore(subscribe, isOnline);
  return (
    <div role="status" className={online ? 'away' : styles['lost']}>
      {!online && text('live.lost')}
    </div>
  );
}
