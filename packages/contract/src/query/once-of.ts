import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';

/** The value of a query parameter, null without one. `IllegalValue` if it is given more than once. */
export function onceOf(query: URLSearchParams, name: string): Result<string | null, Failure> {
  const values = query.getAll(name);
  return values.length > 1 ? fail(failure('IllegalValue', name, 'must be given once')) : ok(values[0] ?? null);
}
