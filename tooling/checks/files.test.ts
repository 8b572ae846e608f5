import { expect, test } from 'vitest';
import { FILES, MODULES, read } from './repository.ts';

const WELL_KNOWN = new Set([
  'README.md',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'SECURITY.md',
  'pull_request_template.md',
  'Dockerfile',
  'Caddyfile',
  'Chart.yaml',
  'NOTES.txt',
]);

const nameOf = (path: string) => path.split('/').at(-1) ?? path;

test('no file has a name that fits any content', () => {
  expect(MODULES.filter((path) => /^(utils?|helpers?|common|misc|types|manager)\.\w+$/.test(nameOf(path)))).toEqual([]);
});

test('names are in kebab case', () => {
  // Parts of templates that Helm must not render begin with an underscore; units of systemd with instances end with an at sign.
  const kebab = /^(\.?[a-z0-9]+([.-][a-z0-9]+)*|_[a-z]+\.tpl|[a-z-]+@\.service)$/;
  expect(FILES.map(nameOf).filter((name) => !WELL_KNOWN.has(name) && !kebab.test(name))).toEqual([]);
});

test('text files end with one line feed and use no other line ending', () => {
  const broken = FILES.filter((path) => /\.(tsx?|mjs|css|json|ndjson|md|yaml)$/.test(path)).filter((path) => {
    const text = read(path);
    return text.includes('\r') || !text.endsWith('\n') || text.endsWith('\n\n');
  });
  expect(broken).toEqual([]);
});
