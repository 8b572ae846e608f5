/** The colors that a person prefers. */
export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

const THEME_KEY = 'console.theme';
const LANGUAGE_KEY = 'console.language';

/** Preferences: the only thing that the console keeps in a browser. */
export interface Preferences {
  readonly theme: Theme;
  /** Null for that of the browser. */
  readonly language: string | null;
}

/** Reads the preferences; defaults where the browser keeps nothing. */
export function readPreferences(): Preferences {
  try {
    const theme = THEMES.find((each) => each === localStorage.getItem(THEME_KEY)) ?? 'system';
    return { theme, language: localStorage.getItem(LANGUAGE_KEY) };
  } catch {
    return { theme: 'system', language: null };
  }
}

/** Keeps the preferences, where the browser keeps anything. */
export function keepPreferences({ theme, language }: Preferences): void {
  try {
    localStorage.setItem(THEME_KEY, theme);
    if (language !== null) localStorage.setItem(LANGUAGE_KEY, language);
  } catch {
    // The browser keeps nothing for this page.
  }
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
