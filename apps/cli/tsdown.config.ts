import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: 'src/main.ts',
  target: 'node22',
  fixedExtension: false,
  dts: false,
  minify: true,
  // One file without dependencies: it is installed by itself, and starts as fast as Node reads one file.
  deps: { alwaysBundle: /./, onlyBundle: false, onlyImport: [] },
});
