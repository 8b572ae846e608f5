import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import styles from '../action/dialog.module.css';
import { usePageTexts } from '../languages/context.tsx';
import button from '../parts/button.module.css';
import { Refused } from './refused.tsx';
import { FORM_TEXTS } from './texts.ts';

export interface ConfirmButtonProps {
  readonly label: string;
  /** What the label is about, for those who cannot see where the button is. */
  readonly of?: string;
  readonly question: string;
  /** What happens then. */
  readonly children: ReactNode;
  readonly onConfirm: () => Promise<unknown>;
  /** What a refusal means in plain words, where the page knows. */
  readonly explain?: (error: unknown) => string | null;
}

/** A button for what cannot be undone: it asks first, and stays open while it is refused. */
export function ConfirmButton({ label, of, question, children, onConfirm, explain }: ConfirmButtonProps) {
  const formText = usePageTexts(FORM_TEXTS);
  const [isOpen, setOpen] = useState(false);
  const run = useMutation({ mutationFn: onConfirm, onSuccess: () => setOpen(false) });
  const toggle = (next: boolean) => {
    setOpen(next);
    run.reset();
  };
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={toggle}>
      <AlertDialog.Trigger className={button['button']}>
        {label}
        {of !== undefined && <span className="away"> {of}</span>}
      </AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles['veil']} />
        <AlertDialog.Popup className={styles['dialog']}>
          <AlertDialog.Title className={styles['title']} dir="auto">
            {question}
          </AlertDialog.Title>
          <AlertDialog.Description>{children}</AlertDialog.Description>
          {run.isError && <Refused error={run.error} explanation={explain?.(run.error) ?? null} />}
          <p className={styles['ways']}>
            <button
              type="button"
              className={`${button['button']} ${button['main']}`}
              disabled={run.isPending}
              onClick={() => run.mutate()}
            >
              {label}
            </button>
            <AlertDialog.Close className={button['button']}>{formText('cancel')}</AlertDialog.Close>
          </p>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
