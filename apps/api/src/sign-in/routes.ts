import { isLanguage, writeLanguageCookie } from '@access-admin/languages';
import { Hono } from 'hono';
import type { PageEnv } from '../env.ts';
import { application } from './application.ts';
import { consolePathOf } from './console-path.ts';
import { enrolment } from './enrolment.ts';
import { link } from './link.ts';
import { login } from './login.ts';
import { page } from './mount.ts';
import { refusePage } from './pages/error-page.tsx';
import { LANGUAGE_PATH, redirectTo } from './pages/layout.tsx';
import { localPath } from './pages/own-path.ts';
import { textOf } from './pages/speech.ts';
import { PAGE_TEXTS } from './pages/texts.ts';
import { secondFactor } from './second-factor.ts';

/** The pages of sign-in. */
export const signIn = () =>
  new Hono<PageEnv>()
    .get('/', ...page('show-start'), async (c) => {
      const live = await c.env.services.sessions.find(c);
      return redirectTo(c, live === null ? '/login?to=%2F' : (consolePathOf(c, live) ?? '/account'));
    })
    // Keeps the language that a person has chosen in the browser, and shows the page again.
    .post(LANGUAGE_PATH, ...page('choose-language'), (c) => {
      const language = c.get('form')('language');
      if (!isLanguage(language))
        return refusePage(c, { type: 'MalformedBody', causes: [] }, { text: textOf(c, PAGE_TEXTS, 'refused.form') });
      const place = { isSecure: c.get('origin').startsWith('https:'), isFramed: c.get('isFramed') };
      c.header('set-cookie', writeLanguageCookie({ language, ...place }), { append: true });
      return redirectTo(c, localPath(c.get('form')('to')));
    })
    .route('/', login())
    .route('/', application())
    .route('/', secondFactor())
    .route('/', enrolment())
    .route('/', link());
