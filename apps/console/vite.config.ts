import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** Four characters that stand for a file of this package. */
const shortHash = (file: string): string =>
  createHash('sha256')
    .update(relative(import.meta.dirname, file))
    .digest('base64url')
    .slice(0, 4);

/** Writes each file compressed beside it, where that is smaller: the API serves both as they are. */
const compress: Plugin = {
  name: 'compress',
  writeBundle({ dir = 'dist' }) {
    const assets = join(dir, 'assets');
    for (const name of readdirSync(assets).filter((each) => /\.(js|css|svg)$/.test(each))) {
      const content = readFileSync(join(assets, name));
      const packed = brotliCompressSync(content);
      if (packed.length < content.length) writeFileSync(join(assets, `${name}.br`), packed);
    }
  },
};

export default defineConfig({
  base: '/console/',
  plugins: [compress],
  resolve: { conditions: ['@access-admin/source', 'module', 'browser', 'development|production'] },
  // The scripts name the classes: what is the same in a file repeats in them.
  css: {
    modules: { localsConvention: 'camelCaseOnly', generateScopedName: (name, file) => `${name}_${shortHash(file)}` },
  },
  build: {
    target: 'es2024',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // A test adds up by it what the first page loads.
    manifest: true,
    rolldownOptions: {
      // The first script names all others: their own names would make a kibibyte of it. The manifest has them.
      output: {
        entryFileNames: 'assets/[hash].js',
        chunkFileNames: 'assets/[hash].js',
        assetFileNames: 'assets/[hash][extname]',
      },
      // Packages mark files that run in browsers only; here all do.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
