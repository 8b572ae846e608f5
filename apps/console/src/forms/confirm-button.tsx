import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import button from '../parts/button.module.css';
import dialog from '../parts/dialogs/alert.module.css';
import { Alert } from '../parts/dialogs/alert.tsx';
import { Refused } from './refused.tsx';
import { FORM_TEXTS } from './texts.ts';

export interface ConfirmButtonProps {
  readonly label: string;
  /** What the label is about, for screen readers. */
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
    <>
      <button type="button" className={button['button']} onClick={() => toggle(true)}>
        {label}
        {of !== undefined && <span className="away"> {of}</span>}
      </button>
      <Alert isOpen={isOpen} title={question} text={children} onClose={() => toggle(false)}>
        {run.isError && <Refused error={run.error} explanation={explain?.(run.error) ?? null} />}
        <p className={dialog['ways']}>
          <button
            type="button"
            className={`${button['button']} ${button['main']}`}
            disabled={run.isPending}
            onClick={() => run.mutate()}
          >
            {label}
          </button>
          <button type="button" className={button['button']} onClick={() => toggle(false)}>
            {formText('cancel')}
          </button>
        </p>
      </Alert>
    </>
  );
}
