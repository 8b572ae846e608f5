/** A text for each plural form that a language has. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** The values of a text; numbers are written as the language writes them. */
export type Values = Readonly<Record<string, string | number>>;

/** Fills the values in. The plural form is that of `count`. */
export function fillIn(text: string | Plural, values: Values, language: string): string {
  const form = typeof text === 'string' ? text : pickForm(text, values['count'], language);
  return form.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : (value ?? '');
  });
}

const pickForm = (plural: Plural, count: string | number | undefined, language: string): string =>
  plural[new Intl.PluralRules(language).select(Number(count ?? 0))] ?? plural.other;
