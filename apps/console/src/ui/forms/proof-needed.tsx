import { useLocation } from '@tanstack/react-router';
import { usePageTexts } from '../../languages/context.tsx';
import failure from '../failure.module.css';
import { FORM_TEXTS } from './texts.ts';

/** Says that a change needs a fresh proof, and where to give it. What was typed stays in this window. */
export function ProofNeeded() {
  const formText = usePageTexts(FORM_TEXTS);
  const { pathname } = useLocation();
  const isFramed = window.parent !== window;
  // A new window would not share the session of a frame.
  const where = isFramed ? {} : { target: '_blank', rel: 'noopener' };
  const to = isFramed ? `/console${pathname}` : '/account';
  return (
    <div className="message error" role="alert">
      <p className={failure['title']}>{formText('proof')}</p>
      <p>{formText(isFramed ? 'proof.text.framed' : 'proof.text')}</p>
      <p>
        <a href={`/account/confirm?to=${encodeURIComponent(to)}`} className="button main" {...where}>
          {formText('proof.confirm')}
        </a>
      </p>
    </div>
  );
}
