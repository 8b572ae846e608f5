import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { FILES, PACKAGES, ROOT, read } from './repository.ts';

const documents = FILES.filter((path) => path.endsWith('.md') && !path.startsWith('.changeset/'));
const topLevel = new Set(FILES.map((path) => path.split('/')[0]));

// A path in a document is a code span that begins with a top-level entry of the checkout and holds no placeholder.
const namedPaths = (text: string) =>
  [...text.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*\/?)`/g)]
    .flatMap(([, path]) => path ?? [])
    .filter((path) => topLevel.has(path.split('/')[0] ?? '') && (path.includes('/') || path.includes('.')))
    .filter((path) => !/\/(dist|node_modules)\//.test(path));

const links = (text: string) =>
  [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)].flatMap(([, target]) => target ?? []);

test.each(documents)('the paths that %s names exist', (document) => {
  const text = read(document);
  const missing = namedPaths(text).filter((path) => !existsSync(ROOT + path));
  const broken = links(text).filter((target) => !existsSync(ROOT + posix.join(posix.dirname(document), target)));
  expect([...missing, ...broken]).toEqual([]);
});

/** The anchors of a document's headings, as GitHub makes them. */
const anchorsOf = (document: string) =>
  new Set(
    [...read(document).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
      heading
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  );

test.each(documents)('the headings that links of %s name exist', (document) => {
  const targets = [...read(document).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)/g)].map(
    ([, path = '', anchor = '']) => ({
      path: path === '' ? document : posix.join(posix.dirname(document), path),
      anchor,
    }),
  );
  expect(targets.filter(({ path, anchor }) => path.endsWith('.md') && !anchorsOf(path).has(anchor))).toEqual([]);
});

test.each([
  ['README.md', 900],
  ['CONTRIBUTING.md', 600],
  ['SECURITY.md', 300],
])('%s has at most %d words', (document, words) => {
  expect(read(document).split(/\s+/).length).toBeLessThanOrEqual(words);
});

test('the list of documents has every page once, in the order of the folders', () => {
  const listed = [...read('docs/README.md').matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, target = '']) =>
    posix.join('docs', target),
  );
  const pages = documents.filter((path) => path.startsWith('docs/') && !path.startsWith('docs/decisions/'));
  expect(pages.filter((path) => path !== 'docs/README.md' && !listed.includes(path))).toEqual([]);
  expect(listed.length).toBe(new Set(listed).size);
});

test.each(documents)('the npm scripts that %s names exist', (document) => {
  const { scripts } = JSON.parse(read('package.json'));
  const named = [...read(document).matchAll(/\bnpm (?:run )?(start|test|[a-z]+)\b/g)].flatMap(([call, name]) =>
    name !== undefined && (call.startsWith('npm run') || name === 'start' || name === 'test') ? [name] : [],
  );
  const known = new Set([
    ...Object.keys(scripts),
    ...[...PACKAGES.values()].flatMap((manifest) => Object.keys(manifest.scripts ?? {})),
  ]);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test.each(documents)('links of %s to decisions name them by their numbers', (document) => {
  const links = [...read(document).matchAll(/\[(?:decision|record) (\d+)\]\([^)]*?(\d{4})-/gi)];
  expect(links.flatMap(([link, named, file]) => (Number(named) === Number(file) ? [] : [link]))).toEqual([]);
});

test('a decision that another one supersedes or changes is marked so, before its gap', () => {
  const decisions = FILES.filter((path) => path.startsWith('docs/decisions/'));
  const prefaceOf = (path: string) => read(path).split('**Gap.**')[0] ?? '';
  const unmarked = decisions.flatMap((path) => {
    const claims = prefaceOf(path).match(/^(?:Supersedes|Changes)\b[^\n]*/gm) ?? [];
    const earlier = claims
      .flatMap((line) => [...line.matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g)])
      .map(([, file = '']) => `docs/decisions/${file}`)
      .filter((file) => file < path);
    return earlier.filter((file) => !prefaceOf(file).includes(posix.basename(path))).map((file) => [file, path]);
  });
  expect(unmarked).toEqual([]);
});

test('decisions are numbered without gaps', () => {
  const numbers = FILES.filter((path) => path.startsWith('docs/decisions/')).map((path) =>
    Number(path.split('/').at(-1)?.slice(0, 4)),
  );
  expect(numbers).toEqual(numbers.map((_, at) => at + 1));
});
