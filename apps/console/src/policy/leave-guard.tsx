import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useBlocker } from '@tanstack/react-router';
import dialog from '../action/dialog.module.css';
import { usePageTexts } from '../languages/context.tsx';
import button from '../parts/button.module.css';
import { POLICY_TEXTS } from './texts.ts';

/** Asks before a page with changes is left. */
export function LeaveGuard({ isChanged }: { readonly isChanged: boolean }) {
  const pageText = usePageTexts(POLICY_TEXTS);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  return (
    <AlertDialog.Root open={status === 'blocked'} onOpenChange={(isOpen) => !isOpen && reset?.()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={dialog['veil']} />
        <AlertDialog.Popup className={dialog['dialog']}>
          <AlertDialog.Title className={dialog['title']}>{pageText('leave.title')}</AlertDialog.Title>
          <AlertDialog.Description>{pageText('leave.text')}</AlertDialog.Description>
          <p className={dialog['ways']}>
            <AlertDialog.Close className={`${button['button']} ${button['main']}`}>
              {pageText('leave.stay')}
            </AlertDialog.Close>
            <button type="button" className={button['button']} onClick={proceed}>
              {pageText('leave')}
            </button>
          </p>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
