import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';

/** One of the fields that a list is sorted by, the first one first. */
export interface Sorter<F extends string> {
  readonly field: F;
  readonly descends: boolean;
}

/** Reads sorters such as `name,-created`: known fields, each at most once, `-` before those that descend. `IllegalValue` for anything else. */
export function parseSorters<F extends string>(
  text: string,
  fields: readonly F[],
): Result<readonly Sorter<F>[], Failure> {
  const sorters: Sorter<F>[] = [];
  for (const part of text.split(',')) {
    const [, minus, name] = /^\s*(-?)(\w+)\s*$/.exec(part) ?? [];
    const field = fields.find((known) => known === name);
    if (field === undefined || sorters.some((sorter) => sorter.field === field))
      return fail(failure('IllegalValue', 'sorters', `are some of ${fields.join(', ')}, each once, with - to descend`));
    sorters.push({ field, descends: minus === '-' });
  }
  return ok(sorters);
}
