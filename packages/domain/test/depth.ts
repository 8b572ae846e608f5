/** Cases of a property test that campaigns run at full depth: `CASES` of the environment, or by `DEPTH`. */
export const CASES = Number(process.env['CASES'] ?? (process.env['DEPTH'] === 'full' ? 1_000_000 : 2_000));

/** `SEED` of the environment repeats what was drawn. */
export const SEED = Number(process.env['SEED'] ?? 11);

/** Meta data of a test, for whoever runs it from outside. */
export interface WithCounts {
  counts?: Readonly<Record<string, number>>;
}
