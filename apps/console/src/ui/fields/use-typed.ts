import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

// Short enough to feel immediate, long enough that most keys cause no request.
const TYPING_MS = 200;

export interface TypedProps {
  /** What is sought now. */
  readonly value: string;
  /** Called when nothing has been typed for a moment. It must keep what else the address has by then. */
  readonly onChange: (value: string) => void;
}

/** A text that is sought while it is typed, and how to change it. */
export function useTyped({ value, onChange }: TypedProps) {
  const router = useRouter();
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  // The value changes by other means too, such as the button to go back; then it replaces what was typed.
  useEffect(() => {
    if (value !== told.current) setTyped(value);
    told.current = value;
  }, [value]);
  useEffect(() => {
    if (typed === value) return undefined;
    const timer = setTimeout(() => {
      if (isLeaving(router)) return;
      told.current = typed;
      onChange(typed);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  });
  return [typed, setTyped] as const;
}

/** Whether another page is being loaded: a change of the address of this one would return to it. */
const isLeaving = ({ latestLocation, state: { resolvedLocation } }: AnyRouter): boolean =>
  latestLocation.pathname !== resolvedLocation?.pathname;
