import { DEPTH, SEED } from '../index.ts';

/** Prints depth and seed at the start of a vitest run. */
export function setup(): void {
  process.stderr.write(`DEPTH=${DEPTH} SEED=${SEED}\n`);
}
