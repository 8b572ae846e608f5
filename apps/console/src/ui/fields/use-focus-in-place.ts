import { useCallback, useEffect, useRef } from 'react';

/**
 * For a field and what was chosen in it, which take each other's place: what had the focus is gone with the change, so the one
 * that comes takes it. Returns the ref of both, and what is called before a change by hand.
 */
export function useFocusInPlace(value: unknown) {
  const place = useRef<HTMLElement | null>(null);
  const isByHand = useRef(false);
  useEffect(() => {
    if (!isByHand.current) return;
    isByHand.current = false;
    place.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [value]);
  const ref = useCallback((element: HTMLElement | null) => {
    place.current = element;
  }, []);
  const changesByHand = () => {
    isByHand.current = true;
  };
  return { ref, changesByHand };
}
