import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { read } from './repository.ts';

const DIST = 'apps/console/dist';
const KIB = 1024;
const FIRST_LOAD_KIB_MAX = 150;

/** A module of the console in the manifest of its build. */
interface Chunk {
  readonly file: string;
  /** The keys of the modules that are loaded with it. */
  readonly imports?: readonly string[];
}

/** The files of the pages, in the manifest of the build. */
const PAGES = /^src\/[\w-]+(\/[\w-]+)?\/page\.tsx$/;

/** The texts that all pages share: a browser loads them in one language. */
const LANGUAGES = /^src\/languages\/(texts|german|vietnamese)\.ts$/;

/** The texts that a page loads in one language. */
const OF_PAGE = /^src\/[\w-]+\/sentences\/(english|german|vietnamese)\.ts$/;

test(`each page, where it is opened first, loads at most ${FIRST_LOAD_KIB_MAX} KiB of compressed scripts, in each language`, () => {
  const manifest: Readonly<Record<string, Chunk>> = JSON.parse(read(`${DIST}/.vite/manifest.json`));
  const pages = Object.keys(manifest).filter((key) => PAGES.test(key));
  const languages = Object.keys(manifest).filter((key) => LANGUAGES.test(key));
  expect(languages.length).toBe(3);
  const texts = Math.max(...languages.map((key) => sizeOf(manifest, key)));
  const sizes = pages.map((page) => ({ page, kib: (firstLoadBytes(manifest, page) + texts) / KIB }));
  expect(sizes.length).toBeGreaterThan(10);
  expect(sizes.filter(({ kib }) => kib < 50 || kib > FIRST_LOAD_KIB_MAX)).toEqual([]);
});

function firstLoadBytes(manifest: Readonly<Record<string, Chunk>>, page: string): number {
  // A section is shown within the page that lists the sections.
  const around = page.replace(/^(src\/[\w-]+)\/.*$/, '$1/page.tsx');
  const loaded = new Set(['index.html', page, ...(around in manifest ? [around] : [])]);
  for (const key of loaded) for (const next of manifest[key]?.imports ?? []) loaded.add(next);
  const folder = page.slice(0, page.lastIndexOf('/') + 1);
  const texts = Object.keys(manifest).filter((key) => key.startsWith(folder) && OF_PAGE.test(key));
  const ofPage = Math.max(0, ...texts.map((key) => sizeOf(manifest, key)));
  return [...loaded].reduce((sum, key) => sum + sizeOf(manifest, key), ofPage);
}

const sizeOf = (manifest: Readonly<Record<string, Chunk>>, key: string): number =>
  gzipSync(read(`${DIST}/${manifest[key]?.file ?? `no chunk ${key}`}`)).length;
