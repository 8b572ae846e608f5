import {
  chooseLanguage,
  fillIn,
  fillParts,
  isLanguage,
  LANGUAGE_COOKIE,
  type Language,
  localeOf,
  type PageTexts,
  type Values,
} from '@access-admin/languages';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { Child } from 'hono/jsx';
import { parseAccept } from 'hono/utils/accept';
import type { PageEnv, RequestContext } from '../../env.ts';

/** Writes the texts of one catalogue. */
export interface Texts<Key extends string> {
  readonly text: (key: Key, values?: Values) => string;
  /** A text whose values are elements, such as a name in bold. */
  readonly rich: (key: Key, values: Readonly<Record<string, Child>>) => Child;
}

/** Writes texts and times in the language of a page. */
export interface Speech {
  readonly language: Language;
  readonly of: <Key extends string>(texts: PageTexts<Key>) => Texts<Key>;
  /** An instant in UTC, to the minute. */
  readonly moment: (iso: string) => string;
}

/** The speech of a request: in the language that the browser keeps as chosen, else in one that it accepts, else in English. */
export function speechOf(c: RequestContext): Speech {
  const accepted = acceptedLanguages(c.req.header('accept-language') ?? '');
  const language = chooseLanguage(chosenLanguage(c), accepted);
  return createSpeech(language, localeOf(language, accepted));
}

const chosenLanguage = (c: RequestContext): Language | null => {
  const kept = getCookie(c, LANGUAGE_COOKIE) ?? null;
  return isLanguage(kept) ? kept : null;
};

/** A browser names some ten languages; what follows is not read. */
const TAGS_MAX = 32;
const HEADER_LENGTH_MAX = 1024;

/** The languages that a browser accepts, the preferred ones first. One of quality 0 is refused. */
export const acceptedLanguages = (header: string): readonly string[] =>
  parseAccept(header.slice(0, HEADER_LENGTH_MAX))
    .filter(({ q }) => q > 0)
    .slice(0, TAGS_MAX)
    .map(({ type }) => type);

/** One text in the language of a page. */
export const textOf = <Key extends string>(
  c: Context<PageEnv>,
  texts: PageTexts<Key>,
  key: Key,
  values: Values = {},
): string => c.get('speech').of(texts).text(key, values);

/** Writes in a language, with numbers and times as in the country of the locale. */
export const createSpeech = (language: Language, locale: string = language): Speech => ({
  language,
  of: (texts) => ({
    text: (key, values = {}) => fillIn(texts[language][key], values, locale),
    rich: (key, values) => [...fillParts<Child>(texts[language][key], values, locale)],
  }),
  moment: (iso) => timesOf(locale).format(new Date(iso)),
});

const timesOf = (locale: string) =>
  new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  });
