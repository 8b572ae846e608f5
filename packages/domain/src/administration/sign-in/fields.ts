import { failure, type IllegalValue } from '../../basics/result/failure.ts';
import { fail, ok, type Result } from '../../basics/result/result.ts';

/** The bounds of a whole number. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Parses a whole number within bounds. Fails with `IllegalValue` at the name of the property. */
export function parseWithin(value: unknown, at: string, { min, max }: Bounds): Result<number, IllegalValue> {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
    ? ok(value)
    : fail(failure('IllegalValue', at, `must be a whole number from ${min} to ${max}`));
}

/** Parses a boolean. Fails with `IllegalValue` at the name of the property. */
export const parseFlag = (value: unknown, at: string): Result<boolean, IllegalValue> =>
  typeof value === 'boolean' ? ok(value) : fail(failure('IllegalValue', at, 'must be a boolean'));
