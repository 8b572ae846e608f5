import type { Plural } from './fill-in.ts';
import type { PageTexts } from './page-texts.ts';

/**
 * Finds what is wrong with a catalogue of texts: keys that a language lacks or has alone, placeholders that differ from the
 * English ones, and plural forms that are not those of the language. Tests of catalogues call it.
 */
export function findTextFaults(texts: PageTexts<string>): readonly string[] {
  const { en } = texts;
  return Object.entries(texts).flatMap(([language, own]) => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const lacking = Object.keys(en).filter((key) => !Object.hasOwn(own, key));
    const faults = Object.entries(own).flatMap(([key, text]) => {
      const english = en[key];
      if (english === undefined) return [`${key} is superfluous`];
      return [
        ...(listed(valuesOf(text)) === listed(valuesOf(english)) ? [] : [`${key} has other values`]),
        ...(typeof text === 'string' || listed(Object.keys(text)) === listed(forms) ? [] : [`${key} has other forms`]),
        ...(textsOf(text).includes('') ? [`${key} is empty`] : []),
      ];
    });
    return [...lacking.map((key) => `${key} is missing`), ...faults].map((fault) => `${language}: ${fault}`);
  });
}

const textsOf = (text: string | Plural): readonly string[] => (typeof text === 'string' ? [text] : Object.values(text));

const valuesOf = (text: string | Plural): readonly string[] => [
  ...new Set(textsOf(text).flatMap((each) => [...each.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''))),
];

const listed = (names: readonly string[]): string => names.toSorted().join();
