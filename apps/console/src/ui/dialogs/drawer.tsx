import { lazy, Suspense, useState } from 'react';
import type { DrawerPanelProps } from './drawer-panel.tsx';

const DrawerPanel = lazy(() => import('./drawer-panel.tsx').then((file) => ({ default: file.DrawerPanel })));

/** Something in full, beside the list that it is of; loaded when it is first opened. */
export function Drawer(props: DrawerPanelProps) {
  const isNeeded = useOnceOpen(props.isOpen);
  return (
    isNeeded && (
      <Suspense>
        <DrawerPanel {...props} />
      </Suspense>
    )
  );
}

/** Whether a dialog has been open yet. It stays in the page then, so that it gives the focus back when it closes. */
export function useOnceOpen(isOpen: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen;
}
