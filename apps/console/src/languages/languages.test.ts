import { expect, test } from 'vitest';
import { chooseLanguage, localeOf } from './choose.ts';
import type { PageTexts } from './page-texts.ts';
import { fillIn } from './translate.ts';

const placeholdersOf = (text: unknown) =>
  [...new Set([...JSON.stringify(text).matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].toSorted();

const PAGES = Object.entries(
  import.meta.glob<Readonly<Record<string, PageTexts<string>>>>('../**/texts.ts', { eager: true }),
);

test.each(PAGES.flatMap(([file, texts]) => Object.values(texts).map((each) => [file, each] as const)))(
  'the texts of %s have the keys, the values and the plural forms of each language',
  (_, { en, ...others }) => {
    for (const [language, texts] of Object.entries({ en, ...others })) {
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
      expect(Object.keys(texts).toSorted()).toEqual(Object.keys(en).toSorted());
      for (const [key, text] of Object.entries(texts)) {
        expect(placeholdersOf(text), key).toEqual(placeholdersOf(en[key]));
        if (typeof text !== 'string') expect(Object.keys(text).toSorted(), key).toEqual(forms);
      }
    }
  },
);

test('the preference wins, then the first language of the browser that there is', () => {
  expect(chooseLanguage('vi', ['de'])).toBe('vi');
  expect(chooseLanguage('xx', ['fr-CH', 'de-CH', 'en'])).toBe('de');
  expect(chooseLanguage(null, ['fr'])).toBe('en');
});

test('dates and numbers are written as in the country of the browser', () => {
  expect(localeOf('de', ['en-GB', 'de-CH', 'de'])).toBe('de-CH');
  expect(localeOf('vi', ['en-GB'])).toBe('vi');
});

test('values are written as the language writes them', () => {
  const count = { one: '{count} violation', other: '{count} violations' };
  expect(fillIn(count, { count: 1 }, 'en')).toBe('1 violation');
  expect(fillIn(count, { count: 1234 }, 'en')).toBe('1,234 violations');
  expect(fillIn('{count} Personen', { count: 1234 }, 'de')).toBe('1.234 Personen');
  expect(fillIn('{name} of {name}', { name: '{name}$&' }, 'en')).toBe('{name}$& of {name}$&');
});
