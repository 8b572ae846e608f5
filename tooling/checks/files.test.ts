import { expect, test } from 'vitest';
import { FILES, MODULES, read, SOURCES } from './repository.ts';

const LINES_MAX = 300;
const MAIN_LINES_MAX = 40;
const WELL_KNOWN = new Set(['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'SECURITY.md']);

const nameOf = (path: string) => path.split('/').at(-1) ?? path;
const longer = (paths: readonly string[], linesMax: number) =>
  paths
    .map((path) => ({ path, lines: read(path).trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > linesMax);

test('no module is longer than 300 lines', () => {
  expect(longer(MODULES, LINES_MAX)).toEqual([]);
});

test('main.ts only wires', () => {
  const mains = SOURCES.filter((path) => path.startsWith('apps/') && /\/main\.tsx?$/.test(path));
  expect(longer(mains, MAIN_LINES_MAX)).toEqual([]);
});

test('no file has a name that fits any content', () => {
  expect(MODULES.filter((path) => /^(utils?|helpers?|common|misc|types|manager)\.\w+$/.test(nameOf(path)))).toEqual([]);
});

test('names are in kebab case', () => {
  const kebab = /^\.?[a-z0-9]+([.-][a-z0-9]+)*$/;
  expect(FILES.map(nameOf).filter((name) => !WELL_KNOWN.has(name) && !kebab.test(name))).toEqual([]);
});

test('text files end with one line feed and use no other line ending', () => {
  const broken = FILES.filter((path) => /\.(tsx?|mjs|css|json|ndjson|md|yaml)$/.test(path)).filter((path) => {
    const text = read(path);
    return text.includes('\r') || !text.endsWith('\n') || text.endsWith('\n\n');
  });
  expect(broken).toEqual([]);
});
