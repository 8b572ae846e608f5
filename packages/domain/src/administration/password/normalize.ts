// A character of NFKC may come from several code units, but no accepted password comes from more than these.
const CODE_UNITS_MAX = 1_024;

/** A password in NFKC; null for a text that no password has: lone surrogates, NUL, or very many characters. */
export const normalizePassword = (password: string): string | null =>
  password.length <= CODE_UNITS_MAX && password.isWellFormed() && !password.includes('\0')
    ? password.normalize('NFKC')
    : null;
