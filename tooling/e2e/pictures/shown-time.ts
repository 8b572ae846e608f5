/** The time that pictures show, in the processes and in the browser. */
export const SHOWN_MS = Date.parse('2026-11-23T09:30:00Z');
