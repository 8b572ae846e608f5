import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';

export interface Opener {
  readonly isOpen: boolean;
  readonly toggle: () => void;
  /** The button that opens it. */
  readonly opener: RefObject<HTMLButtonElement | null>;
}

/** Something behind a button, which Escape and another page close. */
export function useOpener(): Opener {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const router = useRouter();
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = () => {
      // What has the focus is hidden with it.
      opener.current?.focus({ preventScroll: true });
      setOpen(false);
    };
    const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && close();
    document.addEventListener('keydown', onKeyDown);
    const unsubscribe = router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && close());
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      unsubscribe();
    };
  }, [isOpen, router]);
  return { isOpen, toggle: () => setOpen(!isOpen), opener };
}
