import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';

/** One sort key of a list. */
export interface Sorter<F extends string> {
  readonly field: F;
  readonly descends: boolean;
}

/**
 * Parses sorters such as `name,-created`: known fields, each at most once, with `-` for descending order.
 * `IllegalValue` for anything else.
 */
export function parseSorters<F extends string>(
  text: string,
  fields: readonly F[],
): Result<readonly Sorter<F>[], Failure> {
  const sorters: Sorter<F>[] = [];
  for (const part of text.split(',')) {
    const [, minus, name] = /^\s*(-?)([\w.]+)\s*$/.exec(part) ?? [];
    const field = fields.find((known) => known === name);
    if (field === undefined || sorters.some((sorter) => sorter.field === field))
      return fail(
        failure(
          'IllegalValue',
          'sorters',
          `must be one or more of ${fields.join(', ')}, each once, joined by commas; - in front of one sorts in descending order`,
        ),
      );
    sorters.push({ field, descends: minus === '-' });
  }
  return ok(sorters);
}
