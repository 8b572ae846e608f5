import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

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
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    target: 'es2024',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // A test adds up by it what the first page loads.
    manifest: true,
    rolldownOptions: {
      // Packages mark files that run in browsers only; here all do.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
