import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';
import styles from './alert.module.css';

export interface AlertPanelProps {
  readonly isOpen: boolean;
  readonly title: string;
  /** What happens then. */
  readonly text: ReactNode;
  /** The buttons of the ways on, and before them what was refused. */
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** The question itself, with the dialogs of Base UI, which only an open one needs. */
export function AlertPanel({ isOpen, title, text, children, onClose }: AlertPanelProps) {
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles['veil']} />
        <AlertDialog.Popup className={styles['dialog']}>
          <AlertDialog.Title className={styles['title']} dir="auto">
            {title}
          </AlertDialog.Title>
          <AlertDialog.Description dir="auto">{text}</AlertDialog.Description>
          {children}
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
