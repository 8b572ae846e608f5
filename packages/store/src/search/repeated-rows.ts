import { CompiledQuery } from 'kysely';

/**
 * The text of a statement with so many rows, made once for each number of them, which answers rows of `Answered`. Kysely would
 * compile each value on its own.
 */
export function createRepeatedRows<Answered = unknown>(
  textOf: (rows: string) => string,
  { width, isNumbered }: { readonly width: number; readonly isNumbered: boolean },
): (values: readonly unknown[]) => CompiledQuery<Answered> {
  const texts = new Map<number, string>();
  const makeText = (count: number): string => {
    const placeholder = (at: number) => (isNumbered ? `$${at + 1}` : '?');
    const row = (first: number) => Array.from({ length: width }, (_, at) => placeholder(first + at)).join(', ');
    const text = textOf(Array.from({ length: count }, (_, at) => `(${row(at * width)})`).join(', '));
    texts.set(count, text);
    return text;
  };
  return (values) => {
    const count = values.length / width;
    return CompiledQuery.raw(texts.get(count) ?? makeText(count), [...values]);
  };
}
