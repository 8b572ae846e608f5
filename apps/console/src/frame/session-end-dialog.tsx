import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { SyntheticEvent } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import dialog from '../ui/dialogs/alert.module.css';
import styles from './session-end-dialog.module.css';
import { SESSION_END_TEXTS } from './session-end-texts.ts';
import { useFrame } from './state.tsx';

/** Where the sign-in in a frame leads to. */
const SIGNED_IN_PATH = '/account';

/** The page below stays as it is: what was typed is still there after the sign-in. */
export function SessionEndDialog() {
  const pageText = usePageTexts(SESSION_END_TEXTS);
  const isFramed = window.parent !== window;
  return (
    <AlertDialog.Root open>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={dialog['veil']} />
        <AlertDialog.Popup className={dialog['dialog']}>
          <AlertDialog.Title>{pageText('title')}</AlertDialog.Title>
          <AlertDialog.Description>{pageText(isFramed ? 'text.framed' : 'text')}</AlertDialog.Description>
          {isFramed ? <SignInHere /> : <SignInElsewhere />}
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function SignInElsewhere() {
  const pageText = usePageTexts(SESSION_END_TEXTS);
  const { resume } = useFrame();
  return (
    <p className={dialog['ways']}>
      <a href="/login?to=%2Fconsole%2F" target="_blank" rel="noopener" className="button main">
        {pageText('sign-in')}
      </a>
      <button type="button" className="button" onClick={resume}>
        {pageText('continue')}
      </button>
    </p>
  );
}

/** A console in a frame has cookies of its own, which a new window does not share. */
function SignInHere() {
  const pageText = usePageTexts(SESSION_END_TEXTS);
  const { resume } = useFrame();
  const onLoad = ({ currentTarget }: SyntheticEvent<HTMLIFrameElement>) => {
    if (currentTarget.contentWindow?.location.pathname === SIGNED_IN_PATH) resume();
  };
  return (
    <iframe
      src={`/login?to=${encodeURIComponent(SIGNED_IN_PATH)}`}
      title={pageText('title')}
      className={styles['login']}
      onLoad={onLoad}
    />
  );
}
