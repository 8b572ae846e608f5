/** A part of an address that can only be one of some values; nothing for another one. */
export const pick = <K extends string, T>(key: K, known: readonly T[], value: unknown): { [key in K]?: T } => {
  const found = known.find((each) => each === value);
  return (found === undefined ? {} : { [key]: found }) as { [key in K]?: T };
};

/** A part of an address that is any text without NUL, which no text of the service has. Numbers are texts too: the router reads an address such as `?person=123` as one. */
export const textOf = <K extends string>(key: K, value: unknown): { [key in K]?: string } => {
  const text = typeof value === 'number' ? String(value) : value;
  return (typeof text === 'string' && text !== '' && !text.includes('\0') ? { [key]: text } : {}) as {
    [key in K]?: string;
  };
};

/** A text as names are sought: without differences of case and of accents. */
export const foldName = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase();
