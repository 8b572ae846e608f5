import { useSpeech } from '../languages/context.tsx';
import { showFailure } from '../service/failures.ts';
import styles from './actions.module.css';

/** Why the service has not made a change, in its own words, with the number of the request. */
export function Refusal({ error }: { readonly error: unknown }) {
  const { text } = useSpeech();
  const { advice, texts, trackingId } = showFailure(error);
  return (
    <div className={styles['refusal']} role="alert">
      <p className={styles['title']}>{text('action.refused')}</p>
      {texts.map((each) => (
        <p key={each} dir="auto">
          {each}
        </p>
      ))}
      {advice !== null && advice !== 'failure.right' && <p>{text(advice)}</p>}
      {trackingId !== null && (
        <p className={styles['number']}>
          {text('failure.number')}: <code>{trackingId}</code>
        </p>
      )}
    </div>
  );
}
