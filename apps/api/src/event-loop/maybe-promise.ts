import { ok, type Result } from '@access-admin/domain';

/** There already, or to be waited for: on the hottest path a wait for what is there costs more than the work. */
export type Soon<T> = T | Promise<T>;

/** Goes on with what a step found, without a wait where it is there; a failure ends the way. */
export function chain<T, F, U, G>(
  soon: Soon<Result<T, F>>,
  next: (value: T) => Soon<Result<U, G>>,
): Soon<Result<U, F | G>> {
  const go = (result: Result<T, F>): Soon<Result<U, F | G>> => (result.ok ? next(result.value) : result);
  return soon instanceof Promise ? soon.then(go) : go(soon);
}

/** The step that lets everybody pass. */
export const NOTHING: Result<null, never> = ok(null);
