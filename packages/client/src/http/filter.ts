import { AccessAdminError } from '../errors.ts';

/** A value of a filter: a text, an instant, or the values of `in`. */
export type FilterValue = string | Date | readonly string[];

/**
 * Writes a filter whose values are quoted, whatever characters they contain: `` filter`name co ${name} and level in
 * ${['HIGH', 'CRITICAL']}` `` is `name co "R&D" and level in ("HIGH", "CRITICAL")`. Throws for an empty list.
 */
export function filter(texts: TemplateStringsArray, ...values: readonly FilterValue[]): string {
  return String.raw({ raw: texts }, ...values.map(formatValue));
}

function formatValue(value: FilterValue): string {
  if (typeof value === 'string') return quote(value);
  if (value instanceof Date) return quote(value.toISOString());
  if (value.length === 0) throw new AccessAdminError('The list of a filter needs at least one value');
  return `(${value.map(quote).join(', ')})`;
}

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
