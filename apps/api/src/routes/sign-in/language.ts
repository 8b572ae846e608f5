import { isLanguage, writeLanguageCookie } from '@access-admin/languages';
import type { PageHandler } from '../../sign-in/pages/context.ts';
import { refusePage } from '../../sign-in/pages/error-page.tsx';
import { redirectTo } from '../../sign-in/pages/layout.tsx';
import { localPath } from '../../sign-in/pages/own-path.ts';
import { textOf } from '../../sign-in/pages/speech.ts';
import { PAGE_TEXTS } from '../../sign-in/pages/texts.ts';

/** POST /language: keeps the language that a person has chosen in the browser, and shows the page again. */
export const postLanguage: PageHandler = (c) => {
  const language = c.get('form')('language');
  if (!isLanguage(language))
    return refusePage(c, { type: 'MalformedBody', causes: [] }, { text: textOf(c, PAGE_TEXTS, 'refused.form') });
  const place = { isSecure: c.get('origin').startsWith('https:'), isFramed: c.get('isFramed') };
  c.header('set-cookie', writeLanguageCookie({ language, ...place }), { append: true });
  return redirectTo(c, localPath(c.get('form')('to')));
};
