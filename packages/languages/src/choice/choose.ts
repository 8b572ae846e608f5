/** The languages of the pages, by their names in themselves. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', vi: 'Tiếng Việt' } as const;

export type Language = keyof typeof LANGUAGES;

export const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(LANGUAGES, text);

/** The preferred language if there is one, else the first of the browser's that the pages have, else English. */
export function chooseLanguage(preferred: string | null, ofBrowser: readonly string[]): Language {
  if (isLanguage(preferred)) return preferred;
  return ofBrowser.map((tag) => tag.split('-', 1)[0]?.toLowerCase() ?? '').find(isLanguage) ?? 'en';
}

/** How a browser with these languages writes dates and numbers in a language: as in its country, if it names one. */
export function localeOf(language: Language, ofBrowser: readonly string[]): string {
  for (const tag of ofBrowser) {
    const [, own, country] = /^([a-z]{2})(?:-([a-z]{2}))?(?:-|$)/i.exec(tag) ?? [];
    // Other parts of a tag need not be what `Intl` accepts.
    if (own?.toLowerCase() === language)
      return country === undefined ? language : `${language}-${country.toUpperCase()}`;
  }
  return language;
}
