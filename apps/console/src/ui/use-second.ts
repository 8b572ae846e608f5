import { useMemo } from 'react';
import { useSpeech } from '../languages/context.tsx';

/** Writes an instant with its second, in the time zone of the browser. */
export function useSecond(): (instant: string) => string {
  const { locale } = useSpeech();
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
    return (instant) => format.format(new Date(instant));
  }, [locale]);
}
