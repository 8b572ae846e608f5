import { lazy, Suspense, useDeferredValue, useState } from 'react';
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

/** What a drawer shows: what it has shown is taken away after the frame in which the drawer is closed. */
export function useKept<Value>(value: Value | null): Value | null {
  const kept = useDeferredValue(value);
  return value ?? kept;
}

/** Whether a dialog has been open yet. It stays in the page then, so that it gives the focus back when it closes. */
export function useOnceOpen(isOpen: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen;
}
