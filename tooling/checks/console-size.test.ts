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

test(`each page, where it is opened first, loads at most ${FIRST_LOAD_KIB_MAX} KiB of compressed scripts`, () => {
  const manifest: Readonly<Record<string, Chunk>> = JSON.parse(read(`${DIST}/.vite/manifest.json`));
  const pages = Object.keys(manifest).filter((key) => PAGES.test(key));
  const sizes = pages.map((page) => ({ page, kib: firstLoadBytes(manifest, page) / KIB }));
  expect(sizes.length).toBeGreaterThan(10);
  expect(sizes.filter(({ kib }) => kib < 50 || kib > FIRST_LOAD_KIB_MAX)).toEqual([]);
});

function firstLoadBytes(manifest: Readonly<Record<string, Chunk>>, page: string): number {
  // A section is shown within the page that lists the sections.
  const around = page.replace(/^(src\/[\w-]+)\/.*$/, '$1/page.tsx');
  const loaded = new Set(['index.html', page, ...(around in manifest ? [around] : [])]);
  for (const key of loaded) for (const next of manifest[key]?.imports ?? []) loaded.add(next);
  const files = [...loaded].map((key) => manifest[key]?.file ?? `no chunk ${key}`);
  return files.reduce((sum, file) => sum + gzipSync(read(`${DIST}/${file}`)).length, 0);
}
