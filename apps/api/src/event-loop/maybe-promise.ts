/** A value or a promise of it: on the hottest path, awaiting an available value costs more than the work. */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` with a value, at once if it is available. */
export const whenReady = <T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> =>
  value instanceof Promise ? value.then(next) : next(value);
