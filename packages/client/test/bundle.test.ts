import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'tsdown';
import { expect, test } from 'vitest';

const KIB = 1024;

test('the bundle of an application is at most 9 KiB, minified and gzipped, and imports nothing', async () => {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const [bundle] = await build({ cwd, write: false, clean: false, minify: true, dts: false, logLevel: 'silent' });
  const chunks = bundle?.chunks.filter((chunk) => chunk.type === 'chunk') ?? [];
  expect(chunks).toHaveLength(1);
  expect(chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])).toEqual([]);
  expect(gzipSync(chunks[0]?.code ?? '').length).toBeLessThanOrEqual(9 * KIB);
}, 30_000);
