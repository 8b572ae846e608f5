/** A number from 0 to below 1, of the browser. */
export const readRandom = (): number => Math.random();
