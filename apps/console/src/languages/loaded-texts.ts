import { fillIn, type Language, type Plural, type Values } from '@access-admin/languages';
import { use } from 'react';
import { useSpeech } from './context.tsx';

type Texts<Key extends string> = Readonly<Record<Key, string | Plural>>;

/** Texts that a browser loads in the language that it shows; those of a page are loaded in all. */
export type LoadedTexts<Key extends string> = (language: Language) => Promise<Texts<Key>>;

/** Declares texts with what loads them in each language. */
export function defineLoadedTexts<Key extends string>(
  load: Readonly<Record<Language, () => Promise<Texts<Key>>>>,
): LoadedTexts<Key> {
  const loading: Partial<Record<Language, Promise<Texts<Key>>>> = {};
  return (language) => (loading[language] ??= load[language]());
}

/** Writes loaded texts; suspends until they are there. */
export function useLoadedTexts<Key extends string>(texts: LoadedTexts<Key>): (key: Key, values?: Values) => string {
  const { language, locale } = useSpeech();
  const loaded = use(texts(language));
  return (key, values = {}) => fillIn(loaded[key], values, locale);
}
