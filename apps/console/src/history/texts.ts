import { definePageTexts } from '@access-admin/languages';

/** The text of the way to the history of something. */
export const HISTORY_TEXTS = definePageTexts({
  en: { history: 'History' },
  de: { history: 'Verlauf' },
  vi: { history: 'Lịch sử' },
});
