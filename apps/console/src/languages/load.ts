import type { Language } from '@access-admin/languages';
import type { CommonTexts } from './texts.ts';

/** What reads the texts of each language: a browser loads those that it shows. */
export const CATALOGUES: Readonly<Record<Language, () => Promise<CommonTexts>>> = {
  en: async () => (await import('./texts.ts')).ENGLISH,
  de: async () => (await import('./german.ts')).GERMAN,
  vi: async () => (await import('./vietnamese.ts')).VIETNAMESE,
};

const loaded: Partial<Record<Language, CommonTexts>> = {};

/** Loads the texts of a language, so that they can be written. */
export async function loadLanguage(language: Language): Promise<void> {
  loaded[language] ??= await CATALOGUES[language]();
}

/** The texts of a language. Throws where it is not loaded. */
export function textsOf(language: Language): CommonTexts {
  const texts = loaded[language];
  if (texts === undefined) throw new Error(`the language ${language} is not loaded`);
  return texts;
}
