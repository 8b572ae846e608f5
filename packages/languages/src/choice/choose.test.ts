import { expect, test } from 'vitest';
import { chooseLanguage, localeOf } from './choose.ts';

test('the preference wins, then the first language of the browser that there is', () => {
  expect(chooseLanguage('vi', ['de'])).toBe('vi');
  expect(chooseLanguage('xx', ['fr-CH', 'de-CH', 'en'])).toBe('de');
  expect(chooseLanguage(null, ['fr'])).toBe('en');
  expect(chooseLanguage(null, ['DE-at'])).toBe('de');
});

test('a language is not taken for another whose name it begins with', () => {
  expect(chooseLanguage(null, ['den', 'vif', 'toString'])).toBe('en');
});

test('dates and numbers are written as in the country of the browser', () => {
  expect(localeOf('de', ['en-GB', 'de-CH', 'de'])).toBe('de-CH');
  expect(localeOf('en', ['en-gb-oxendict'])).toBe('en-GB');
  expect(localeOf('vi', ['en-GB'])).toBe('vi');
});

test.each(['de-x', 'de-de-de', 'de-u-nu', 'de-', 'de-1', 'de--', 'de-ZZ', `de-${'a'.repeat(5_000)}`])(
  'the tag %.12s makes a locale that Intl accepts',
  (tag) => {
    expect(() => new Intl.NumberFormat(localeOf('de', [tag]))).not.toThrow();
  },
);
