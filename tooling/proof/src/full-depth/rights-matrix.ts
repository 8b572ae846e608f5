import type { Campaign } from '../campaign/campaign.ts';
import { runControls, runTests } from './run-tests.ts';

const FILES = ['apps/api/test/rights-matrix/rights-matrix.test.ts'];

/** A1: calls that the table of rights lists are allowed, and all others are refused. */
export const rightsMatrix: Campaign = {
  id: 'A1',
  title: 'every set of capabilities and scopes at every operation, on own and foreign resources',
  unit: 'calls',
  // More than the whole matrix has.
  full: 100_000,
  short: 1_500,
  engines: ['sqlite', 'postgres'],
  run: (run) => runTests(run, FILES),
  control: (run) => runControls(run, FILES),
};
