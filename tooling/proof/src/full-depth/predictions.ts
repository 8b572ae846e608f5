import type { Campaign } from '../campaign/campaign.ts';
import { runControls, runTests } from './run-tests.ts';

const FILES = ['packages/domain/test/every-form-against-oracle.test.ts'];

/** P1: predictions and checks equal brute force. */
export const predictions: Campaign = {
  id: 'P1',
  title: 'predictions and checks against brute force over the rules',
  unit: 'cases',
  full: 1_000_000,
  short: 50_000,
  // The rules use no database.
  engines: ['sqlite'],
  run: (run) => runTests(run, FILES),
  control: (run) => runControls(run, FILES),
};
