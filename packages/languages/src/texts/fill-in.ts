/** A text for each plural form that a language has. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** The values of a text; numbers are written as the language writes them. */
export type Values = Readonly<Record<string, string | number>>;

/** Fills the values in. The plural form is that of `count`. */
export const fillIn = (text: string | Plural, values: Values, language: string): string =>
  fillParts(text, values, language).join('');

/** The text between its values and the values, in order: for values that are no texts, such as markup. */
export function fillParts<Part>(
  text: string | Plural,
  values: Readonly<Record<string, Part | number>>,
  language: string,
): readonly (string | Part)[] {
  const form = typeof text === 'string' ? text : pickForm(text, values['count'], language);
  // Every second one is the name of a value.
  return form.split(/\{(\w+)\}/).map((each, at) => {
    if (at % 2 === 0) return each;
    const value = values[each];
    return typeof value === 'number' ? rulesOf(language).number.format(value) : (value ?? '');
  });
}

const pickForm = (plural: Plural, count: unknown, language: string): string =>
  plural[rulesOf(language).plural.select(Number(count ?? 0))] ?? plural.other;

interface Rules {
  readonly plural: Intl.PluralRules;
  readonly number: Intl.NumberFormat;
}

/** Locales come from browsers, so that more are not kept. */
const KNOWN_MAX = 64;
const known = new Map<string, Rules>();

/** The rules of a language. Making them takes longer than writing a hundred texts. */
function rulesOf(language: string): Rules {
  const found = known.get(language);
  if (found !== undefined) return found;
  const rules = { plural: new Intl.PluralRules(language), number: new Intl.NumberFormat(language) };
  if (known.size < KNOWN_MAX) known.set(language, rules);
  return rules;
}
