import { expect, test } from 'vitest';
import { languageOfCookies, writeLanguageCookie } from './cookie.ts';

test('the cookie is kept for a year, and in a frame apart for each site', () => {
  const cookie = { language: 'de', isSecure: false, isFramed: false } as const;
  expect(writeLanguageCookie(cookie)).toBe('language=de; Path=/; Max-Age=31536000; SameSite=Lax');
  expect(writeLanguageCookie({ ...cookie, isSecure: true })).toMatch(/; SameSite=Lax; Secure$/);
  expect(writeLanguageCookie({ ...cookie, isFramed: true })).toMatch(/; SameSite=None; Secure; Partitioned$/);
});

test('the cookie is found among others', () => {
  expect(languageOfCookies('a=b; language=vi; c=d')).toBe('vi');
  expect(languageOfCookies('a_language=vi')).toBeNull();
  expect(languageOfCookies('')).toBeNull();
});
