import type { Campaign } from '../campaign/campaign.ts';
import { runControls, runTests } from './run-tests.ts';

const DIFFERENTIAL = 'packages/domain/test/json-patch-differential.test.ts';

/** P2: patches follow RFC 6902 and change nothing but their result. */
export const patches: Campaign = {
  id: 'P2',
  title: 'patches against the public RFC 6902 suite and a plain reading of it',
  unit: 'cases',
  full: 1_000_000,
  short: 50_000,
  // Patches use no database.
  engines: ['sqlite'],
  run: (run) => runTests(run, [DIFFERENTIAL, 'packages/domain/test/json-patch-suite.test.ts']),
  control: (run) => runControls(run, [DIFFERENTIAL]),
};
