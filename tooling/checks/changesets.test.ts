import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FILES, ROOT } from './repository.ts';
import { complaintsOf } from './run-tool.ts';

const RELEASED = /^(\.changeset\/.*|(.*\/)?(package\.json|CHANGELOG\.md)|pnpm-workspace\.yaml)$/;

test('the collected changesets become one version of all packages, and a changelog', () => {
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-release-'));
  try {
    for (const path of FILES.filter((each) => RELEASED.test(each))) cpSync(ROOT + path, join(folder, path));
    // Right after a release there are none.
    if (FILES.some((path) => /^\.changeset\/.*\.md$/.test(path)))
      expect(complaintsOf(`cd ${folder} && changeset version`)).toBe('');
    const versionOf = (path: string) => JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8')).version;
    const [version, ...others] = ['apps/server', 'apps/cli', 'packages/client', 'apps/api', 'packages/look'].map(
      versionOf,
    );
    expect(others).toEqual(others.map(() => version));
    expect(readFileSync(join(folder, 'apps/server/CHANGELOG.md'), 'utf8')).toContain(`\n## ${version}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
