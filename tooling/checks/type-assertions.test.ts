import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findLines, ROOT, read, SOURCES } from './repository.ts';

const PLUGIN = './tooling/lint/type-assertion.grit';
/** How many assertions outside of parsers and codecs may say why they stay. */
const EXPLAINED_MAX = 15;

const config = JSON.parse(read('biome.json'));
const folder = mkdtempSync(join(tmpdir(), 'type-assertions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The lines of these files that the plugin reports, with the configuration of the repository. */
function reportedOf(files: Readonly<Record<string, string>>): readonly string[] {
  cpSync(`${ROOT}tooling/lint`, join(folder, 'tooling/lint'), { recursive: true });
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, vcs: { enabled: false } }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const args = ['lint', '--reporter=github', 'packages', 'apps', 'tooling'];
  const { stdout } = spawnSync(`${ROOT}node_modules/.bin/biome`, args, { cwd: folder, encoding: 'utf8' });
  return [...stdout.matchAll(/title=plugin,file=([^,]+),line=(\d+),/g)]
    .map(
      ([, file = '', line]) =>
        `${file.replaceAll('\\', '/').replace(/^.*?(?=(?:packages|apps|tooling)\/\w+\/)/, '')}:${line}`,
    )
    .sort();
}

const ASSERTIONS = `export const asserted = (value: unknown) => value as string;
export const older = (value: unknown) => <string>value;
export const both = (value: string) => (value as unknown) satisfies unknown;
export const kept = ['a'] as const;
export const narrow = { a: 1 } satisfies Record<string, number>;
`;

test('an assertion is a fault in the sources of packages and apps, and nowhere else', () => {
  const reported = reportedOf({
    'packages/store/src/planted.ts': ASSERTIONS,
    'apps/console/src/ui/planted.tsx': 'export const planted = (value: unknown) => value as string;\n',
    'packages/store/src/planted.test.ts': ASSERTIONS,
    'packages/store/test/planted.ts': ASSERTIONS,
    'packages/store/src/planted/codec.ts': ASSERTIONS,
    'tooling/checks/planted.ts': ASSERTIONS,
  });
  expect(reported).toEqual([
    'apps/console/src/ui/planted.tsx:1',
    'packages/store/src/planted.ts:1',
    'packages/store/src/planted.ts:2',
    'packages/store/src/planted.ts:3',
  ]);
});

/** The parsers and codecs, as the configuration lists them. */
const LISTED: readonly string[] = config.overrides
  .find(({ plugins = [] }: { readonly plugins?: readonly string[] }) => plugins.includes(PLUGIN))
  .includes.filter((pattern: string) => pattern.startsWith('!') && !pattern.includes('.test.'))
  .map((pattern: string) => pattern.slice(1));

/** An assertion in code, as far as one line shows it. */
const ASSERTION = /^(?!\s*(?:\*|\/\/|\/\*)).*[\w)\]}>] as (?!const\b|it\b|they\b|the\b)[\w{([]/;

test('every listed parser and codec exists and has an assertion', () => {
  expect(LISTED).not.toEqual([]);
  const idle = LISTED.flatMap(alternativesOf).filter(
    (pattern) =>
      findLines(
        SOURCES.filter((path) => matchesGlob(path, pattern)),
        ASSERTION,
      ).length === 0,
  );
  expect(idle).toEqual([]);
});

/** Each path of a pattern such as `src/{a,b}.ts`. */
function alternativesOf(pattern: string): readonly string[] {
  const [, before = '', among, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return among === undefined ? [pattern] : among.split(',').map((each) => before + each + after);
}

test('few assertions outside of them stay, each with its reason', () => {
  const explained = findLines(SOURCES, /biome-ignore lint\/plugin/);
  expect(explained.length).toBeLessThanOrEqual(EXPLAINED_MAX);
  expect(findLines(SOURCES, /biome-ignore lint\/plugin(?!\/type-assertion: \S+ \S+)/)).toEqual([]);
});
