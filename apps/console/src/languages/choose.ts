/** The languages of the console, by their names in themselves. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', vi: 'Tiếng Việt' } as const;

export type Language = keyof typeof LANGUAGES;

export const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(LANGUAGES, text);

/** The preferred language if there is one, else the first of the browser's that the console has, else English. */
export function chooseLanguage(preferred: string | null, ofBrowser: readonly string[]): Language {
  if (isLanguage(preferred)) return preferred;
  return ofBrowser.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

/** How a browser with these languages writes dates and numbers in a language. */
export const localeOf = (language: Language, ofBrowser: readonly string[]): string =>
  ofBrowser.find((tag) => tag.slice(0, 2).toLowerCase() === language) ?? language;
