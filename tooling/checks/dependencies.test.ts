import { expect, test } from 'vitest';
import { importsOf, PACKAGES, read, SOURCES } from './repository.ts';

const CONSOLE = 'apps/console';

const manifests = [...PACKAGES, ['.', JSON.parse(read('package.json'))] as const];
const runtimeOf = (isMeant: (folder: string) => boolean) =>
  [
    ...new Set(
      [...PACKAGES].flatMap(([folder, { dependencies }]) =>
        Object.keys(isMeant(folder) ? (dependencies ?? {}) : {}).filter((name) => !name.startsWith('@access-admin/')),
      ),
    ),
  ].sort();
const runtime = runtimeOf((folder) => folder !== CONSOLE);

test('every version is exact and is stated once, in the catalog', () => {
  const loose = manifests.flatMap(([folder, manifest]) =>
    Object.entries({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies })
      .filter(([, version]) => version !== 'catalog:' && version !== 'workspace:*')
      .map(([name, version]) => `${folder}/package.json: ${name} ${version}`),
  );
  expect(loose).toEqual([]);
  const catalog = read('pnpm-workspace.yaml').split('\ncatalog:\n')[1]?.trimEnd().split('\n') ?? [];
  expect(catalog.length).toBeGreaterThan(0);
  expect(catalog.filter((line) => !/^ {2}("[^"]+"|[\w./-]+): \d+\.\d+\.\d+(-[\w.]+)?$/.test(line))).toEqual([]);
});

test('published packages name one minimum of Node', () => {
  const named = manifests.flatMap(([folder]) => {
    const { engines, publishConfig } = JSON.parse(read(`${folder}/package.json`));
    return publishConfig === undefined ? [] : [[folder, engines?.node]];
  });
  expect(named).toEqual(named.map(([folder]) => [folder, '>=22']));
  expect(named).toHaveLength(3);
});

test('each runtime dependency has its reason in docs/reference/dependencies.md', () => {
  const [ofService = '', ofOthers = ''] = read('docs/reference/dependencies.md').split('\n## The console\n');
  const [ofConsole = '', ofCommand = ''] = ofOthers.split('\n## The command\n');
  const rowsOf = (text: string) => [...text.matchAll(/^\| `([^`]+)` \| .*\S.* \|$/gm)].map(([, name]) => name);
  expect(rowsOf(ofService)).toEqual(runtime);
  expect(rowsOf(ofConsole)).toEqual(runtimeOf((folder) => folder === CONSOLE));
  const imported = SOURCES.filter((path) => path.startsWith('apps/cli/')).flatMap(importsOf);
  expect(rowsOf(ofCommand)).toEqual(
    [...new Set(imported.map(packageOf))].filter((name) => !/^(\.|node:|@access-admin\/)/.test(name)).sort(),
  );
});

/** The package of an import, which may name a part of it. */
const packageOf = (specifier: string): string => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
