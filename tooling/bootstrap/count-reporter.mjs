import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A vitest reporter that writes the counts of a run, for `npm test` to add up. A file that does not load, a setup that fails, and an
 * error outside of any test, count as failures.
 */
export default class CountReporter {
  #files = 0;

  onTestRunStart(specifications) {
    this.#files = specifications.length;
  }

  onTestRunEnd(modules, errors) {
    const { TEST_REPORT_FOLDER: folder, npm_lifecycle_event: script = 'test' } = process.env;
    if (!folder) return;
    mkdirSync(folder, { recursive: true });
    const counts = countAll(modules, errors);
    // Vitest prints the error of a global setup once this report is written.
    const isSetUp = modules.length > 0 || errors.length > 0;
    const failed = isSetUp ? counts.failed : [{ name: 'the setup of the run', reason: this.#reasonOfNone() }];
    writeFileSync(join(folder, reportName(script)), JSON.stringify({ ...counts, failed }));
  }

  #reasonOfNone() {
    return this.#files === 0
      ? 'no file was found'
      : `failed before the first of ${this.#files} files; its output has the error`;
  }
}

/** The name of the report of a script of a package. */
export const reportName = (script) => `${script.replace(':', '-')}.json`;

function countAll(modules, errors) {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const inState = (state) => tests.filter((test) => test.result().state === state);
  const broken = modules.flatMap((module) => [...module.children.allSuites(), module]).filter(isBroken);
  return {
    passed: inState('passed').length,
    failed: [
      ...inState('failed').map((test) => describe(nameOf(test), test.result().errors)),
      ...inState('pending').map((test) => describe(nameOf(test), [{ message: 'has not ended' }])),
      ...broken.map((part) => describe(nameOf(part), part.errors(), prefixOf(part))),
      ...errors.map((error) => describe('outside of any test', [error])),
    ],
    skipped: inState('skipped')
      .filter((test) => !hasFailedSetup(test))
      .map((test) => describe(nameOf(test), [{ message: test.result().note ?? 'no reason given' }])),
  };
}

const REASON_CHARACTERS_MAX = 600;

const isBroken = (part) => part.errors().length > 0;
const nameOf = (part) =>
  part.type === 'module' ? part.relativeModuleId : `${part.module.relativeModuleId} > ${part.fullName}`;

/** Whether a test did not run since the setup of its file, or of a group that it is in, failed. */
function hasFailedSetup(test) {
  if (test.result().note !== undefined || test.options.mode !== 'run') return false;
  for (let part = test.parent; part !== undefined; part = part.parent) if (isBroken(part)) return true;
  return false;
}

function prefixOf(part) {
  const left = [...part.children.allTests()].filter(
    (test) => test.result().state === 'skipped' && hasFailedSetup(test),
  );
  return left.length > 0 ? `its setup failed, ${left.length} tests did not run: ` : '';
}

/** The reason is one line. */
const describe = (name, errors, prefix = '') => ({
  name,
  reason: `${prefix}${errors.map(({ message }) => message).join('; ')}`
    .replaceAll(/\s+/g, ' ')
    .slice(0, REASON_CHARACTERS_MAX),
});
