import { expect, test } from 'vitest';
import { findDryRunFault } from './dry-run.ts';

test.each([
  ['', true, true],
  ['?', true, true],
  ['?limit=1', true, true],
  ['?dryRun=true', true, false],
  ['?dryRun', true, false],
  ['?dryRun=', true, false],
  ['?dryRun=1&dryRun=false', true, false],
  ['?dryRun=false', true, true],
  ['?ip=::1&dryRun=true', true, false],
  ['?dry%52un=true', true, false],
  ['?dryrun=true', false, false],
  ['?dry_run=true', false, false],
  ['?DRY-RUN=false', false, false],
  ['?dryRunner=true', true, true],
])('%j is accepted by an operation with a dry-run: %s, without one: %s', (given, isAccepted, isAcceptedWithout) => {
  const query = new URLSearchParams(given);
  expect([findDryRunFault(query, true) === null, findDryRunFault(query, false) === null]).toEqual([
    isAccepted,
    isAcceptedWithout,
  ]);
});
