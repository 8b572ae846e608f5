import { useEffect, useRef, useState } from 'react';
import { useSpeech } from '../languages/context.tsx';
import { Failure } from './failure.tsx';
import { saveFile } from './save-file.ts';

export interface SaveButtonProps {
  readonly label: string;
  /** The title where it fails. */
  readonly failed: string;
  readonly fileName: string;
  /** The media type of the file. */
  readonly type: string;
  /** Writes the file, piece by piece, until the signal is aborted. */
  readonly write: (signal: AbortSignal) => AsyncIterable<string>;
}

/** A button that reads something and lets the browser save it as a file. It ends with the page. */
export function SaveButton({ label, failed, fileName, type, write }: SaveButtonProps) {
  const { text } = useSpeech();
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error: unknown }>(IDLE);
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const save = async () => {
    const begun = new AbortController();
    stop.current = begun;
    setState({ isBusy: true, error: null });
    try {
      const pieces = await Array.fromAsync(write(begun.signal));
      if (begun.signal.aborted) return;
      saveFile(fileName, new Blob(pieces, { type }));
      setState(IDLE);
    } catch (error) {
      setState(begun.signal.aborted ? IDLE : { isBusy: false, error });
    }
  };
  return (
    <>
      <button type="button" className="button" aria-disabled={state.isBusy} onClick={() => state.isBusy || save()}>
        {state.isBusy ? text('state.loading') : label}
      </button>
      {state.isBusy && (
        <button type="button" className="button" onClick={() => stop.current?.abort()}>
          {text('state.cancel')}
        </button>
      )}
      {state.error !== null && <Failure error={state.error} title={failed} onRetry={save} />}
    </>
  );
}

const IDLE = { isBusy: false, error: null };
