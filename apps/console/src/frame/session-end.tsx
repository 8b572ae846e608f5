import { lazy, Suspense } from 'react';
import { useFrame } from './state.tsx';

const SessionEndDialog = lazy(() =>
  import('./session-end-dialog.tsx').then((file) => ({ default: file.SessionEndDialog })),
);

/** Asks to sign in again where the session has ended, without leaving the page. */
export function SessionEnd() {
  const { hasEnded } = useFrame();
  return (
    hasEnded && (
      <Suspense>
        <SessionEndDialog />
      </Suspense>
    )
  );
}
