import { useState } from 'react';
import { useSpeech } from '../languages/context.tsx';

export interface CopyButtonProps {
  readonly value: string;
  /** What the value is, for screen readers. */
  readonly of?: string;
}

/** Copies a value that is shown beside it. Browsers refuse it without TLS, and in frames that may not write the clipboard. */
export function CopyButton({ value, of }: CopyButtonProps) {
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
        {text(state === 'copy.done' ? state : 'copy')}
        {of !== undefined && <span className="away"> {of}</span>}
      </button>{' '}
      <span role="status">{state === 'copy.refused' && text(state)}</span>
    </>
  );
}
