/** A text for each plural form that a language has. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** The values of a text; numbers are written as the language writes them. */
export type Values = Readonly<Record<string, string | number>>;

/** Fills the values in. The plural form is that of `count`. */
export function fillIn(text: string | Plural, values: Values, language: string): string {
  const form = typeof text === 'string' ? text : pickForm(text, values['count'], language);
  return form.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? rulesOf(language).number.format(value) : (value ?? '');
  });
}

const pickForm = (plural: Plural, count: string | number | undefined, language: string): string =>
  plural[rulesOf(language).plural.select(Number(count ?? 0))] ?? plural.other;

interface Rules {
  readonly plural: Intl.PluralRules;
  readonly number: Intl.NumberFormat;
}

const known = new Map<string, Rules>();

/** The rules of a language. Making them takes longer than writing a hundred texts. */
function rulesOf(language: string): Rules {
  const rules = known.get(language) ?? {
    plural: new Intl.PluralRules(language),
    number: new Intl.NumberFormat(language),
  };
  known.set(language, rules);
  return rules;
}
