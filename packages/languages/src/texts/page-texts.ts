import type { Language } from '../choice/choose.ts';
import type { Plural } from './fill-in.ts';

/** The texts of one page in all languages, loaded with the page; the keys are those of the English ones. */
export type PageTexts<Key extends string> = Readonly<Record<Language, Readonly<Record<Key, string | Plural>>>>;

/** Declares the texts of a page, each language with the same keys. */
export const definePageTexts = <Key extends string>(texts: PageTexts<Key>): PageTexts<Key> => texts;

/** The key of a text. */
export type KeyOf<Texts> = Texts extends PageTexts<infer Key> ? Key : never;
