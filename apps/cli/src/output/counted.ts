/** A number of things in words, such as `1 record` and `2,000 records`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** The first ten of some texts, and how many more there are. */
export const shortened = (texts: readonly string[], count = texts.length): string =>
  count <= 10 ? texts.join(', ') : `${texts.slice(0, 10).join(', ')} and ${(count - 10).toLocaleString('en-US')} more`;
