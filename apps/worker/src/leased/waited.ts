/** How long something has waited since an instant in ISO 8601; clocks of other machines may be ahead. */
export const waitedMs = (since: string, nowMs: number): number => Math.max(0, nowMs - Date.parse(since));
