import { useBlocker } from '@tanstack/react-router';
import { usePageTexts } from '../languages/context.tsx';
import dialog from '../ui/dialogs/alert.module.css';
import { Alert } from '../ui/dialogs/alert.tsx';
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
    <Alert
      isOpen={status === 'blocked'}
      title={pageText('leave.title')}
      text={pageText('leave.text')}
      onClose={() => reset?.()}
    >
      <p className={dialog['ways']}>
        <button type="button" className="button main" onClick={reset}>
          {pageText('leave.stay')}
        </button>
        <button type="button" className="button" onClick={proceed}>
          {pageText('leave')}
        </button>
      </p>
    </Alert>
  );
}
