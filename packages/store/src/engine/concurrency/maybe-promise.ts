/** A value, or a promise of it when it is not in memory. A promise would cost more than the read from memory. */
export type MaybePromise<T> = T | Promise<T>;
