import { useRouter } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { afterPaint } from '../after-paint.ts';

/**
 * What is open beside a page, which its address says. What is opened or closed shows in the next frame, and the address follows:
 * the router would take most of the time of that frame.
 */
export function useAddressed<Value>(
  addressed: Value,
  write: (value: Value) => Promise<void>,
): readonly [open: Value, setOpen: (value: Value) => void] {
  const router = useRouter();
  const [asked, setAsked] = useState<{ readonly value: Value } | null>(null);
  const setOpen = useCallback(
    async (value: Value) => {
      const next = { value };
      setAsked(next);
      const { pathname } = router.state.location;
      await afterPaint();
      // Another page may have been asked for meanwhile.
      if (router.state.location.pathname === pathname) await write(value);
      setAsked((present) => (present === next ? null : present));
    },
    [router, write],
  );
  return [asked === null ? addressed : asked.value, setOpen];
}
