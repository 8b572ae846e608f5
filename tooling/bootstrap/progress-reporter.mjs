import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A vitest reporter that notes how far a run is, after each file, for `npm test` to print while it waits. */
export default class ProgressReporter {
  #files = 0;
  #filesEnded = 0;
  #states = { passed: 0, failed: 0, skipped: 0 };

  onTestRunStart(specifications) {
    this.#files = specifications.length;
    this.#note();
  }

  onTestCaseResult(test) {
    this.#states[test.result().state] += 1;
  }

  onTestModuleEnd() {
    this.#filesEnded += 1;
    this.#note();
  }

  #note() {
    const { TEST_PROGRESS_FOLDER: folder, npm_package_name: owner, npm_lifecycle_event: script = 'test' } = process.env;
    if (!folder) return;
    const { passed, failed } = this.#states;
    const task = owner === '@access-admin/repository' ? `//#${script}` : `${owner}#${script}`;
    const note = { process: process.pid, task, files: this.#files, filesEnded: this.#filesEnded, passed, failed };
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${process.pid}.json`);
    // Written whole: the reader comes at any time.
    writeFileSync(`${path}.new`, JSON.stringify(note));
    renameSync(`${path}.new`, path);
  }
}
