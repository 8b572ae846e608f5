import { expect, test } from 'vitest';
import { FILES, PACKAGES } from './repository.ts';

/** Their tests need everything that is built: the root has the tasks that run them, and `.ci/run` that of generators. */
const RUN_BY_ROOT = ['tooling/checks', 'tooling/e2e', 'tooling/generators', 'tooling/harness'];

const lacking = (script: string, folders: readonly string[]) =>
  folders.filter((folder) => PACKAGES.get(folder)?.scripts?.[script] === undefined);

test('every package has a task that checks its types', () => {
  expect(lacking('types', [...PACKAGES.keys()])).toEqual([]);
});

test('every package with tests has a task that runs them', () => {
  const tested = [...PACKAGES.keys()].filter(
    (folder) =>
      !RUN_BY_ROOT.includes(folder) && FILES.some((path) => path.startsWith(`${folder}/`) && path.endsWith('.test.ts')),
  );
  expect(tested.length).toBeGreaterThan(10);
  expect(lacking('test', tested)).toEqual([]);
});
