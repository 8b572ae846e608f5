import { lazy, Suspense } from 'react';
import type { AlertPanelProps } from './alert-panel.tsx';
import { useOnceOpen } from './drawer.tsx';

const AlertPanel = lazy(() => import('./alert-panel.tsx').then((file) => ({ default: file.AlertPanel })));

/** A question that has to be answered before anything else; loaded when it is first asked. */
export function Alert(props: AlertPanelProps) {
  const isNeeded = useOnceOpen(props.isOpen);
  return (
    isNeeded && (
      <Suspense>
        <AlertPanel {...props} />
      </Suspense>
    )
  );
}
