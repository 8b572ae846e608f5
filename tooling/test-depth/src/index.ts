import { createCounts } from './settings/counts.ts';
import { readSettings } from './settings/read.ts';

const settings = readSettings(process.env);

// Worker processes of a test run inherit the drawn seed.
process.env['SEED'] = String(settings.seed);

export const { depth: DEPTH, seed: SEED } = settings;
export const { atDepth, cases, coverage, runs, sample, seeds } = createCounts(settings);
