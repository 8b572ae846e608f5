import { isLanguage, type Language, languageOfCookies, writeLanguageCookie } from '@access-admin/languages';

/** The colors that a person prefers. */
export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

const THEME_KEY = 'console.theme';

/** Preferences: the only thing that the console keeps in a browser. The language is in a cookie, which the pages of sign-in follow too. */
export interface Preferences {
  readonly theme: Theme;
  /** Null for that of the browser. */
  readonly language: string | null;
}

/** Reads the preferences; defaults where the browser keeps nothing. */
export function readPreferences(): Preferences {
  return { theme: readTheme(), language: languageOfCookies(document.cookie) };
}

function readTheme(): Theme {
  try {
    return THEMES.find((each) => each === localStorage.getItem(THEME_KEY)) ?? 'system';
  } catch {
    return 'system';
  }
}

/** Keeps the preferences, where the browser keeps anything. */
export function keepPreferences({ theme, language }: Preferences): void {
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // The browser keeps nothing for this page.
  }
  if (isLanguage(language)) keepLanguage(language);
}

function keepLanguage(language: Language): void {
  const isSecure = location.protocol === 'https:';
  // biome-ignore lint/suspicious/noDocumentCookie: older browsers lack the Cookie Store API, as do all at plain http.
  document.cookie = writeLanguageCookie({ language, isSecure, isFramed: window.parent !== window });
}

const prefersDark = () => matchMedia('(prefers-color-scheme: dark)');

/** Shows the page in these colors. Returns what ends following the device. */
export function applyTheme(theme: Theme): () => void {
  const dark = prefersDark();
  const apply = () => {
    const shown = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme;
    document.documentElement.dataset['theme'] = shown;
  };
  apply();
  dark.addEventListener('change', apply);
  return () => dark.removeEventListener('change', apply);
}
