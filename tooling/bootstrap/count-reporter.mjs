import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A vitest reporter that writes the counts of a run, for `npm test` to add up. A file that does not load, and an error outside of any test, count as failures. */
export default class CountReporter {
  onTestRunEnd(modules, errors) {
    const { TEST_REPORT_FOLDER: folder, npm_lifecycle_event: script = 'test' } = process.env;
    if (!folder) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, reportName(script)), JSON.stringify(countAll(modules, errors)));
  }
}

/** The name of the report of a script of a package. */
export const reportName = (script) => `${script.replace(':', '-')}.json`;

function countAll(modules, errors) {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const inState = (state) => tests.filter((test) => test.result().state === state);
  const suites = modules.flatMap((module) => [...module.children.allSuites()]);
  return {
    passed: inState('passed').length,
    failed: [
      ...inState('failed').map((test) => describe(nameOf(test), test.result().errors)),
      ...inState('pending').map((test) => describe(nameOf(test), [{ message: 'has not ended' }])),
      ...suites.filter(isBroken).map((suite) => describe(nameOf(suite), suite.errors())),
      ...modules.filter(isBroken).map((module) => describe(module.relativeModuleId, module.errors())),
      ...errors.map((error) => describe('outside of any test', [error])),
    ],
    skipped: inState('skipped').map((test) =>
      describe(nameOf(test), [{ message: test.result().note ?? 'no reason given' }]),
    ),
  };
}

const REASON_CHARACTERS_MAX = 600;

const isBroken = (part) => part.errors().length > 0;
const nameOf = (part) => `${part.module.relativeModuleId} > ${part.fullName}`;

/** The reason is one line. */
const describe = (name, errors) => ({
  name,
  reason: errors
    .map(({ message }) => message)
    .join('; ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, REASON_CHARACTERS_MAX),
});
