import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { FILES, findLines, importsOf, PACKAGES, read, SOURCES } from './repository.ts';

const OURS = '@access-admin/';

/** The dependencies of each package on our packages, at run time and in tests. Bench may depend on any. */
const ALLOWED: Readonly<Record<string, { readonly uses: readonly string[]; readonly tests: readonly string[] }>> = {
  'packages/domain': { uses: [], tests: ['test-depth'] },
  'packages/contract': { uses: ['domain'], tests: ['test-depth'] },
  'packages/languages': { uses: [], tests: [] },
  'packages/look': { uses: [], tests: [] },
  'packages/scheduling': { uses: ['domain'], tests: ['test-depth'] },
  'packages/store': { uses: ['domain'], tests: ['harness', 'test-depth'] },
  'packages/telemetry': { uses: ['domain', 'store'], tests: ['harness'] },
  // Types, and a few rules that it bundles: the published package contains no other code.
  'packages/client': { uses: [], tests: ['contract', 'domain', 'test-depth'] },
  'apps/api': {
    uses: ['contract', 'domain', 'languages', 'look', 'scheduling', 'store', 'telemetry'],
    tests: ['harness', 'test-depth'],
  },
  'apps/worker': {
    uses: ['contract', 'domain', 'languages', 'scheduling', 'store', 'telemetry'],
    tests: ['harness', 'test-depth'],
  },
  'apps/cli': { uses: ['client', 'contract', 'domain'], tests: ['harness', 'test-depth'] },
  // The one package with everything in it.
  'apps/server': { uses: ['api', 'cli', 'client', 'console', 'store', 'telemetry', 'worker'], tests: ['harness'] },
  // A program of the browser: it reaches the service by the client alone.
  'apps/console': { uses: ['client', 'languages', 'look'], tests: ['contract', 'test-depth'] },
  'tooling/checks': { uses: [], tests: [] },
  'tooling/e2e': { uses: [], tests: ['client', 'contract', 'harness'] },
  'tooling/generators': { uses: [], tests: ['harness'] },
  'tooling/harness': { uses: [], tests: ['client'] },
  'tooling/proof': { uses: [], tests: ['client', 'contract', 'domain', 'harness', 'store', 'test-depth'] },
  'tooling/test-depth': { uses: [], tests: [] },
  'tooling/sample': { uses: [], tests: ['contract', 'domain'] },
  'tooling/site': { uses: [], tests: ['contract'] },
};

/** The rules that the client bundles have entries of their own: the whole domain would bring its dependencies. */
const BUNDLED_RULES = [
  '@access-admin/domain/capability',
  '@access-admin/domain/attestations',
  '@access-admin/domain/retry-after',
];

/** What a program imports before anything else. */
const FIRST_IMPORT = '@access-admin/telemetry/require-node';

const ourNames = (dependencies: Readonly<Record<string, string>> | undefined) =>
  Object.keys(dependencies ?? {})
    .filter((name) => name.startsWith(OURS))
    .map((name) => name.slice(OURS.length));

const folderOf = (path: string) => path.split('/').slice(0, 2).join('/');
/** Programs with a manifest and a lockfile of their own. */
const OF_GENERATORS = 'tooling/generators/npm/';
const code = FILES.filter(
  (path) => /^(packages|apps|tooling)\/[^/]+\/.*\.(ts|tsx|mjs)$/.test(path) && !path.startsWith(OF_GENERATORS),
);

test('packages depend on each other only where that is allowed', () => {
  const beyond = [...PACKAGES]
    .filter(([folder]) => folder !== 'tooling/bench')
    .flatMap(([folder, { dependencies, devDependencies }]) => {
      const { uses, tests } = ALLOWED[folder] ?? { uses: [], tests: [] };
      return [
        ...ourNames(dependencies).filter((name) => !uses.includes(name)),
        ...ourNames(devDependencies).filter((name) => ![...uses, ...tests].includes(name)),
      ].map((name) => `${folder}/package.json depends on ${OURS}${name}`);
    });
  expect(beyond).toEqual([]);
});

test('packages import only what their manifest names, and sources only runtime dependencies', () => {
  const beyond = code.flatMap((path) => {
    const { name: self, dependencies, devDependencies } = PACKAGES.get(folderOf(path)) ?? { name: '' };
    const ships = SOURCES.includes(path);
    // The builds of these bundle what they import, so that an installation brings nothing else.
    const bundles = ['packages/client', 'apps/cli', 'apps/server'].includes(folderOf(path));
    const known = { ...dependencies, ...(ships && !bundles ? {} : devDependencies) };
    return importsOf(path)
      .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
      .map((specifier) =>
        specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      )
      .filter((name) => name !== self && !(name in known) && PACKAGES.has(folderOf(path)))
      .map((name) => `${path} imports ${name}`);
  });
  expect(beyond).toEqual([]);
});

test('the domain imports fast-json-patch, canonicalize and its own files, nothing else', () => {
  const sources = SOURCES.filter((path) => path.startsWith('packages/domain/'));
  const beyond = sources.flatMap((path) =>
    importsOf(path)
      .filter((specifier) => !['fast-json-patch', 'canonicalize'].includes(specifier) && !specifier.startsWith('.'))
      .map((specifier) => `${path} imports ${specifier}`),
  );
  expect(sources.length).toBeGreaterThan(0);
  expect(beyond).toEqual([]);
});

const ENGINE = 'packages/domain/src/sod/';

/** The imports of a file of the domain that reach into the engine beside its door. */
const besideDoor = (path: string, specifiers: readonly string[]): readonly string[] =>
  path.startsWith(ENGINE)
    ? []
    : specifiers
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(path), specifier))
        .filter((target) => target.startsWith(ENGINE) && target !== `${ENGINE}index.ts`)
        .map((target) => `${path} imports ${target}`);

test('the engine of the domain has one door', () => {
  const files = code.filter((path) => path.startsWith('packages/domain/'));
  expect(files.flatMap((path) => besideDoor(path, importsOf(path)))).toEqual([]);
});

test('an import beside the door of the engine is found, in sources and in tests', () => {
  const planted = ['../sod/rulebook/sod-index.ts', '../sod/index.ts', './predict.ts', 'vitest'];
  expect(besideDoor('packages/domain/src/predictions/planted.ts', planted)).toEqual([
    'packages/domain/src/predictions/planted.ts imports packages/domain/src/sod/rulebook/sod-index.ts',
  ]);
  expect(besideDoor('packages/domain/test/planted.ts', ['../src/sod/lint/scope.ts'])).toHaveLength(1);
  expect(besideDoor('packages/domain/src/sod/lint/planted.ts', ['../rulebook/sod-index.ts'])).toEqual([]);
});

const TYPED_ARRAY = /\b(?:Big)?(?:Uint|Int|Float)\d+(?:Clamped)?Array\b/;

test('the domain uses typed arrays in its engine alone', () => {
  const outside = SOURCES.filter((path) => path.startsWith('packages/domain/') && !path.startsWith(ENGINE));
  expect(findLines(outside, TYPED_ARRAY)).toEqual([]);
  expect(['const held = new Uint32Array();', 'marks: Uint8Array'].every((line) => TYPED_ARRAY.test(line))).toBe(true);
});

test('the client imports nothing but types from other packages, and the rules that it bundles', () => {
  const sources = SOURCES.filter((path) => path.startsWith('packages/client/'));
  const values = sources.flatMap((path) =>
    [...read(path).matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '(?!\.)([^']*)'/gm)].map(
      ([, specifier]) => `${path}: ${specifier}`,
    ),
  );
  expect(values).toEqual([
    `packages/client/src/http/attempt.ts: ${BUNDLED_RULES[2]}`,
    `packages/client/src/index.ts: ${BUNDLED_RULES[0]}`,
    `packages/client/src/verification/audit-log.ts: ${BUNDLED_RULES[1]}`,
  ]);
});

test('no relative import climbs out of its package', () => {
  const climbing = code.flatMap((path) =>
    importsOf(path)
      .filter((specifier) => specifier.startsWith('.'))
      .filter((specifier) => !posix.join(posix.dirname(path), specifier).startsWith(`${folderOf(path)}/`))
      .map((specifier) => `${path} imports ${specifier}`),
  );
  expect(climbing).toEqual([]);
});

test('packages are imported by their name, never by a file of theirs', () => {
  const deep = code.flatMap((path) =>
    importsOf(path)
      .filter(
        (specifier) =>
          specifier.startsWith(OURS) &&
          specifier.split('/').length > 2 &&
          ![...BUNDLED_RULES, FIRST_IMPORT].includes(specifier),
      )
      .map((specifier) => `${path} imports ${specifier}`),
  );
  expect(deep).toEqual([]);
});

test('packages depend on each other without cycles', () => {
  const edges = new Map(
    [...PACKAGES.values()].map(({ name, dependencies, devDependencies }) => [
      name.slice(OURS.length),
      ourNames({ ...dependencies, ...devDependencies }),
    ]),
  );
  const circles = [...edges.keys()].filter((start) => {
    const reached = new Set(edges.get(start));
    for (const name of reached) for (const next of edges.get(name) ?? []) reached.add(next);
    return reached.has(start);
  });
  expect(circles).toEqual([]);
});
