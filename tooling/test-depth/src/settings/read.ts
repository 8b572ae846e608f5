import { randomInt } from 'node:crypto';

export type Depth = 'reduced' | 'full';

export interface Settings {
  readonly depth: Depth;
  readonly seed: number;
  /** Null where depth decides. */
  readonly cases: number | null;
}

// The seeds of the campaigns have 32 bits.
const NUMBER_MAX = 0xffff_ffff;

/** Reads DEPTH, reduced by default, SEED, random by default, and CASES. Throws when one is malformed. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const depth = env['DEPTH'] || 'reduced';
  if (depth !== 'reduced' && depth !== 'full') throw new Error(`DEPTH must be reduced or full, not ${depth}.`);
  return {
    depth,
    seed: readNumber('SEED', env['SEED']) ?? randomInt(NUMBER_MAX),
    cases: readNumber('CASES', env['CASES']),
  };
}

function readNumber(name: string, text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0 && number <= NUMBER_MAX) return number;
  throw new Error(`${name} must be a whole number from 0 to ${NUMBER_MAX}, not ${text}.`);
}
