import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, startTransition, useDeferredValue, useRef, useState } from 'react';
import { useSpeech } from '../../languages/context.tsx';
import styles from './drawer.module.css';

export interface DrawerPanelProps {
  readonly isOpen: boolean;
  readonly title: string;
  /** Whether it has pictures, which need more width. */
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * The drawer itself, with the dialogs of Base UI, which only an open drawer needs. What it shows takes longer to make, and to take
 * away, than its frame: it comes after the frame has opened, and goes after the frame has closed.
 */
export function DrawerPanel({ isOpen, title, isWide = false, onClose, children }: DrawerPanelProps) {
  const { text } = useSpeech();
  const [isAway, setAway] = useState(true);
  if (isOpen && isAway) setAway(false);
  const isFilled = useDeferredValue(!isAway, false);
  const shown = useRef({ title, children });
  if (isOpen) shown.current = { title, children };
  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={(open) => !open && onClose()}
      onOpenChangeComplete={(open) => !open && startTransition(() => setAway(true))}
    >
      <Dialog.Portal keepMounted>
        <Dialog.Backdrop className={styles['veil']} />
        <Dialog.Popup className={`${styles['drawer']} ${isWide ? styles['wide'] : ''}`}>
          {!isAway && (
            <div className={styles['top']}>
              <Dialog.Title className={styles['title']} dir="auto">
                {shown.current.title}
              </Dialog.Title>
              <Dialog.Close className="button">{text('state.close')}</Dialog.Close>
            </div>
          )}
          {!isAway && isFilled && shown.current.children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
