/** An instant as a part of a file name. */
export const stampOf = (instant: Date): string => instant.toISOString().replace(/[-:.]/g, '');
