import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FILES, ROOT } from './repository.ts';
import { complaintsOf } from './run-tool.ts';

const RELEASED = /^(\.changeset\/.*|(.*\/)?(package\.json|CHANGELOG\.md)|pnpm-workspace\.yaml)$/;

test('the collected changesets become a version and a changelog', () => {
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-release-'));
  try {
    for (const path of FILES.filter((each) => RELEASED.test(each))) cpSync(ROOT + path, join(folder, path));
    expect(complaintsOf(`cd ${folder} && changeset version`)).toBe('');
    const { version } = JSON.parse(readFileSync(join(folder, 'packages/client/package.json'), 'utf8'));
    expect(readFileSync(join(folder, 'packages/client/CHANGELOG.md'), 'utf8')).toContain(`\n## ${version}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
