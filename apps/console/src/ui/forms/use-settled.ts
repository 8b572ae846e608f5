import { useEffect, useState } from 'react';

// Short enough to feel immediate, long enough that most keys cause no request.
const TYPING_MS = 200;

/** A value once it has not changed for a moment, as while somebody types. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
