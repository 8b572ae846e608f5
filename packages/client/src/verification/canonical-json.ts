/** The canonical text of a JSON value (RFC 8785). Undefined members are left out. Throws for a lone surrogate. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`)
      .join()}}`;
  // `isWellFormed` is younger than the oldest browsers.
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) throw new TypeError('half of a surrogate pair');
  return JSON.stringify(value);
}
