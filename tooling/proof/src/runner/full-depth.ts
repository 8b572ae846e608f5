import type { Campaign } from '../campaign/campaign.ts';
import { runControls, runTests } from './run-tests.ts';

interface TestedPromise extends Omit<Campaign, 'run' | 'control'> {
  readonly files: readonly string[];
}

/** A campaign that runs tests of a package with many more cases, and their controls. */
const atFullDepth = ({ files, ...campaign }: TestedPromise): Campaign => ({
  ...campaign,
  run: (run) => runTests(run, files),
  control: (run) => runControls(run, files),
});

/** P1: predictions and checks equal brute force. */
export const predictions = atFullDepth({
  id: 'P1',
  title: 'predictions and checks against brute force over the rules',
  unit: 'cases',
  full: 1_000_000,
  short: 5_000,
  // The rules use no database.
  engines: ['sqlite'],
  files: ['packages/domain/test/every-form-against-oracle.test.ts'],
});

/** P2: patches follow RFC 6902 and change nothing but their result. */
export const patches = atFullDepth({
  id: 'P2',
  title: 'patches against the public RFC 6902 suite and a plain reading of it',
  unit: 'cases',
  full: 1_000_000,
  short: 5_000,
  // Patches use no database.
  engines: ['sqlite'],
  files: ['packages/domain/test/json-patch-differential.test.ts', 'packages/domain/test/json-patch-suite.test.ts'],
});

/** A1: calls that the table of rights lists are allowed, and all others are refused. */
export const rightsMatrix = atFullDepth({
  id: 'A1',
  title: 'every set of capabilities and scopes at every operation, on own and foreign resources',
  unit: 'calls',
  // More than the whole matrix has.
  full: 100_000,
  short: 500,
  engines: ['sqlite', 'postgres'],
  files: ['apps/api/test/rights-matrix/rights-matrix.test.ts'],
});

/** R1: the register, its events, scans and brute force are the same. */
export const registerHistories = atFullDepth({
  id: 'R1',
  title: 'random histories of small worlds: register, replayed events, scan and brute force after each step',
  unit: 'worlds',
  full: 5_000,
  // `npm test` plays four others.
  short: 8,
  engines: ['sqlite', 'postgres'],
  files: ['apps/worker/test/register.test.ts'],
});
