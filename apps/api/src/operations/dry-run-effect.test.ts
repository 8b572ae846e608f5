import { expect, test } from 'vitest';
import { createCheckDryRun } from './dry-run-effect.ts';

const query = [{ name: 'dryRun', description: '' }];
const withDryRun = createCheckDryRun({ method: 'PATCH', query });
const without = createCheckDryRun({ method: 'POST' });
const read = createCheckDryRun({ method: 'GET' });

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
  const target = `/things/v1${given}`;
  expect([withDryRun({ target }).ok, without({ target }).ok]).toEqual([isAccepted, isAcceptedWithout]);
  expect(read({ target }).ok).toBe(true);
});
