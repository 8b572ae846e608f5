import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useSpeech } from '../languages/context.tsx';
import button from '../parts/button.module.css';
import styles from './session-end-dialog.module.css';
import { useFrame } from './state.tsx';

/** The page below stays as it is: what was typed is still there after the sign-in. */
export function SessionEndDialog() {
  const { text } = useSpeech();
  const { resume } = useFrame();
  return (
    <AlertDialog.Root open>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles['veil']} />
        <AlertDialog.Popup className={styles['dialog']}>
          <AlertDialog.Title>{text('session.title')}</AlertDialog.Title>
          <AlertDialog.Description>{text('session.text')}</AlertDialog.Description>
          <p className={styles['ways']}>
            <a
              href="/login?to=%2Fconsole%2F"
              target="_blank"
              rel="noopener"
              className={`${button['button']} ${button['main']}`}
            >
              {text('session.sign-in')}
            </a>
            <button type="button" className={button['button']} onClick={resume}>
              {text('session.continue')}
            </button>
          </p>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
