import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useDeferredValue } from 'react';
import { useSpeech } from '../../languages/context.tsx';
import button from '../button.module.css';
import styles from './drawer.module.css';

export interface DrawerPanelProps {
  readonly isOpen: boolean;
  readonly title: string;
  /** Whether it has pictures, which need more width. */
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The drawer itself, with the dialogs of Base UI, which only an open drawer needs. */
export function DrawerPanel({ isOpen, title, isWide = false, onClose, children }: DrawerPanelProps) {
  const { text } = useSpeech();
  // What it shows takes longer to make, and to take away, than the drawer itself.
  const isFilled = useDeferredValue(isOpen, false);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal keepMounted>
        <Dialog.Backdrop className={styles['veil']} />
        <Dialog.Popup className={`${styles['drawer']} ${isWide ? styles['wide'] : ''}`}>
          {(isOpen || isFilled) && (
            <div className={styles['top']}>
              <Dialog.Title className={styles['title']} dir="auto">
                {title}
              </Dialog.Title>
              <Dialog.Close className={button['button']}>{text('state.close')}</Dialog.Close>
            </div>
          )}
          {isFilled && children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
