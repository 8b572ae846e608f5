/** The outcome of a decision: a value, or an expected failure. Bugs and broken infrastructure are thrown instead. */
export type Result<T, F> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: F };

/** Wraps a value as a success. */
export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

/** Wraps an expected failure. */
export const fail = <F>(failure: F): { readonly ok: false; readonly failure: F } => ({ ok: false, failure });
