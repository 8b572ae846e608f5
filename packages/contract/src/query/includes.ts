import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';

/**
 * Parses the values of `include`, such as `via,remediation`: known words joined by commas, each at most once, in one
 * parameter. Returns them in the order of `words`. `IllegalValue` for anything else.
 */
export function parseIncludes<W extends string>(
  values: readonly string[],
  words: readonly W[],
): Result<readonly W[], Failure> {
  if (values.length === 0) return ok([]);
  const given = values.flatMap((value) => value.split(','));
  const includes = words.filter((word) => given.includes(word));
  return values.length === 1 && includes.length === given.length
    ? ok(includes)
    : fail(
        failure(
          'IllegalValue',
          'include',
          `must be given once, with one or more of ${words.join(', ')}, joined by commas`,
        ),
      );
}
