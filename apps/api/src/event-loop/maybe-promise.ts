import { ok, type Result } from '@access-admin/domain';

/** A value or a promise of it: on the hottest path, awaiting an available value costs more than the work. */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` with a value, at once if it is available. */
export const whenReady = <T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> =>
  value instanceof Promise ? value.then(next) : next(value);

/** Continues a success with the next step, at once if the result is available; a failure is passed on. */
export const chain = <T, F, U, G>(
  result: MaybePromise<Result<T, F>>,
  next: (value: T) => MaybePromise<Result<U, G>>,
): MaybePromise<Result<U, F | G>> =>
  whenReady<Result<T, F>, Result<U, F | G>>(result, (settled) => (settled.ok ? next(settled.value) : settled));

/** The success of a check that yields no value. */
export const OK: Result<null, never> = ok(null);
