import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: 'src/main.ts',
  target: 'es2024',
  fixedExtension: false,
  dts: false,
  sourcemap: true,
  deps: {
    // One file: to find and read hundreds of modules takes longer than all the rest of a start.
    alwaysBundle: /./,
    onlyBundle: false,
    // Machine code.
    neverBundle: ['better-sqlite3'],
    onlyImport: ['better-sqlite3'],
  },
});
