import { useState } from 'react';
import { useSpeech } from '../languages/context.tsx';

export interface CopyButtonProps {
  readonly value: string;
  /** What the value is, for screen readers. */
  readonly of?: string;
  /** What the button says; that it copies, if left out. */
  readonly label?: string;
}

/** Copies a value that is shown beside it. Browsers refuse it without TLS, and in frames that may not write the clipboard. */
export function CopyButton({ value, of, label }: CopyButtonProps) {
  const { text } = useSpeech();
  const [state, setState] = useState<'copy' | 'copy.done' | 'copy.refused'>('copy');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setState('copy.done');
    } catch {
      setState('copy.refused');
    }
  };
  return (
    <>
      <button type="button" className="button" onClick={copy}>
        {state === 'copy.done' ? text(state) : (label ?? text('copy'))}
        {of !== undefined && <span className="away"> {of}</span>}
      </button>{' '}
      <span role="status">{state === 'copy.refused' && text(state)}</span>
    </>
  );
}
