import { definePageTexts } from '@access-admin/languages';

/** What the service says in place of the console, which has texts of its own. */
export const CONSOLE_TEXTS = definePageTexts({
  en: { 'no-file': 'The console has no such file: it may be of another version. Load the page again.' },
  de: {
    'no-file': 'Die Konsole hat keine solche Datei: Sie kann von einer anderen Version sein. Laden Sie die Seite neu.',
  },
  vi: { 'no-file': 'Bảng điều khiển không có tệp này: có thể tệp thuộc phiên bản khác. Hãy tải lại trang.' },
});
