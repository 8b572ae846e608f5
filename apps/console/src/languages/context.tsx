import { fillIn, type Language, type PageTexts, type Values } from '@access-admin/languages';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { textsOf } from './load.ts';
import type { CommonKey } from './texts.ts';

/** Writes texts, numbers and dates in the language of the page. */
export interface Speech {
  readonly language: Language;
  /** The language with a country of the browser's. */
  readonly locale: string;
  /** A text that the whole console shares. */
  readonly text: (key: CommonKey, values?: Values) => string;
  readonly number: (value: number) => string;
  /** Names one after the other. */
  readonly list: (names: readonly string[]) => string;
  /** The day of an instant in the time zone of the browser, such as 23 Nov 2026. */
  readonly day: (instant: string) => string;
  /** A day of UTC, given as `2026-11-23`. */
  readonly utcDay: (date: string) => string;
  /** A day and the time of it. */
  readonly moment: (instant: string) => string;
}

/** Builds the speech of a language. */
export function createSpeech(language: Language, locale: string = language): Speech {
  const number = new Intl.NumberFormat(locale);
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const utcDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return {
    language,
    locale,
    text: (key, values = {}) => fillIn(textsOf(language)[key], values, locale),
    list: (names) => new Intl.ListFormat(locale).format(names),
    number: (value) => number.format(value),
    day: (instant) => day.format(new Date(instant)),
    utcDay: (date) => utcDay.format(new Date(date)),
    moment: (instant) => moment.format(new Date(instant)),
  };
}

const SpeechContext = createContext<Speech>(createSpeech('en'));

export interface SpeechProviderProps {
  readonly language: Language;
  /** The language with a country of the browser's, as dates and numbers are written there. */
  readonly locale: string;
  readonly children: ReactNode;
}

/** Gives the pages below it their language. */
export function SpeechProvider({ language, locale, children }: SpeechProviderProps) {
  const speech = useMemo(() => createSpeech(language, locale), [language, locale]);
  return <SpeechContext value={speech}>{children}</SpeechContext>;
}

/** The speech of the page. */
export const useSpeech = (): Speech => useContext(SpeechContext);

/** Writes the texts of one page. */
export function usePageTexts<Key extends string>(texts: PageTexts<Key>): (key: Key, values?: Values) => string {
  const { language, locale } = useSpeech();
  return (key, values = {}) => fillIn(texts[language][key], values, locale);
}
