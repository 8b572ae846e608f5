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
    // Machine code, and files that are served as they are.
    neverBundle: ['better-sqlite3', 'swagger-ui-dist'],
    onlyImport: ['better-sqlite3'],
  },
});
