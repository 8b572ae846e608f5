import { redirectTo } from '../../pages/layout.ts';
import type { Pages } from '../../pages/mount.ts';
import { ownPath } from '../../pages/own-path.ts';
import { loginPage } from './login-page.ts';

/** Adds the pages of sign-in. */
export function mountSignIn(pages: Pages): void {
  pages.add('GET', '/', { name: 'show-start', handle: () => redirectTo(loginPath('/')) });
  pages.add('GET', '/login', {
    name: 'show-login',
    handle: ({ metadata, query, isFramed }) =>
      loginPage({ metadata, isFramed, applications: [], to: ownPath(query.get('to')) }),
  });
}

/** The sign-in page, which leads on to an own path. */
const loginPath = (to: string): string => `/login?to=${encodeURIComponent(to)}`;
