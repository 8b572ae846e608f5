import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { main: 'src/main.ts', 'end-with-parent': 'src/processes/end-with-parent.ts' },
  target: 'es2024',
  fixedExtension: false,
  dts: false,
  inputOptions: { resolve: { conditionNames: ['@access-admin/source', 'node', 'default'] } },
  deps: {
    // The package contains all JavaScript that it runs; only native modules and thread pools are installed beside it.
    alwaysBundle: /./,
    onlyBundle: false,
    neverBundle: ['better-sqlite3', 'piscina'],
    onlyImport: ['better-sqlite3'],
  },
  // The built programs are beside each other as in the checkout, so that they find each other's files.
  copy: [
    { from: '../api/dist/*.{js,css}', to: 'dist/api/dist' },
    { from: '../api/dist/swagger-ui', to: 'dist/api/dist' },
    { from: '../worker/dist/*.js', to: 'dist/worker/dist' },
    { from: '../console/dist', to: 'dist/console' },
    { from: '../../tooling/sample/{sample.ndjson,demo-request.json,exceptions.json,people.json}', to: 'dist/sample' },
  ],
});
