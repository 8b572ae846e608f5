import type { Reporter, TestCase } from 'vitest/node';
import { DEPTH, SEED } from '../index.ts';

/** Prints for each failed test the command that repeats it with the same random cases. */
export default class FailureReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (test.result().state !== 'failed') return;
    const path = test.module.relativeModuleId;
    process.stderr.write(`${test.fullName}\n  repeat: DEPTH=${DEPTH} SEED=${SEED} npm test -- ${path}\n`);
  }
}
