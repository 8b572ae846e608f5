import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useSpeech } from '../../languages/context.tsx';
import styles from './actions.module.css';
import { Refusal } from './refusal.tsx';

/** A change that is offered, and made once it is confirmed. */
export interface Action {
  /** What its button says. */
  readonly label: string;
  /** Whether it is the one to be expected. */
  readonly isMain?: boolean;
  /** Whether it takes something away. */
  readonly isDestructive?: boolean;
  /** What happens, for the person to confirm; above the fields of the change. */
  readonly children: ReactNode;
  /** What the button says that makes the change. */
  readonly confirm: string;
  /** Whether everything is chosen that it needs; true if left out. */
  readonly canRun?: boolean;
  /** Makes the change and resolves with what has happened, in words. */
  readonly run: () => Promise<string>;
}

export interface ActionsProps {
  readonly actions: readonly Action[];
  /** The concerns of what the page shows that a change can touch. */
  readonly concerns: readonly string[];
  /** Buttons that change nothing, after those of the changes. */
  readonly beside?: ReactNode;
  /** Says what has happened; said beside the buttons if left out. */
  readonly onDone?: (said: string) => void;
}

/** Buttons for changes, each of which is confirmed before it is made. A refusal is shown where it happened. */
export function Actions({ actions, concerns, beside, onDone }: ActionsProps) {
  const [open, setOpen] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const buttons = useRef<HTMLDivElement>(null);
  const words = useRef<HTMLParagraphElement>(null);
  // By its label: others may join and leave while it is open.
  const action = actions.find(({ label }) => label === open);
  const close = () => {
    setOpen(null);
    buttons.current?.querySelector<HTMLElement>('[aria-expanded=true]')?.focus();
  };
  // A change that is made may no longer be offered: the focus of its button goes to what has happened.
  const offered = actions.length;
  useEffect(() => {
    if (said !== '' && offered > 0 && document.activeElement === document.body) words.current?.focus();
  }, [said, offered]);
  return (
    <div className={styles['actions']}>
      <div ref={buttons} className={styles['buttons']}>
        {actions.map((each) => (
          <button
            key={each.label}
            type="button"
            className={`button ${each.isMain && action === undefined ? 'main' : ''} ${each.isDestructive ? 'danger' : ''}`}
            aria-expanded={each === action}
            onClick={() => {
              setSaid('');
              setOpen(each === action ? null : each.label);
            }}
          >
            {each.label}
          </button>
        ))}
        {beside}
      </div>
      {action !== undefined && (
        <Confirmation
          key={action.label}
          action={action}
          concerns={concerns}
          onCancel={close}
          onDone={(happened) => {
            close();
            (onDone ?? setSaid)(happened);
          }}
        />
      )}
      <p ref={words} role="status" tabIndex={-1} className={styles['said']} dir="auto">
        {said}
      </p>
    </div>
  );
}

interface ConfirmationProps extends Pick<ActionsProps, 'concerns'> {
  readonly action: Action;
  readonly onCancel: () => void;
  readonly onDone: (said: string) => void;
}

function Confirmation({ action, concerns, onCancel, onDone }: ConfirmationProps) {
  const { text } = useSpeech();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: action.run,
    onSuccess: (said) => {
      onDone(said);
      for (const concern of concerns) client.invalidateQueries({ queryKey: [concern] });
    },
  });
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus(), []);
  const cancel = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    // Only the change is left, not the drawer that it is in.
    event.stopPropagation();
    onCancel();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!change.isPending && action.canRun !== false) change.mutate();
  };
  return (
    <form ref={form} className={styles['confirmation']} aria-labelledby={id} onSubmit={submit} onKeyDown={cancel}>
      <h3 id={id}>{action.label}</h3>
      {action.children}
      {change.isError && <Refusal error={change.error} title={text('action.refused')} />}
      <div className={styles['buttons']}>
        <button
          type="submit"
          className={`button main ${action.isDestructive ? 'danger' : ''}`}
          aria-disabled={change.isPending || action.canRun === false}
        >
          {change.isPending ? text('state.loading') : action.confirm}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {text('state.cancel')}
        </button>
      </div>
    </form>
  );
}
