import { defineLoadedTexts } from '../../languages/loaded-texts.ts';
import type { SentenceTexts } from './english.ts';

/** Sentences of the audit log. */
export const SENTENCE_TEXTS = defineLoadedTexts<keyof SentenceTexts>({
  en: async () => (await import('./english.ts')).ENGLISH,
  de: async () => (await import('./german.ts')).GERMAN,
  vi: async () => (await import('./vietnamese.ts')).VIETNAMESE,
});
