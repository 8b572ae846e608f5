import canonicalize from 'canonicalize';

/**
 * The canonical text of a JSON value (RFC 8785): members sorted by code units, no spaces, ECMAScript's numbers and strings.
 * Undefined members are left out. Throws for what has no canonical form: a lone surrogate, NaN and the infinities.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('The value has no form in JSON.');
  return text;
}
