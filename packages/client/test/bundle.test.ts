import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'tsdown';
import { expect, onTestFinished, test } from 'vitest';

const KIB = 1024;

/** The bytes of an application that uses these exports, minified and gzipped. It imports nothing. */
async function sizeOf(names: string): Promise<number> {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), 'access-admin-bundle-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const entry = join(folder, 'application.ts');
  writeFileSync(entry, `export ${names} from ${JSON.stringify(join(cwd, 'src/index.ts'))};\n`);
  const [bundle] = await build({
    cwd,
    entry,
    write: false,
    clean: false,
    minify: true,
    dts: false,
    logLevel: 'silent',
  });
  const chunks = bundle?.chunks.filter((chunk) => chunk.type === 'chunk') ?? [];
  expect(chunks).toHaveLength(1);
  expect(chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])).toEqual([]);
  return gzipSync(chunks[0]?.code ?? '').length;
}

test.each([
  ['{ createClient }', 9],
  ['{ verifyReceipt }', 2],
  ['{ verifyWebhook }', 2],
  ['*', 13],
])(
  'the bundle of an application that uses %s is at most %i KiB',
  async (names, kib) => {
    const size = await sizeOf(names);
    expect(size).toBeLessThanOrEqual(kib * KIB);
  },
  30_000,
);
