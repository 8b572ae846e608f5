/** The time of the browser, in milliseconds since 1970. */
export const readNowMs = (): number => Date.now();
