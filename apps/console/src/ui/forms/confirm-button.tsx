import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import dialog from '../dialogs/alert.module.css';
import { Alert } from '../dialogs/alert.tsx';
import { Refusal } from './refusal.tsx';
import { FORM_TEXTS } from './texts.ts';

export interface ConfirmButtonProps {
  readonly label: string;
  /** What the label is about, for screen readers. */
  readonly of?: string;
  readonly question: string;
  /** What happens then. */
  readonly children: ReactNode;
  /** What is chosen about it before. */
  readonly fields?: ReactNode;
  /** Whether it takes something away, as most do that are asked about. */
  readonly isDestructive?: boolean;
  /** What has failed, where it is refused. */
  readonly failed?: string;
  readonly onConfirm: () => Promise<unknown>;
  /** What a refusal means in plain words, where the page knows. */
  readonly explain?: (error: unknown) => string | null;
}

/** A button for what cannot be undone: it asks first, and stays open while it is refused. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, of, question, failed, children, fields, isDestructive = true, onConfirm, explain } = props;
  const tone = isDestructive ? 'danger' : '';
  const formText = usePageTexts(FORM_TEXTS);
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const place = useRef<HTMLElement>(null);
  const run = useMutation({
    mutationFn: onConfirm,
    onSuccess: () => {
      setOpen(false);
      // The dialog gives the focus back first, to nothing where the button is gone with what it was about.
      setTimeout(() => focusNear(place.current));
    },
  });
  const toggle = (next: boolean) => {
    setOpen(next);
    if (next) place.current = trigger.current?.closest('section') ?? null;
    run.reset();
  };
  return (
    <>
      <button ref={trigger} type="button" className={`button ${tone}`} onClick={() => toggle(true)}>
        {label}
        {of !== undefined && <span className="away"> {of}</span>}
      </button>
      <Alert isOpen={isOpen} title={question} text={children} onClose={() => toggle(false)}>
        {fields}
        {run.isError && <Refusal error={run.error} title={failed} explanation={explain?.(run.error) ?? null} />}
        <p className={dialog['ways']}>
          <button type="button" className="button" onClick={() => toggle(false)}>
            {formText('cancel')}
          </button>
          <button
            type="button"
            className={`button main ${tone}`}
            aria-disabled={run.isPending}
            onClick={() => run.isPending || run.mutate()}
          >
            {label}
          </button>
        </p>
      </Alert>
    </>
  );
}

/** Takes the focus where it is nowhere: to the heading of the place, or to that of the page where the place is gone. */
function focusNear(place: HTMLElement | null): void {
  if (document.activeElement !== document.body) return;
  const heading = place?.isConnected ? place.querySelector('h2') : document.querySelector('h1');
  heading?.focus({ preventScroll: true });
}
