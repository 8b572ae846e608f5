import { statSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { FILES, ROOT, read } from './repository.ts';

const FOLDER = 'docs/pictures/';
const KIB = 1024;
const KIB_MAX = 200;
const ALL_KIB_MAX = 2048;

const documents = FILES.filter((path) => path.endsWith('.md'));
const pictures = FILES.filter((path) => path.startsWith(FOLDER));
const sizeOf = (path: string): number => statSync(ROOT + path).size;

/** The pictures that a document shows, as paths of this repository. */
const shownIn = (document: string): readonly string[] =>
  [...read(document).matchAll(/!\[[^\]]*\]\(([^)\s]+)\)|\bsrc(?:set)?="([^"]+)"/g)]
    .flatMap(([, inText, inElement]) => inText ?? inElement ?? [])
    .filter((target) => !/^https?:/.test(target))
    .map((target) => posix.join(posix.dirname(document), target));

test('every picture that a document shows exists, and every picture is shown', () => {
  expect([...new Set(documents.flatMap(shownIn))].toSorted()).toEqual(pictures);
  expect(pictures.length).toBeGreaterThan(0);
});

test('pictures in documents have a text that says what they show', () => {
  const silent = documents.flatMap((document) =>
    [...read(document).matchAll(/!\[\]\([^)]*\)|<img(?![^>]*\balt="[^"]{10,}")[^>]*>/g)].map(([found]) => found),
  );
  expect(silent).toEqual([]);
});

test(`a picture has at most ${KIB_MAX} KiB, and all of them ${ALL_KIB_MAX} KiB`, () => {
  expect(pictures.filter((path) => sizeOf(path) > KIB_MAX * KIB)).toEqual([]);
  expect(pictures.reduce((sum, path) => sum + sizeOf(path), 0)).toBeLessThanOrEqual(ALL_KIB_MAX * KIB);
});
