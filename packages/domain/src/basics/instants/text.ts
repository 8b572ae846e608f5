/** Returns the text of an instant in ms since 1970; that of the last one is kept, as many requests fall into one millisecond. */
export function createInstantText(): (timeMs: number) => string {
  let lastMs = Number.NaN;
  let text = '';
  return (timeMs) => {
    if (timeMs !== lastMs) {
      text = new Date(timeMs).toISOString();
      lastMs = timeMs;
    }
    return text;
  };
}
