import { useSpeech } from '../languages/context.tsx';
import { showFailure } from '../service/failures.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './failure.module.css';

export interface FailureProps {
  readonly error: unknown;
  readonly onRetry: () => void;
  /** The title of a change that has failed; without it, something could not be read. */
  readonly title?: string;
}

/** An error: the text of the service, the number of the request, and what to do. */
export function Failure({ error, onRetry, title }: FailureProps) {
  const { text } = useSpeech();
  const { advice, texts, trackingId } = showFailure(error);
  return (
    <div className="message error" role="alert">
      <p className={styles['title']}>{title ?? text('failure.title')}</p>
      {texts.map((each) => (
        <p key={each} dir="auto">
          {each}
        </p>
      ))}
      {advice !== null && (
        <p>{text(advice === 'failure.right' && title !== undefined ? 'failure.right.change' : advice)}</p>
      )}
      {trackingId !== null && <RequestNumber number={trackingId} />}
      <p>
        <button type="button" className="button" onClick={onRetry}>
          {text('failure.retry')}
        </button>
      </p>
    </div>
  );
}

function RequestNumber({ number }: { readonly number: string }) {
  const { text } = useSpeech();
  return (
    <p className={styles['number']}>
      {text('failure.number')}: <code>{number}</code> <CopyButton value={number} />
    </p>
  );
}
