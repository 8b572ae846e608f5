import type { Language } from './choose.ts';

/** The cookie that keeps the language that a person has chosen. The console and the pages of sign-in both read and write it. */
export const LANGUAGE_COOKIE = 'language';

const YEAR_SECONDS = 31_536_000;

export interface LanguageCookie {
  readonly language: Language;
  /** Whether the page is at https. */
  readonly isSecure: boolean;
  /** Whether a page of another window shows the page in a frame: browsers keep the cookie apart for each site that does. */
  readonly isFramed: boolean;
}

/** The cookie as `Set-Cookie` and `document.cookie` take it. Scripts may read it: it says nothing but the language. */
export function writeLanguageCookie({ language, isSecure, isFramed }: LanguageCookie): string {
  const place = isFramed ? 'SameSite=None; Secure; Partitioned' : `SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${YEAR_SECONDS}; ${place}`;
}

/** What the cookie has in the cookies of a page, as `document.cookie` names them; null without one. */
export function languageOfCookies(cookies: string): string | null {
  const found = cookies.split('; ').find((each) => each.startsWith(`${LANGUAGE_COOKIE}=`));
  return found?.slice(LANGUAGE_COOKIE.length + 1) ?? null;
}
