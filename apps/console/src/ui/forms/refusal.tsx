import { ForbiddenError } from '@access-admin/client';
import { usePageTexts, useSpeech } from '../../languages/context.tsx';
import { needsProof, showFailure } from '../../service/failures.ts';
import failure from '../failure.module.css';
import { ProofNeeded } from './proof-needed.tsx';
import { FORM_TEXTS } from './texts.ts';

export interface RefusalProps {
  readonly error: unknown;
  /** What has failed; a general title if left out. */
  readonly title?: string | undefined;
  /** What the service says that no field shows; all that it says if left out. */
  readonly texts?: readonly string[];
  /** What it means in plain words, where the page knows. */
  readonly explanation?: string | null;
}

/** Why something was not done. What was typed remains. */
export function Refusal({ error, title, texts, explanation = null }: RefusalProps) {
  const { text } = useSpeech();
  const formText = usePageTexts(FORM_TEXTS);
  const shown = showFailure(error);
  if (needsProof(error)) return <ProofNeeded />;
  const isForbidden = error instanceof ForbiddenError;
  const advice = shown.advice === null ? null : text(shown.advice);
  return (
    <div className="message error" role="alert">
      <p className={failure['title']}>{title ?? formText('refused')}</p>
      {explanation !== null && <p>{explanation}</p>}
      {(texts ?? shown.texts).map((each) => (
        <p key={each} dir="auto">
          {each}
        </p>
      ))}
      {isForbidden ? <p>{formText('right')}</p> : advice !== null && <p>{advice}</p>}
      {shown.trackingId !== null && (
        <p className={failure['number']}>
          {text('failure.number')}: <code>{shown.trackingId}</code>
        </p>
      )}
    </div>
  );
}
