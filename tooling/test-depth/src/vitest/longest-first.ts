import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, mostly by waiting: begun late, each would be the last one, beside idle cores. */
const LONGEST = [
  'tooling/generators/generators.test.ts',
  'tooling/e2e/npm-start.test.ts',
  'tooling/e2e/production.test.ts',
  'tooling/e2e/console/live.test.ts',
  'tooling/e2e/several-processes.test.ts',
  'tooling/e2e/groups.test.ts',
  'tooling/e2e/packed.test.ts',
  'tooling/e2e/operations.test.ts',
  'tooling/e2e/backup.test.ts',
];

/** Runs the files that take longest first, and the others as vitest orders them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => rankOf(left) - rankOf(right));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((path) => moduleId.endsWith(path));
  return rank === -1 ? LONGEST.length : rank;
}
