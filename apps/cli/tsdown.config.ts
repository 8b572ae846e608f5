import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: 'src/main.ts',
  // Node.js starts a CommonJS module in half the time: an import of one of its own modules loads all that the module exports.
  format: 'cjs',
  target: 'node22',
  fixedExtension: false,
  dts: false,
  minify: true,
  // One file without dependencies: it is installed by itself, and starts as fast as Node reads one file.
  deps: { alwaysBundle: /./, onlyBundle: false, onlyImport: [] },
});
