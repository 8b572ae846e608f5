import { writeFileSync } from 'node:fs';

/** A vitest reporter that also counts a file that does not load, and an error outside of any test, as a failure. */
export default class CountReporter {
  onTestRunEnd(modules, errors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state) => tests.filter((test) => test.result().state === state);
    const brokenModules = modules.filter((module) => module.errors().length > 0).length;
    const brokenSuites = modules
      .flatMap((module) => [...module.children.allSuites()])
      .filter((suite) => suite.errors().length > 0).length;
    const unfinished = inState('pending').length;
    const report = {
      passed: inState('passed').length,
      failed: inState('failed').length + brokenModules + brokenSuites + unfinished + errors.length,
      skipped: inState('skipped').map((test) => ({
        name: `${test.module.relativeModuleId} > ${test.fullName}`,
        reason: test.result().note ?? 'no reason given',
      })),
    };
    writeFileSync(process.env.TEST_REPORT_FILE, JSON.stringify(report));
  }
}
