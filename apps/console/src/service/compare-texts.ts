/** Compares texts in code-unit order. */
export const compareTexts = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
