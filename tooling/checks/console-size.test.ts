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

test(`the overview loads at most ${FIRST_LOAD_KIB_MAX} KiB of compressed scripts`, () => {
  const manifest: Readonly<Record<string, Chunk>> = JSON.parse(read(`${DIST}/.vite/manifest.json`));
  const loaded = new Set(['index.html', 'src/overview/page.tsx']);
  for (const key of loaded) for (const next of manifest[key]?.imports ?? []) loaded.add(next);
  const files = [...loaded].map((key) => manifest[key]?.file ?? `no chunk ${key}`);
  const bytes = files.reduce((sum, file) => sum + gzipSync(read(`${DIST}/${file}`)).length, 0);
  expect(bytes).toBeGreaterThan(50 * KIB);
  expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_KIB_MAX * KIB);
});
